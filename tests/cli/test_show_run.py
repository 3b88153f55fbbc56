"""``sixtysix show RUN``: a hand of a run, recorded or played again."""

from pathlib import Path

import pytest

from harness.game.transcript import read_transcript
from harness.run.config import RunConfig, build_config
from harness.run.folder import claimed_folder, reopened_folder
from harness.store.reader import open_run
from harness.store.rows import FaultRow
from tests.helpers.command import REPOSITORY, call
from tests.helpers.stored_runs import store_run

ODD_FILE = REPOSITORY / "tests" / "helpers" / "odd_agents.py"
REPLAYED = "note: the actions of this hand are not recorded: it was played again\n"


def config(*agents: str, **settings: object) -> RunConfig:
    return build_config({"agents": list(agents), "deals": 10, **settings})


def result(transcript: str, half: int) -> int:
    """Return the game points of a hand, seen from the first agent."""
    ended = read_transcript(transcript).result
    assert ended is not None
    sign = 0 if ended.winner is None else 1 if ended.winner == half else -1
    return sign * ended.game_points


@pytest.mark.parametrize("record", ["none", "hands", "actions"])
def test_a_hand_of_a_run_is_the_one_that_was_played(
    capsys: pytest.CaptureFixture[str], record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["normal", "example", "--seed", "7", "--rules", "schnapsen"]
    assert call(capsys, "pit", *arguments, "--deals", "4", "--out", "run", "--record", record)[0] == 0
    with open_run(Path("run")) as run:
        codes = next(run.blocks())[0].tolist()
    monkeypatch.setenv("SIXTYSIX_SEED", "99")  # a run has its own
    for deal, code in enumerate(codes):
        for half in (0, 1):
            hand = ["--deal", str(deal), "--half", str(half)]
            status, out, err = call(capsys, "show", "run", *hand)
            assert status == 0
            assert err == ("" if record == "actions" else REPLAYED)
            assert result(out, half) == (code % 7 if half else code // 7) - 3
            assert (status, out) == call(capsys, "show", *arguments, *hand)[:2]


def test_a_recorded_hand_needs_no_agent(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(capsys, "pit", "normal", "random", "--deals", "2", "--out", "run", "--record", "actions")[0] == 0

    def load(*arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr("harness.run.agents.load_agents", load)
    status, out, err = call(capsys, "show", "run", "--deal", "1")
    assert (status, err) == (0, "")
    assert "# seat 0 (normal) leads" in out


def test_a_pairing_is_named_by_its_agents_in_any_order(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "run", config("random", "easy", "normal", seed=5))
    status, out, _ = call(capsys, "show", "run", "normal", "easy", "--deal", "3", "--half", "1", "--quiet")
    assert status == 0
    assert "# seat 0 (normal) leads" in out  # easy is the first agent of the run, so normal leads half 1
    assert out == call(capsys, "show", "easy", "normal", "--seed", "5", "--deal", "3", "--half", "1")[1]
    assert out == call(capsys, "show", "run", "easy", "normal", "--deal", "3", "--half", "1")[1]


def test_a_second_copy_of_an_agent_is_named_as_in_the_tables(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "run", config("easy", "easy", "normal"))
    status, out, _ = call(capsys, "show", "run", "easy#2", "easy")
    assert status == 0
    assert "# seat 1 (easy#2) dealt" in out


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            [],
            "error: run has 2 pairings: name the two agents of one after it; the pairings are\n"
            "  easy random\n  easy normal\n",
        ),
        (["random", "normal"], "error: random and normal do not meet in run; the pairings are\n"),
        (
            ["easy", "nromal"],
            'error: there is no agent "nromal" in run; its agents are easy, random, normal; did you mean "normal"?\n',
        ),
    ],
)
def test_a_pairing_that_is_not_there_is_refused_with_those_that_are(
    names: list[str], message: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "run", config("easy", "random", "normal", format="gauntlet"))
    status, out, err = call(capsys, "show", "run", *names)
    assert (status, out) == (2, "")
    assert err.startswith(message)


@pytest.mark.parametrize(
    ("deal", "message"),
    [
        (10, "deal = 10: the deals of run are 0 to 9"),
        (7, "deal = 7: a and b have not played it yet in run, only deals 0 to 6"),
    ],
)
def test_a_deal_that_was_not_played_is_refused_with_those_that_were(
    deal: int, message: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "run", config("a", "b"), {0: 7})
    status, out, err = call(capsys, "show", "run", "--deal", str(deal))
    assert (status, out, err) == (2, "", f"error: {message}\n")


def test_a_run_without_deals_says_so(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    store_run(empty_folder / "run", config("a", "b"), {0: 0})
    assert call(capsys, "show", "run")[2] == "error: deal = 0: a and b have not played it yet in run, none\n"


@pytest.mark.parametrize("kind", ["move-time", "hand-time", "died", "memory", "start", "stdout"])
def test_a_fault_that_would_do_harm_again_is_shown_from_the_database_alone(
    kind: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    fault = FaultRow(0, 3, 1, 0, kind, "took longer\x1b[31m than 10 s", "the end of stderr:\n  \x07line")
    store_run(empty_folder / "run", config("no.such:Agent", "random"), faults=(fault,))
    status, out, err = call(capsys, "show", "run", "--deal", "3", "--half", "1")
    assert status == 0
    assert "is not played again because of how it ended" in " ".join(err.split())
    assert out.splitlines()[-3:] == [
        "# seat 1 (no.such:Agent) forfeits the hand, -3 game points: it took longer [31m than 10 s",
        "#   the end of stderr:",
        "#      line",
    ]
    assert read_transcript(out).history == ()
    assert "# seat 0 (random) leads and holds" in out


def test_a_fault_of_a_deal_that_is_not_finished_is_shown(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    fault = FaultRow(0, 8, 0, 1, "hand-time", "took longer than 60 s for a hand")
    store_run(empty_folder / "run", config("a", "b"), {0: 4}, lost=(fault,))
    status, out, _ = call(capsys, "show", "run", "--deal", "8")
    assert status == 0
    assert out.endswith("forfeits the hand, -3 game points: it took longer than 60 s for a hand\n")


@pytest.mark.parametrize("record", ["none", "actions"])
def test_a_crash_is_shown_up_to_the_fault_with_its_traceback(
    record: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    crasher = f"{ODD_FILE}:Crasher"
    assert call(capsys, "pit", crasher, "random", "--deals", "2", "--out", "run", "--record", record)[0] == 3
    status, out, err = call(capsys, "show", "run", "--half", "1")
    assert (status, err) == (0, REPLAYED)  # a forfeited hand is never recorded
    assert len(read_transcript(out).history) == 1  # random has led, then the agent crashed
    assert f"# seat 1 ({crasher}) forfeits the hand, -3 game points: it crashed: ZeroDivisionError" in out
    assert "#   Traceback" in out


def test_a_hand_that_is_another_one_now_is_told(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    fault = FaultRow(0, 0, 0, 0, "crash", "crashed: KeyError")
    store_run(empty_folder / "run", config("easy", "random"), faults=(fault,))
    status, _, err = call(capsys, "show", "run")
    assert status == 0
    told = "warning: this is not the hand that the run has played: this time it ended without a fault"
    assert told in " ".join(err.split())


def test_an_agent_that_has_changed_is_told(capsys: pytest.CaptureFixture[str], empty_folder: Path) -> None:
    (empty_folder / "bot.py").write_text("class Bot:\n    def choose(self, view):\n        return view.legal[0]\n")
    assert call(capsys, "pit", "bot.py:Bot", "random", "--deals", "2", "--out", "run")[0] == 0
    assert call(capsys, "show", "run")[::2] == (0, REPLAYED)
    (empty_folder / "bot.py").write_text("class Bot:\n    def choose(self, view):\n        return view.legal[-1]\n")
    told = "warning: bot.py:Bot has changed since the run: this may not be its hand\n"
    assert call(capsys, "show", "run")[::2] == (0, told + REPLAYED)


def test_a_run_whose_agent_is_gone_is_told_at_the_replay(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "run", config("no_such_module:Agent", "random"))
    status, out, err = call(capsys, "show", "run")
    assert (status, out) == (2, "")
    assert "no_such_module" in err


def test_a_run_that_is_being_written_is_busy_and_one_that_is_read_is_not(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "run", config("easy", "random"))
    with reopened_folder(empty_folder / "run", only_reads=True):
        assert call(capsys, "show", "run")[0] == 0
    with reopened_folder(empty_folder / "run"):
        status, out, err = call(capsys, "show", "run")
    assert (status, out) == (6, "")
    assert err == "error: another process is writing the run in run: wait until it has ended, or stop it\n"
    with claimed_folder(empty_folder / "run", replace=True):
        (empty_folder / "run" / "run.duckdb").write_text("")
        assert call(capsys, "show", "run")[0] == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rnu"], 'the folder rnu is not there; did you mean "run"?: give the folder of a run'),
        (["results"], "the folder results is not the folder of a run"),
        (["first"], "the folder first is not there: give the folder of a run, as it was printed, or two agents A B"),
        (["run", "easy", "random", "more"], "4 names: give the folder of a run with or without two agents"),
        (["run", "--seed", "3"], "--seed is for two agents without a run: a run has its own"),
        (["run", "--rules", "bicycle"], "--rules is for two agents without a run: a run has its own"),
        (["run", "--rule", "nines=true"], "--rule is for two agents without a run: a run has its own"),
        (["run", "easy"], "run is a run: give both agents of a pairing after it, or none if it has only one"),
        (["run", "--deal", "-1"], "deal = -1: must be a whole number from 0"),
    ],
)
def test_what_is_neither_a_run_nor_two_agents_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    (empty_folder / "results").mkdir()
    store_run(empty_folder / "run", config("easy", "random"))
    status, out, err = call(capsys, "show", *arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_agents_are_agents_even_where_a_run_has_the_name_of_one(
    capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    store_run(empty_folder / "easy", config("normal", "random"))
    status, out, _ = call(capsys, "show", "easy", "random")
    assert status == 0
    assert "# seat 0 (easy) leads" in out
