"""``sixtysix report``: the report of a run from its database alone."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.run.config import build_config
from harness.run.folder import claimed_folder
from harness.store.rows import FaultRow
from tests.helpers.command import REPOSITORY, call
from tests.helpers.figures import draw_nothing
from tests.helpers.stored_runs import store_run

ODD_FILE = REPOSITORY / "tests" / "helpers" / "odd_agents.py"
CUP = build_config({"agents": ["random", "easy", "normal"], "deals": 40, "seed": 3, "name": "cup"})
PIT = build_config({"agents": ["gone.module:Agent", "random"], "deals": 40})
CRASH = FaultRow(0, 7, 1, 0, "crash", "crashed: ZeroDivisionError", "Traceback …")


@pytest.fixture(autouse=True)
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are empty."""
    draw_nothing(monkeypatch)


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_report_is_made_again_as_it_was_printed(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    status, printed, _ = call(capsys, "pit", "normal", "random", "--deals", "60", "--out", "run", "--plot")
    assert status == 0
    before = content(empty_folder / "run" / "report")
    shutil.rmtree(empty_folder / "run" / "report")
    assert call(capsys, "report", "run")[:2] == (0, printed)
    assert content(empty_folder / "run" / "report") == before


def test_its_json_is_the_summary_file(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "run", CUP)
    status, out, err = call(capsys, "report", "run", "--json", "--quiet")
    assert (status, err) == (0, "")
    assert out == (empty_folder / "run" / "report" / "summary.json").read_text(encoding="utf-8")
    assert json.loads(out)["complete"] is True
    assert json.loads(out)["seconds"] == 1.0


def test_no_agent_is_needed(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "run", PIT)
    status, out, _ = call(capsys, "report", "run")
    assert status == 0
    assert out.startswith("gone.module:Agent vs random under sixtysix: 40 deals, each twice, seed 1\n")


def test_an_unfinished_run_is_reported_as_such(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "run", CUP, {0: 25, 1: 20})
    status, out, err = call(capsys, "report", "run")
    assert status == 0
    heading = "cup under sixtysix: 40 deals, each twice, in 3 pairings, seed 3; not complete: 170 of 240 hands"
    assert " ".join(out.splitlines()[:2]) == heading
    assert (
        "note: The run is not complete: 170 of 240 hands have been played, and the numbers are those of them; sixtysix "
        "resume run goes on with it."
    ) in " ".join(err.split())
    summary = json.loads(call(capsys, "report", "run", "--json")[1])
    assert (summary["complete"], summary["hands"], summary["seconds"]) == (False, 170, None)


@pytest.mark.parametrize("lost", [(), (CRASH,)])
def test_a_run_that_has_played_nothing_is_reported_as_such(
    capsys: pytest.CaptureFixture[str], empty_folder: Path, lost: tuple[FaultRow, ...]
) -> None:
    store_run(empty_folder / "run", PIT, {0: 0}, lost=lost)
    status, out, err = call(capsys, "report", "run")
    assert status == 0
    assert "not complete: 0 of 80 hands" in " ".join(out.split())
    assert "No deals have been played, so there is nothing to report." in out
    assert "note: The run is not complete: 0 of 80 hands have been played" in err
    assert "sixtysix resume run goes on with it." in err


def test_a_report_of_a_run_with_faults_is_no_failure(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "run", PIT, faults=(CRASH,))
    status, out, err = call(capsys, "report", "run")
    assert status == 0
    assert "The first example: sixtysix show run --deal 7 --half 1\n" in out
    assert "gone.module:Agent forfeited 1 of its 80 hands by faults (it crashed in 1)" in err


def test_the_faults_of_a_run_are_the_hands_that_end_by_no_ending(capsys: pytest.CaptureFixture[str]) -> None:
    agents = [f"{ODD_FILE}:Crasher:hands=3", f"{ODD_FILE}:Illegal:hands=5", "random"]
    status, _, _ = call(capsys, "tournament", *agents, "--deals", "12", "--out", "run", "--workers", "1")
    assert status == 3
    status, out, _ = call(capsys, "report", "run", "--json")
    assert status == 0
    summary = json.loads(out)
    total = 0
    for pairing in summary["pairings"]:
        n_faults = sum(pairing["first_faults"].values()) + sum(pairing["second_faults"].values())
        assert pairing["forfeits"] == pairing["hands"] - pairing["endings"]["hands"] == n_faults
        total += n_faults
    assert total == sum(agent["forfeits"] for agent in summary["agents"]) > 0
    kinds = {(example["agent"].partition(".py:")[2], example["kind"]) for example in summary["fault_examples"]}
    assert kinds == {("Crasher:hands=3", "crash"), ("Illegal:hands=5", "nonsense")}


def test_a_fault_of_a_deal_that_is_still_to_be_played_is_no_forfeit_yet(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    later = FaultRow(0, 30, 0, 1, "move-time", "took longer than 10 s for a move")
    store_run(empty_folder / "run", PIT, {0: 20}, faults=(CRASH,), lost=(later,))
    (pairing,) = json.loads(call(capsys, "report", "run", "--json")[1])["pairings"]
    assert pairing["forfeits"] == 1
    assert sum(pairing["first_faults"].values()) + sum(pairing["second_faults"].values()) == 1


@pytest.fixture
def busy(empty_folder: Path) -> Iterator[Path]:
    """A run that is being written."""
    with claimed_folder(empty_folder / "run", replace=False):
        (empty_folder / "run" / "run.duckdb").write_text("being written")
        yield empty_folder / "run"


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks of folders")
def test_a_run_that_is_being_written_is_left_alone(capsys: pytest.CaptureFixture[str], busy: Path) -> None:
    status, out, err = call(capsys, "report", "run")
    assert (status, out) == (6, "")
    assert err == "error: another process is writing the run in run: wait until it has ended, or stop it\n"
    assert not (busy / "report").exists()


def test_a_report_that_cannot_be_written_says_where_the_run_is(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "run", PIT, {0: 3})
    (empty_folder / "run" / "report").write_text("a file")
    status, out, err = call(capsys, "report", "run")
    assert (status, out) == (4, "")
    assert err == "error: the report cannot be written to run/report (File exists); the run itself is kept in run\n"


def test_a_database_that_is_none_is_refused_in_a_line(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    (empty_folder / "run").mkdir()
    (empty_folder / "run" / "run.duckdb").write_text("no database")
    status, out, err = call(capsys, "report", "run")
    assert (status, out) == (4, "")
    assert err.startswith("error: run/run.duckdb ")
    assert err.count("\n") == 1
