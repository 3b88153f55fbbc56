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
BOT = next(block for language, block in BLOCKS if language == "python")
REPORT = next(block for language, block in BLOCKS if not language)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "lowest.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS)
def test_command_works(command: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, *shlex.split(command)[1:])
    assert status == ExitStatus.DONE, err
    assert out


def test_shows_what_the_first_tournament_prints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "tournament", str(REPOSITORY / "configs" / "tournaments" / "first.toml"))
    assert status == ExitStatus.DONE, err
    assert out.strip() == REPORT.strip()
