"""What each command says to wrong input: one clear message on stderr, exit status 2, nothing on stdout.

The messages stand as they are in ``tests/data/cli/refusals.txt``: a line ``$ sixtysix …``, the message, an empty line.
"""

import shlex
from pathlib import Path

import pytest

from tests.helpers.command import SNAPSHOTS, call

BLOCKS = (SNAPSHOTS / "refusals.txt").read_text(encoding="utf-8").strip().split("\n\n")
SNAPSHOT = [tuple(block.split("\n", 1)) for block in BLOCKS if not block.startswith("#")]
COMMANDS = ("pit", "tournament", "compare", "ladder", "report", "show", "analyze", "bench", "rules show", "rules diff")

FAULTY = """
agents = ["random", "normal"]
rules = "sixtysex"
format = "everyone"
deals = -1
seed = 1.5
anchor = "nromal"

[rule]
nines = "yes"
close.min_stock = 13
"""

WRONG = """
rules = "schnapsen"
turned_up = "JS"
hand = "QS KH AD KD JD"
theirs = "AD"
gone = "AS TS KS JH TC KC QC JC"
ponits = [33, 13]
points = [33, 14]
closer = "them"
score = [7, 0]
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    """Files and folders that the commands are pointed at."""
    (tmp_path / "faulty.toml").write_text(FAULTY)
    (tmp_path / "strange.toml").write_text('agents = ["random", "easy"]\nround = 3\ndeal = 5\n')
    (tmp_path / "broken.toml").write_text("agents = [\n")
    (tmp_path / "latin.toml").write_bytes(b'name = "caf\xe9"\n')
    (tmp_path / "impossible.toml").write_text("[close]\nmin_stock = 12\nfirst_lead = false\n")
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "a-file").write_text("")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.txt").write_text("")
    (tmp_path / "old-run").mkdir()
    (tmp_path / "old-run" / "run.duckdb").write_text("")
    (tmp_path / "never-began").mkdir()
    (tmp_path / "never-began" / "run.log").write_text("2026-11-30 INFO\n")
    (tmp_path / "wrong.toml").write_text(WRONG)
    (tmp_path / "bot.py").write_text("class Bot:\n    pass\n")


@pytest.mark.parametrize(("command", "message"), SNAPSHOT, ids=[command for command, _ in SNAPSHOT])
def test_the_message_is_the_one_on_file(command: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, *shlex.split(command.removeprefix("$ sixtysix ")))
    assert err == message + "\n"
    assert (status, out) == (2, "")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_refusals_on_file(command: str) -> None:
    assert any(line.startswith(f"$ sixtysix {command} ") for line, _ in SNAPSHOT)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pitt"], ["pitt", "pit"]),
        (["rules", "shwo"], ["shwo", "show"]),
        (["pit", "random"], ["B"]),
        (["pit", "random", "easy", "--deal", "3"], ["--deal", "--deals"]),
        (["tournament"], ["AGENT"]),
        (["show"], ["RUN"]),
        (["analyze"], ["POSITION.toml"]),
        (["report"], ["RUN"]),
        (["rules", "diff", "sixtysix"], ["B"]),
        (["agents", "lits"], ["lits", "list"]),
    ],
)
def test_a_wrong_command_line_is_told_with_the_way_to_the_help(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    first, second = err.splitlines()
    assert first.startswith("error: ")
    assert all(word in first for word in words)
    assert second.startswith("try: sixtysix")
    assert second.endswith("--help")


@pytest.mark.parametrize("arguments", [[], ["rules"], ["agents"]])
def test_without_a_command_the_help_is_shown_on_stderr(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("Usage: sixtysix")
    assert "error" not in err


def test_wrong_values_of_the_environment_are_named_like_those_of_options(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIXTYSIX_SEED", "-3")
    status, _, err = call(capsys, "pit", "random", "easy")
    assert (status, err) == (2, "error: seed = -3: must be a whole number from 0 to 9223372036854775807\n")
    monkeypatch.setenv("SIXTYSIX_SEED", "seven")
    status, _, err = call(capsys, "pit", "random", "easy")
    assert status == 2
    assert "SIXTYSIX_SEED" in err and '"seven" is not a whole number' in err


LONG = "x" * 300


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["pit", "random", "easy", "--rules", LONG], "no rule preset"),
        (["pit", "random", "easy", "--rules", f"{LONG} nines=false"], "no rule preset"),
        (["pit", "random", "easy", "--rules", f"{LONG}.toml"], "File name too long"),
        (["pit", "random", "easy", "--out", LONG], "File name too long"),
        (["pit", "random", f"{LONG}.py:Bot"], "there is no file"),
        (["pit", "random", "\udcff.py:Bot"], "cannot be printed"),
        (["pit", "random", "a\x00b.py:Bot"], "cannot be printed"),
        (["pit", "random", "easy", "--out", "\udcff"], "not text in UTF-8"),
        (["pit", "random", "easy", "--out", "why?"], 'what follows a "?"'),
        (["rules", "show", f"{LONG}.toml"], "File name too long"),
        (["tournament", f"{LONG}.toml"], "File name too long"),
        (["tournament", "nul.toml"], "no path has such characters"),
    ],
)
def test_a_name_that_the_system_refuses_is_refused_in_a_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "nul.toml").write_text('agents = ["random", "easy"]\nrules = "a\\u0000.toml"\n')
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert words in err
    assert err.startswith("error: ") and err.count("\n") == 1


def test_a_refused_run_leaves_nothing_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(tmp_path.rglob("*"))
    for line, _ in SNAPSHOT:
        call(capsys, *shlex.split(line.removeprefix("$ sixtysix ")))
    assert sorted(path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts) == before
