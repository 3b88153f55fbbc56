"""Hands that agents forfeited, in tables, advice, summary and CSV."""

import csv
import dataclasses
import json
from pathlib import Path

import pytest

from harness.agent_api.faults import FAULT_KINDS, FAULT_WORDS
from harness.report.analysis import analyse
from harness.report.report import full_text, write_report
from harness.report.verdicts import verdict
from harness.store.rows import FaultRow
from tests.helpers.runs import MadeUpRun, made_up_run, summarise, with_faults

CRASH = FaultRow(0, 3, 1, 0, "crash", "crashed: ZeroDivisionError: by zero", "Traceback …")
CRASH_2 = FaultRow(0, 9, 0, 0, "crash", "crashed: ValueError")
SLOW = FaultRow(0, 7, 0, 1, "move-time", "took longer than 10 s for a move")


def flat(text: str) -> str:
    return " ".join(text.split())


def pit() -> MadeUpRun:
    return with_faults(made_up_run({"easy": 0.0, "normal": 0.4}, 100), CRASH, SLOW, CRASH_2)


def cup() -> MadeUpRun:
    """Pairings 5, 6, 7: random-easy, random-normal, easy-normal; the last one has faults of both sides."""
    run = dataclasses.replace(made_up_run({"random": -1.0, "easy": 0.0, "normal": 0.3}, 100), numbers_from=5)
    return with_faults(
        run,
        FaultRow(7, 4, 0, 1, "illegal", "chose CLOSE, which is not legal there"),
        FaultRow(7, 2, 1, 0, "nonsense", "returned None, which is no action"),
        FaultRow(5, 2, 1, 1, "nonsense", "returned 77, which is no action"),
    )


def test_faults_are_the_hands_that_are_missing_from_how_hands_end() -> None:
    for run in (pit(), cup()):
        analysis = analyse(run)
        for pairing in analysis.pairings:
            assert pairing.n_forfeits == pairing.faults.sum()
        assert sum(line.n_hands for line in analysis.faults) == sum(p.n_forfeits for p in analysis.pairings) == 3


def test_a_table_tells_who_did_what_how_often_with_an_example() -> None:
    text = full_text(analyse(pit()))
    rows = [line.split() for line in text.splitlines() if line.endswith("200") and line.startswith(("easy", "normal"))]
    assert rows == [
        ["easy", "crashed", "2", "200"],
        ["normal", "took", "too", "long", "for", "a", "move", "1", "200"],
    ]
    words = flat(text)
    assert "deal 3, second half, against normal: it crashed: ZeroDivisionError: by zero" in words
    assert "deal 7, first half, against easy: it took longer than 10 s for a move" in words
    assert "The first example: sixtysix show results/an-evening --deal 3 --half 1\n" in text


def test_a_run_without_faults_does_not_speak_of_them() -> None:
    text = full_text(analyse(made_up_run({"easy": 0.0, "normal": 0.4}, 100)))
    assert "fault" not in text.lower()
    assert "forfeit" not in text


@pytest.mark.parametrize("run", [pit(), cup()])
def test_the_first_sentences_name_those_who_forfeited(run: MadeUpRun) -> None:
    first = flat(full_text(analyse(run)).partition("\n\n")[0])
    if len(run.agents) == 2:
        assert first.endswith("Hands forfeited by faults, at -3 game points each: easy 2, normal 1.")
    else:
        assert first.endswith("Hands forfeited by faults, at -3 game points each: easy 2, normal 1.")
        analysis = analyse(run)
        assert "forfeited" not in verdict(analysis, analysis.pairings[1])
        assert verdict(analysis, analysis.pairings[2]).endswith(": easy 1, normal 1.")


def test_what_is_worth_knowing_says_what_the_hands_count_and_what_depends_on_the_machine() -> None:
    advice = summarise(pit())["advice"]
    assert (
        "easy forfeited 2 of its 200 hands by faults (it crashed in 2): the hands count -3 game points each and are "
        "left out of how hands end."
    ) in advice
    assert (
        "normal forfeited 1 of its 200 hands by faults (it took too long for a move in 1): the hand counts -3 game "
        "points and is left out of how hands end."
    ) in advice
    timed = [sentence for sentence in advice if "depends on the machine" in sentence]
    assert len(timed) == 1
    assert "another one may forfeit other hands" in timed[0]
    assert not any("depends on the machine" in sentence for sentence in summarise(cup())["advice"])


