"""The exact solver: equal to a search of everything, and to the values of published problems."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from harness.core.bits import members
from harness.core.legal import legal_mask, stock_is_open
from harness.core.records import FRESH, LEAD, OVER, REPLY
from harness.search.solver import SOLVER_WORDS, action_values, at_least, solve
from tests.helpers.both import walk
from tests.helpers.endings import Ending, copy_of, last_open_tricks, open_positions, strict_endings
from tests.helpers.engine import ACTIONS, rules_record
from tests.helpers.minimax import values_by_minimax
from tests.helpers.positions import PROBLEMS, problem, problems
from tests.helpers.reference import ReferenceHand
from tests.helpers.reference_presets import PRESETS

UNTOUCHED = -77


def memory(content: int = 0) -> Any:
    """Working memory with something in every word."""
    return np.full(SOLVER_WORDS, content, np.uint64)


def values_of(state: Any, record: Any, work: Any) -> dict[int, int]:
    """The solver's value of each action; what it has not written must be what is not legal."""
    values = np.full(40, UNTOUCHED, np.int64)
    action_values(state, record, work, values)
    written = {action: int(value) for action, value in enumerate(values) if value != UNTOUCHED}
    assert set(written) == set(members(legal_mask(state, record)))
    return written


def assert_solved(endings: Iterable[Ending]) -> int:
    """Hold the solver to minimax in all that it can be asked; its memory is never cleared in between."""
    work = np.random.default_rng(1).integers(0, 1 << 64, SOLVER_WORDS, np.uint64)
    n = 0
    for rules, record, state in endings:
        before = state.tobytes()
        right = values_by_minimax(state, record)
        value = max(right.values())
        assert solve(state, record, work) == value, (rules, state)
        assert [at_least(state, record, work, bound) for bound in range(-3, 5)] == [value >= b for b in range(-3, 5)]
        assert values_of(state, record, work) == right, (rules, state)
        assert state.tobytes() == before
        n += 1
    return n


def test_ten_thousand_strict_endings_are_worth_what_a_search_of_everything_says() -> None:
    assert assert_solved(islice(strict_endings(Random(66), 1, 9), 10_000)) == 10_000


def test_open_positions_are_worth_what_a_search_of_everything_says() -> None:
    assert assert_solved(islice(open_positions(Random(33)), 3_000)) == 3_000


def test_long_endings_are_worth_what_a_search_of_everything_says() -> None:
    """Up to six cards in each hand, closed ones at trick 1 among them; and the last open trick with whole hands."""
    assert assert_solved(islice(strict_endings(Random(12), 10, 12), 300)) == 300
    assert assert_solved(islice(last_open_tricks(Random(24)), 5)) == 5


@pytest.mark.slow
def test_many_more_positions_are_worth_what_a_search_of_everything_says() -> None:
    """Some minutes."""
    assert assert_solved(islice(strict_endings(Random(1), 1, 9), 100_000)) == 100_000
    assert assert_solved(islice(open_positions(Random(2)), 100_000)) == 100_000
    assert assert_solved(islice(strict_endings(Random(3), 10, 12), 20_000)) == 20_000
    assert assert_solved(islice(last_open_tricks(Random(4)), 200)) == 200


def test_the_endings_cover_every_preset_and_every_moment_of_a_lead() -> None:
    """What the tests above are made of: nothing may be missing."""
    endings = list(islice(strict_endings(Random(66), 1, 9), 4_000))
    assert all(sum(ending.rules is rules for ending in endings) > 80 for rules in PRESETS.values())
    assert sum(ending.rules not in PRESETS.values() for ending in endings) > 1_500
    states = [ending.state for ending in [*endings, *islice(open_positions(Random(33)), 2_000)]]
    moments = {(s.phase, s.lead_stage, s.meld_suit >= 0, s.closer >= 0, stock_is_open(s)) for s in states}
    for melded in (False, True):
        assert (LEAD, FRESH + melded, melded, True, False) in moments
        assert (LEAD, FRESH + melded, melded, False, True) in moments
        assert (REPLY, FRESH + melded, melded, False, True) in moments


