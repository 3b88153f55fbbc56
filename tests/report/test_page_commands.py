"""The commands on a page play the run again: read by the command line, they give its config."""

import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest

from harness.cli.app import main
from harness.errors import ExitStatus
from harness.report.page.commands import compare_command, config_file, play_command
from harness.run.config import RunConfig, build_config

SPRT = {"kind": "sprt", "scale": "elo", "h0": 0.0, "h1": 7.5, "alpha": 0.01, "beta": 0.05, "block": 250}
UNTIL = {"kind": "until", "scale": "points", "half_width": 0.025}
SETTINGS: list[dict[str, Any]] = [
    {"agents": ["normal", "easy"]},
    {"agents": ["normal", "normal"], "rules": "schnapsen", "deals": 77, "seed": 5},
    {"agents": ["easy:slip=0.3", "easy"], "rule": {"close.graded": "closing", "match.target": 11}},
    {"agents": ["normal", "easy"], "play": "matches", "limits": {"move_seconds": 2.5, "memory_mb": 512}},
    {"agents": ["normal", "easy"], "anchor": "easy", "format": "gauntlet"},
    {"agents": ["random", "easy", "normal", "easy"], "format": "ladder", "anchor": "easy#2"},
    {"agents": ["cmd:./a bot --level '3 $x'", "path/of <b>.py:Bot"]},
    {"agents": ["normal", "easy"], "stop": SPRT, "deals": 5000},
    {"agents": ["normal", "easy"], "stop": UNTIL, "deals": 1_000_000},
]
ONLY_IN_A_FILE: list[dict[str, Any]] = [
    {"agents": ["normal", "easy"], "stop": {**UNTIL, "level": 0.99}},
    {"agents": ["normal", "easy"], "stop": SPRT, "anchor": "easy"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: "-".join(settings))
def test_the_command_gives_the_same_config(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    config = build_config(settings)
    command = play_command(config.content())
    assert command is not None
    assert played_by(command, monkeypatch).digest() == config.digest()


@pytest.mark.parametrize("settings", [*SETTINGS, *ONLY_IN_A_FILE], ids=lambda settings: "-".join(settings))
def test_the_config_file_gives_the_same_config(settings: dict[str, Any]) -> None:
    config = build_config(settings)
    again = build_config(tomllib.loads(config_file('a "name"', config.content())))
    assert again.digest() == config.digest()
    assert again.title == 'a "name"'


@pytest.mark.parametrize("settings", ONLY_IN_A_FILE, ids=lambda settings: "-".join(settings))
def test_what_no_option_says_is_left_to_the_file(settings: dict[str, Any]) -> None:
    assert play_command(build_config(settings).content()) is None


def test_a_comparison_names_presets_files_and_changes() -> None:
    names = ["bicycle", "schnapsen", "mine", "bicycle close.failed=3"]
    common = build_config({"agents": ["normal", "easy"], "deals": 50, "seed": 3}).content()
    assert shlex.split(compare_command(names, common)) == [
        *("sixtysix", "compare", "normal", "easy", "--rules", "bicycle,schnapsen,mine.toml"),
        *("--toggle", "close.failed=3", "--deals", "50", "--seed", "3", "--out", "again", "--plot"),
    ]


def played_by(command: str, monkeypatch: pytest.MonkeyPatch) -> RunConfig:
    """Let the command line read a command, and return what it would play."""
    played: list[RunConfig] = []

    def play_new(config: RunConfig, playing: object, out: Path, replace: bool) -> ExitStatus:
        assert out == Path("again")
        assert not replace
        played.append(config)
        return ExitStatus.DONE

    monkeypatch.setattr("harness.cli.playing.play_new", play_new)
    program, *arguments = shlex.split(command)
    assert program == "sixtysix"
    assert main(arguments) == ExitStatus.DONE
    return played[0]
