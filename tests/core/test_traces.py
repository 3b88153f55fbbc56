"""The compiled core plays the hands of four other engines move by move, and counts what they counted."""

from collections.abc import Mapping
from random import Random

import pytest

from harness.core.perft import perft as core_perft
from harness.core.records import STATE_DTYPE, records
from tests.helpers.both import shuffled
from tests.helpers.engine import CoreHand
from tests.helpers.reference import ReferenceHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.traces import PERFT_RULES, REPLAYS, Record, load_perft, load_trace, perft


def count(hand: CoreHand, depth: int) -> int:
    """Sequences of `depth` decisions by the compiled count."""
    states = records(STATE_DTYPE, depth + 1)
    states[0] = hand.state
    return core_perft(states, hand.rules, depth)


def reference_count(rules: Mapping[str, object], pack: list[str], line: list[str], depth: int) -> int:
    """The same by the reference, which plays every sequence from the deal on."""
    hand = ReferenceHand(rules, pack)
    for action in line:
        hand.apply(action)
    if depth == 1:
        return len(hand.legal())
    return sum(reference_count(rules, pack, [*line, action], depth - 1) for action in hand.legal())


def middle_of_a_hand(rules: Mapping[str, object], pack: list[str], rng: Random, n_tricks: int) -> list[str]:
    """Random actions until so many tricks have been taken."""
    hand = ReferenceHand(rules, pack)
    line: list[str] = []
    while not hand.over and sum(hand.tricks) < n_tricks:
        action = rng.choice(sorted(hand.legal() - {"DECLARE", "CLOSE"}))
        hand.apply(action)
        line.append(action)
    return line


@pytest.mark.parametrize("name", REPLAYS)
def test_every_hand_of_a_trace_is_replayed(name: str) -> None:
    traces = load_trace(name)
    assert len(traces) == 100
    for record in traces:
        REPLAYS[name](CoreHand.from_cards, record)


@pytest.mark.parametrize("column", PERFT_RULES)
@pytest.mark.parametrize("record", load_perft(), ids=lambda record: f"seed {record['seed']}")
def test_move_sequences_are_counted_alike(column: str, record: Record) -> None:
    """With the adapter, which can count MELD and the card led to it as one ply, as the VU package does."""
    assert perft(CoreHand.from_cards, PERFT_RULES[column], record, 5) == record[column]


@pytest.mark.parametrize("record", load_perft(), ids=lambda record: f"seed {record['seed']}")
def test_the_compiled_count_agrees_with_the_published_one(record: Record) -> None:
    """Where announcing is forced every ply is one decision, as the compiled count has it."""
    column = "full_schnapsen_with_closing"
    hand = CoreHand.from_cards(PERFT_RULES[column], record["hand0"], record["hand1"], record["talon"])
    assert [count(hand, depth) for depth in range(1, 6)] == record[column]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(("n_tricks", "deepest"), [(0, 3), (3, 3), (7, 5)])
def test_the_compiled_count_agrees_with_the_reference(name: str, n_tricks: int, deepest: int) -> None:
    rules = PRESETS[name]
    rng = Random(f"count {name} {n_tricks}")
    pack = shuffled(rng)
    line = middle_of_a_hand(rules, pack, rng, n_tricks)
    hand = CoreHand.from_pack(rules, pack).play(*line)
    for depth in range(1, deepest + 1):
        assert count(hand, depth) == reference_count(rules, pack, line, depth)


def test_counting_nothing_and_counting_past_the_end() -> None:
    hand = CoreHand.from_cards(PRESETS["sixtysix"], ["AS"], ["9S"], ["TS", "JS"])
    hand.with_stock_used_up()
    assert [count(hand, depth) for depth in range(5)] == [1, 1, 1, 0, 0]