def values_by_reference(hand: ReferenceHand) -> dict[int, int]:
    """What each action is worth to the seat to move, by the slow reference alone."""
    values = {}
    for action in hand.legal():
        child = deepcopy(hand)
        child.apply(action)
        values[ACTIONS[action]] = value_by_reference(child, hand.to_move)
    return values


def value_by_reference(hand: ReferenceHand, seat: int) -> int:
    """What best play is worth to a seat, by the slow reference alone."""
    if hand.over:
        return 0 if hand.winner is None else hand.game_points if hand.winner == seat else -hand.game_points
    best = max(values_by_reference(hand).values())
    return best if hand.to_move == seat else -best


@pytest.mark.parametrize("preset", PRESETS)
def test_last_tricks_are_worth_what_the_reference_says(preset: str) -> None:
    """The rules written once more from the texts give the same values: a check that shares nothing with the core."""
    record, work, rng, n = rules_record(PRESETS[preset])[0], memory(), Random(preset), 0
    while n < 20:
        for _, core, hand, _ in walk(PRESETS[preset], rng):
            n_cards = sum(map(len, hand.hands))
            if not hand.over and core.state.carry == 0 and n_cards in (5, 6) and not stock_is_open(core.state):
                assert values_of(core.state, record, work) == values_by_reference(hand)
                n += 1


@pytest.mark.parametrize("name", problems("full"))
def test_problems_with_both_hands_known_have_their_published_values(name: str) -> None:
    """Game points from "your" side, whoever is on lead."""
    posed = problem(name)
    state = posed.position.state()
    record = rules_record(PRESETS["schnapsen"])[0]
    sign = -1 if posed.content["on_lead"] == "opponent" and posed.content["led_card"] is None else 1
    published = posed.values(posed.content["computed"]["value_by_move"])
    assert {action: sign * value for action, value in values_of(state, record, memory()).items()} == published


@pytest.mark.parametrize("name", problems("closedfollow"))
def test_replies_after_a_close_have_their_published_values_with_each_card_face_down(name: str) -> None:
    record = rules_record(PRESETS["schnapsen"])[0]
    by_card = PROBLEMS[name]["computed"]["by_card"]
    n_checked = 0
    for face_down in PROBLEMS[name]["unseen"]:
        theirs = " ".join(card for card in PROBLEMS[name]["unseen"] if card != face_down)
        posed = problem(name, theirs=f'"{theirs}"', unseen=f'"{face_down}"')
        published = {card: row["per_stock_card_double_dummy"][face_down] for card, row in by_card.items()}
        assert values_of(posed.position.state(), record, memory()) == posed.values(published)
        n_checked += len(published)
    assert n_checked == sum(len(row["per_stock_card_double_dummy"]) for row in by_card.values()) > 0


def test_values_do_not_depend_on_what_the_memory_holds() -> None:
    """Empty, full of ones, or left by other rules that give the same cards other values."""
    endings = list(islice(strict_endings(Random(5), 8, 12), 200)) + list(islice(open_positions(Random(6)), 200))
    fresh = [solve(state, record, memory()) for _, record, state in endings]
    used = memory(2**64 - 1)
    assert [solve(state, record, used) for _, record, state in endings] == fresh
    for preset in PRESETS:
        other = rules_record(PRESETS[preset])[0]
        for _, _, state in endings[::10]:
            solve(state, other, used)
    assert [solve(state, record, used) for _, record, state in endings] == fresh


def test_a_finished_hand_is_worth_what_it_has_paid() -> None:
    rng = Random(9)
    for rules in PRESETS.values():
        _, core, reference, _ = list(walk(rules, rng))[-1]  # every item holds the same hands, over now
        state = copy_of(core.state)
        carry = int(state.carry)
        assert state.phase == OVER
        paid = 0 if reference.winner is None else reference.game_points - carry
        sign = 1 if reference.winner == state.to_move else -1
        assert solve(state, rules_record(rules)[0], memory()) == sign * paid


def test_the_carry_changes_no_value() -> None:
    for _, record, state in islice(strict_endings(Random(3), 6, 9), 50):
        state.carry = 0
        value = solve(state, record, memory())
        state.carry = 4
        assert solve(state, record, memory()) == value
