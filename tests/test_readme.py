"""Every command of the README works as it stands there."""

import re
import shlex
from pathlib import Path

import pytest

from harness.errors import ExitStatus
from tests.helpers.command import REPOSITORY, call

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.partition("#")[0].strip()
    for language, block in BLOCKS
    if language == "sh"
    for line in block.splitlines()
    if line.startswith("sixtysix")
]
QUERIES, BOT = (block for language, block in BLOCKS if language == "python")
REPORT = next(block for language, block in BLOCKS if not language)
POSITION = next(block for language, block in BLOCKS if language == "toml")
ANALYSIS = next(block for language, block in BLOCKS if language == "text" and "column-142" in block)


@pytest.fixture(scope="module")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the reader stands: the commands come one after another, and later ones use what earlier ones have made."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "lowest.py").write_text(BOT)
    (folder / "column-142.toml").write_text(POSITION)
    return folder


@pytest.fixture
def folder(shared_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(shared_folder)
    return shared_folder


@pytest.mark.parametrize("command", COMMANDS)
def test_command_works(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "crazy" in command or command == "sixtysix ladder":
        monkeypatch.setenv("SIXTYSIX_DEALS", "8")  # minutes of play otherwise
        monkeypatch.setattr("harness.run.bench.measure_moves.__defaults__", (1, 0.01))
    status, out, err = call(capsys, *shlex.split(command)[1:])
    assert status == ExitStatus.DONE, err
    assert out


def test_the_questions_in_sql_have_answers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The run is that of the commands above them."""
    exec(QUERIES, {})
    out = capsys.readouterr().out
    assert all(words in out for words in ("points_per_hand", "close-made", "aces", "example"))


def test_shows_what_the_first_tournament_prints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "tournament", str(REPOSITORY / "configs" / "tournaments" / "first.toml"), "--plot")
    assert status == ExitStatus.DONE, err
    assert out.strip() == REPORT.strip()


def test_shows_what_the_position_is_worth(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "analyze", "column-142.toml")
    assert status == ExitStatus.DONE, err
    assert out.strip() == ANALYSIS.strip()
