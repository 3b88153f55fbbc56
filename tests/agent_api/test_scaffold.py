"""A new bot works as it is, whatever its kind, and all three kinds play the same hands."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.agent_api.registry import load_agent
from harness.agent_api.scaffold import KINDS, plan_scaffold, write_scaffold
from harness.errors import UsageError
from harness.game.presets import load_rules, preset_names
from harness.play.conformance.subject import close
from harness.play.conformance.suite import check_agent
from harness.play.pairing import PairingPlayer
from tests.helpers.command import REPOSITORY

GREEDS = ("", "3")


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def new(kind: str, name: str = "my_bot", greed: str = "") -> str:
    """Write a bot and return how it is written on the command line."""
    scaffold = plan_scaffold(name, kind, Path(f"{name}_{kind}.py"))
    if not scaffold.path.exists():
        write_scaffold(scaffold)
    parameter = f" --greed {greed}" if kind == "program" else f":greed={greed}"
    return scaffold.agent + (parameter if greed else "")


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_bot_passes_every_check(kind: str) -> None:
    n_presets, n_hands = (2, 4) if kind == "program" else (None, 20)
    found = check_agent(new(kind), [load_rules(name) for name in preset_names()[:n_presets]], n_hands)
    assert [verdict for verdict in found.verdicts if verdict.is_failure] == []
    assert found.kind == {"python": "Python"}.get(kind, kind)


@pytest.mark.parametrize("preset", ["sixtysix", "bicycle", "schnapsen-sharp", "skillgames"])
def test_all_kinds_play_the_same_hands(preset: str) -> None:
    """With another greed, too, and other hands than: three ways of writing one bot check each other."""
    digests = {greed: set[int]() for greed in GREEDS}
    for greed in GREEDS:
        for kind in KINDS:
            agent = load_agent(new(kind, greed=greed))
            played = PairingPlayer(load_rules(preset), agent, load_agent("easy"), 3, 0).play(0, 25)
            assert played.faults == []
            digests[greed].add(played.digest)
            close(agent)
    assert [len(found) for found in digests.values()] == [1, 1]
    assert digests[""] != digests["3"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_bot_is_better_than_random(kind: str) -> None:
    agent = load_agent(new(kind))
    points = PairingPlayer(load_rules("sixtysix"), agent, load_agent("random"), 5, 0).play(0, 100).hands["points"]
    close(agent)
    pairs = points[0::2].astype(int) + points[1::2]
    assert pairs.mean() > 5 * pairs.std(ddof=1) / len(pairs) ** 0.5


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_bot_passes_the_linter(kind: str) -> None:
    """The templates are part of the package, so that its type checker sees them as well."""
    new(kind, "Careful_Bot")
    settings = ["--config", str(REPOSITORY / "pyproject.toml"), "--no-cache"]
    for command in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *command, *settings, f"Careful_Bot_{kind}.py"]
        assert subprocess.run(ruff, capture_output=True, text=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "path", "class_name"),
    [
        ("my_bot", "my_bot.py", "MyBot"),
        ("MyBot", "my_bot.py", "MyBot"),
        ("lowest", "lowest.py", "Lowest"),
        ("bot7", "bot7.py", "Bot7"),
        ("TAStrategy", "ta_strategy.py", "TAStrategy"),
        ("_hidden", "hidden.py", "Hidden"),
    ],
)
def test_file_and_class_are_named_after_the_bot(name: str, path: str, class_name: str) -> None:
    scaffold = plan_scaffold(name, "python", None)
    assert (str(scaffold.path), scaffold.agent) == (path, f"{path}:{class_name}")
    assert f"class {class_name}:" in scaffold.text
    assert "MyBot" not in scaffold.text or class_name == "MyBot"


def test_a_program_is_executable_and_called_by_its_path() -> None:
    scaffold = plan_scaffold("outsider", "program", None)
    write_scaffold(scaffold)
    assert os.access("outsider.py", os.X_OK)
    assert scaffold.agent == "cmd:./outsider.py"
    assert plan_scaffold("outsider", "program", Path("my bots/out")).agent == "cmd:'my bots/out'"


@pytest.mark.parametrize(
    ("name", "kind", "out", "words"),
    [
        ("my-bot", "python", None, '"my-bot" cannot be the name of a bot: use letters, digits and _, as in my_bot'),
        ("2fast", "python", None, "as in fast"),
        ("class", "python", None, "as in class_bot"),
        ("", "python", None, "as in my_bot"),
        ("___", "python", None, "as in my_bot"),
        ("my bot.py", "python", None, "as in my_bot_py"),
        ("random", "python", None, 'a file random.py would hide the module "random" from every program'),
        ("numpy", "compiled", None, 'a file numpy.py would hide the module "numpy"'),
        (
            "compiled",
            "compiled",
            None,
            'the name "compiled" is taken: a compiled bot uses Compiled itself; try compiled_bot',
        ),
        ("SeatView", "python", None, "is taken: a python bot uses SeatView itself"),
        ("my_bot", "pyhton", None, 'kind = "pyhton": must be one of python, compiled, program; did you mean "python"?'),
        ("my_bot", "python", "bot.txt", "the file bot.txt must end in .py, as in bot.py"),
    ],
)
def test_a_name_that_would_not_work_is_refused(name: str, kind: str, out: str | None, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        plan_scaffold(name, kind, None if out is None else Path(out))
    assert words in str(caught.value)


def test_a_file_that_is_there_is_left_alone(empty_folder: Path) -> None:
    (empty_folder / "my_bot.py").write_text("precious")
    with pytest.raises(
        UsageError, match=r"my_bot.py is there already: choose another name, or another file with --out"
    ):
        write_scaffold(plan_scaffold("my_bot", "python", None))
    assert (empty_folder / "my_bot.py").read_text() == "precious"


def test_a_folder_that_is_not_there_is_told(empty_folder: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere/my_bot.py cannot be written: No such file or directory"):
        write_scaffold(plan_scaffold("my_bot", "python", Path("nowhere/my_bot.py")))