def test_the_summary_counts_by_agent_and_by_pairing() -> None:
    summary = summarise(cup())
    nothing = {kind.value: 0 for kind in FAULT_KINDS}
    by_name = {agent["name"]: (agent["forfeits"], agent["faults"]) for agent in summary["agents"]}
    assert by_name == {
        "random": (0, nothing),
        "easy": (2, {**nothing, "nonsense": 2}),
        "normal": (1, {**nothing, "illegal": 1}),
    }
    by_pairing = [(p["forfeits"], p["first_faults"], p["second_faults"]) for p in summary["pairings"]]
    assert by_pairing == [
        (1, nothing, {**nothing, "nonsense": 1}),
        (0, nothing, nothing),
        (2, {**nothing, "nonsense": 1}, {**nothing, "illegal": 1}),
    ]


def test_the_summary_has_the_first_example_of_each_kind_with_the_command_that_shows_it() -> None:
    examples = {(e["agent"], e["kind"]): e for e in summarise(cup())["fault_examples"]}
    assert examples.keys() == {("easy", "nonsense"), ("normal", "illegal")}
    assert examples["easy", "nonsense"] == {
        "agent": "easy",
        "kind": "nonsense",
        "opponent": "normal",
        "deal": 2,
        "half": 1,
        "what": "returned None, which is no action",
        "story": "",
        "show": "sixtysix show results/an-evening --deal 2 --half 1 easy normal",
    }
    (story,) = {e["story"] for e in summarise(pit())["fault_examples"] if e["kind"] == "crash"}
    assert story == "Traceback …"


def test_a_fault_that_is_not_at_hand_as_an_example_is_counted_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.report.faults.N_EXAMPLES", 1)
    analysis = analyse(pit())
    assert [(line.kind, line.n_hands, line.example is None) for line in analysis.faults] == [
        ("crash", 2, False),
        ("move-time", 1, True),
    ]
    assert json.loads(json.dumps(summarise(pit())["fault_examples"]))[1]["what"] is None


def test_the_csv_file_has_a_row_for_each_agent_opponent_and_kind(tmp_path: Path) -> None:
    files = write_report(cup(), tmp_path)
    with files.faults_csv.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {"agent": "easy", "opponent": "random", "kind": "nonsense", "forfeits": "1", "hands": "200"},
        {"agent": "easy", "opponent": "normal", "kind": "nonsense", "forfeits": "1", "hands": "200"},
        {"agent": "normal", "opponent": "easy", "kind": "illegal", "forfeits": "1", "hands": "200"},
    ]
    none = write_report(made_up_run({"a": 0.0, "b": 0.0}, 10), tmp_path)
    assert none.faults_csv.read_text(encoding="utf-8") == "agent,opponent,kind,forfeits,hands\n"


def test_whatever_an_agent_puts_into_its_fault_the_table_fits_80_columns() -> None:
    run = made_up_run({"a" * 70: 0.0, "b" * 70: 0.4}, 20)
    rows = [
        FaultRow(0, deal, deal % 2, deal % 2, kind.value, "\x1b[31mcrashed:\n\t" + "x" * 1000)
        for deal, kind in enumerate([*FAULT_KINDS, *FAULT_KINDS])
    ]
    text = full_text(analyse(with_faults(run, *rows)))
    lines = text.splitlines()
    (command,) = (line for line in lines if line.startswith("The first example: sixtysix show "))
    assert all(len(line) <= 80 for line in lines if line != command)
    assert "\x1b" not in text
    assert all(words in text for words in FAULT_WORDS.values())


@pytest.mark.parametrize("names", [["easy", "normal"], ["easy", "normal", "random"]])
def test_all_hands_may_be_forfeited(names: list[str]) -> None:
    run = made_up_run(dict.fromkeys(names, 0.0), 5)
    for number in range(len(run.pairings)):
        rows = [FaultRow(number, deal, half, 0, "start", "did not start") for deal in range(5) for half in (0, 1)]
        run = with_faults(run, *rows)
    assert run.endings.sum() == 0
    for pairing in summarise(run)["pairings"]:
        assert (pairing["forfeits"], pairing["game_points"]["value"], pairing["endings"]["hands"]) == (10, -3.0, 0)
    text = full_text(analyse(run))
    assert "did not start" in text
    assert "All hands were forfeited, so none ended otherwise." in text
    assert "Shares of 0" not in text
