"""``sixtysix agents``: what the commands print, and the status they end with."""

import json
import os
import pty
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from harness.game.presets import preset_names
from tests.helpers.command import REPOSITORY, call, clean_environment

BROKEN = REPOSITORY / "tests" / "helpers" / "broken_agents.py"
ODD = REPOSITORY / "tests" / "helpers" / "odd_agents.py"
QUICK = ("--rules", "sixtysix", "--hands", "4")


def content(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    status, out, err = call(capsys, "agents", *arguments, "--json")
    assert status == 0, err
    return json.loads(out)


# ---------------------------------------------------------------------------------------------- list and show


def test_the_list_as_json_has_every_agent_with_its_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    agents = {agent["name"]: agent for agent in content(capsys, "list")}
    assert agents["easy"]["parameters"] == {"slip": 0.18}
    assert (agents["example"]["kind"], agents["random"]["parameters"]) == ("Python", {})


def test_show_tells_the_whole_docstring_and_the_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "agents", "show", "easy:slip=0.5")
    assert status == 0
    assert out.startswith("easy:slip=0.5  compiled, of the package sixtysix\n\nPlays sensible cards but often slips")
    assert "It never slips away what is free or sure" in out
    assert re.search(r"^slip +0\.5 +0 to 1, by default 0\.18$", out, re.MULTILINE)
    assert all(len(line) <= 80 for line in out.splitlines())
    told = content(capsys, "show", "easy:slip=0.5")
    assert told.pop("about").split() == out.split("\n\n", 1)[1].rpartition("\n\n")[0].split()
    assert told == {
        "name": "easy:slip=0.5",
        "kind": "compiled",
        "source": "the package sixtysix",
        "parameters": [{"name": "slip", "value": 0.5, "default": 0.18, "low": 0.0, "high": 1.0}],
    }


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("random", ["no parameters"]),
        ("example", ["greed  10  any value"]),
        (f"{BROKEN}:Sound", [f"Python, of the file {BROKEN}", "Plays the lowest legal action."]),
        (f"cmd:{sys.executable} -V", ["program, of the command", "no parameters"]),
    ],
)
def test_show_knows_every_kind_of_agent(agent: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "agents", "show", agent)
    assert status == 0
    assert all(word in out for word in words)


# ------------------------------------------------------------------------------------------------------ check


def test_check_ends_with_its_summary_and_status_0(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "agents", "check", "easy", f"{BROKEN}:CleanScratch", *QUICK)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "easy  compiled; 4 hands against random and 4 against itself, by 1 rule set"
    assert lines[-1] == "2 of 2 agents passed all checks"
    marks = [line.split()[0] for line in lines if line.startswith("  ")]
    assert len(marks) == 28
    assert set(marks) == {"ok", "skip"}
    assert max(len(line) for line in lines if line.startswith(" ")) <= 80


def test_a_failed_check_ends_with_status_3_and_tells_how_to_see_it(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "agents", "check", f"{ODD}:Crasher:hands=3", *QUICK)
    assert status == 3
    assert out.splitlines()[-1] == "0 of 1 agent passed all checks"
    assert "  FAIL  legal         under sixtysix, crashed: ZeroDivisionError" in out
    assert "raise ZeroDivisionError" in out
    assert "hint: return one of view.legal" in out
    (command,) = [line.split(": ", 1)[1] for line in out.splitlines() if "see the hand: " in line]
    assert shlex.split(command)[:5] == ["sixtysix", "show", f"{ODD}:Crasher:hands=3", "random", "--seed"]
    assert "          transcript 1 rules-version" in out


def test_the_json_of_check_has_every_verdict_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "agents", "check", "random", f"{ODD}:Illegal", *QUICK, "--json")
    assert (status, err) == (3, "")
    found = json.loads(out)
    assert (found["schema"], found["passed"], [agent["passed"] for agent in found["agents"]]) == (
        1,
        False,
        [True, False],
    )
    verdicts = {verdict["check"]: verdict for verdict in found["agents"][1]["verdicts"]}
    assert (verdicts["legal"]["outcome"], verdicts["legal"]["rules"]) == ("fail", ["sixtysix"])
    assert verdicts["legal"]["place"]["deal"] == verdicts["legal"]["place"]["half"] == 0
    assert verdicts["builds"]["outcome"] == "ok"


def test_check_plays_by_all_presets_unless_told(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "agents", "check", "random", "--hands", "2")
    assert status == 0
    assert out.startswith(
        f"random  compiled; 2 hands against random and 2 against itself, by {len(preset_names())} rule"
    )


def test_an_agent_that_prints_does_not_spoil_the_json(capfd: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capfd, "agents", "check", f"{ODD}:Printer", *QUICK, "--json")
    assert status == 3
    assert json.loads(out)["agents"][0]["kind"] == "Python"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["check", "noraml"],
            'there is no agent "noraml"; "sixtysix agents list" shows what is installed; did you mean "normal"?',
        ),
        (["check", "easy:slip=7"], "the agent easy:slip=7 cannot be built: slip = 7: must be from 0 to 1"),
        (["check", "easy", "--hands", "1"], "hands = 1: must be a whole number from 2 to 100,000"),
        (
            ["check", "easy", "--rules", "sixtysix,bicicle"],
            'there is no rule preset "bicicle"; `sixtysix rules list` shows them all (a file ends in .toml); '
            'did you mean "bicycle"?',
        ),
        (["show", "esy"], 'there is no agent "esy"; "sixtysix agents list" shows what is installed'),
        (["new", "my-bot"], '"my-bot" cannot be the name of a bot: use letters, digits and _, as in my_bot'),
        (
            ["new", "my_bot", "--kind", "compield"],
            'kind = "compield": must be one of python, compiled, program; did you mean "compiled"?',
        ),
    ],
)
def test_wrong_input_is_refused_with_status_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capsys, "agents", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")


def test_several_unknown_agents_are_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = call(capsys, "agents", "check", "nobody", "random", "nothing")
    assert status == 2
    assert '"nobody"' in err and '"nothing"' in err


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")
@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_progress_is_told_on_a_terminal_only(quiet: list[str], empty_folder: Path) -> None:
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "harness", "agents", "check", "random", *QUICK, *quiet]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=theirs, env=clean_environment(), text=True, check=False)
    os.close(theirs)
    try:
        told = os.read(ours, 10_000).decode()
    except OSError:
        told = ""
    os.close(ours)
    assert (done.returncode, "random under sixtysix" in told) == (0, not quiet)
    assert done.stdout.endswith("1 of 1 agent passed all checks\n")


# -------------------------------------------------------------------------------------------------------- new


@pytest.mark.parametrize("kind", ["python", "compiled", "program"])
def test_the_next_steps_of_a_new_bot_work(kind: str, capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    status, out, err = call(capsys, "agents", "new", "my_bot", "--kind", kind)
    assert (status, out) == (0, "my_bot.py\n")
    steps = [shlex.split(line.partition("sixtysix ")[2]) for line in err.splitlines() if "sixtysix " in line]
    assert [step[:2] for step in steps] == [["agents", "check"], ["pit", steps[1][1]]]
    assert call(capsys, *steps[0], *QUICK)[0] == 0
    status, out, err = call(capsys, *steps[1][:-1], "20", "--out", "run")
    assert status == 0, err
    assert "my_bot.py" in out


def test_a_new_bot_is_written_where_it_is_wanted_and_never_over_another(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    arguments = ("agents", "new", "Careful", "--out", "mine.py", "--quiet")
    assert call(capsys, *arguments) == (0, "mine.py\n", "")
    assert "class Careful:" in (empty_folder / "mine.py").read_text()
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err == "error: mine.py is there already: choose another name, or another file with --out\n"
