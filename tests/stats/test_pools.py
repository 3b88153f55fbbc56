import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from harness.play.codes import NOT_PLAYED
from harness.stats.codes import RESULTS, PairingTable
from harness.stats.pairs import LOST_ALL, WON_ALL
from harness.stats.pools import (
    ALONE,
    APART,
    NEVER_LOST,
    NEVER_WON,
    NO_HANDS,
    comparable_pool,
    connected_pool,
    seat_has_estimate,
)
from tests.helpers.deals import code, round_robin, table_of


def table(n_agents: int, codes: dict[tuple[int, int], list[int]]) -> PairingTable:
    """Deal codes by pairing (i < j)."""
    pairings = round_robin(n_agents)
    length = max(len(c) for c in codes.values())
    block = np.full((len(pairings), length), NOT_PLAYED, dtype=np.uint8)
    for row, pair in enumerate(pairings):
        deals = codes.get(pair, [])
        block[row, : len(deals)] = deals
    return table_of(n_agents, pairings, block)


WIN, LOSS, SPLIT, DRAW = code(1, 2), code(-1, -3), code(1, -1), code(0, 0)


def test_one_pool_needs_no_notes() -> None:
    pool = comparable_pool(table(3, {(0, 1): [SPLIT], (1, 2): [DRAW]}))
    assert pool.rated.all()
    assert pool.notes == ("", "", "")


def test_a_circle_of_wins_is_one_pool() -> None:
    assert comparable_pool(table(3, {(0, 1): [WIN], (1, 2): [WIN], (0, 2): [LOSS]})).rated.all()


def test_perfect_agents_are_named() -> None:
    pool = comparable_pool(table(4, {(0, 1): [WIN], (0, 2): [WIN], (1, 2): [SPLIT], (1, 3): [WIN], (2, 3): [WIN]}))
    assert pool.rated.tolist() == [False, True, True, False]
    assert pool.notes == (WON_ALL, "", "", LOST_ALL)


def test_two_agents_with_a_perfect_score_are_both_named() -> None:
    pool = comparable_pool(table(2, {(0, 1): [LOSS, LOSS]}))
    assert not pool.rated.any()
    assert pool.notes == (LOST_ALL, WON_ALL)


def test_a_chain_of_perfect_wins_rates_nobody() -> None:
    assert comparable_pool(table(3, {(0, 1): [WIN], (1, 2): [WIN]})).notes == (WON_ALL, ALONE, LOST_ALL)


def test_groups_that_always_beat_one_another_are_not_one_pool() -> None:
    games = {(0, 1): [SPLIT], (2, 3): [SPLIT], (0, 2): [WIN], (3, 4): [DRAW]}
    assert comparable_pool(table(5, games)).notes == (NEVER_LOST, NEVER_LOST, "", "", "")
    games[(0, 2)] = [LOSS]
    assert comparable_pool(table(5, games)).notes == (NEVER_WON, NEVER_WON, "", "", "")


def test_unconnected_groups_and_idle_agents_are_named() -> None:
    games = {(0, 1): [SPLIT], (1, 2): [SPLIT], (3, 4): [SPLIT]}
    for pool in (comparable_pool(table(6, games)), connected_pool(table(6, games))):
        assert pool.notes == ("", "", "", APART, APART, NO_HANDS)


def test_of_two_groups_the_anchors_is_rated_and_without_one_the_larger_then_the_busier_then_the_first() -> None:
    games = {(0, 1): [SPLIT], (1, 2): [SPLIT], (3, 4): [SPLIT]}
    assert connected_pool(table(5, games), anchor=4).rated.tolist() == [False, False, False, True, True]
    games = {(0, 1): [SPLIT], (2, 3): [SPLIT, SPLIT]}
    assert connected_pool(table(4, games)).rated.tolist() == [False, False, True, True]
    games = {(0, 1): [SPLIT], (2, 3): [SPLIT]}
    assert connected_pool(table(4, games)).rated.tolist() == [True, True, False, False]


def test_an_anchor_without_company_gives_way_to_the_largest_group() -> None:
    pool = comparable_pool(table(3, {(0, 1): [SPLIT], (1, 2): [WIN]}), anchor=2)
    assert pool.rated.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("deals", "expected"),
    [
        ([code(1, -1)], False),
        ([code(1, -1), code(1, 1)], False),
        ([code(1, -1), code(-1, 1)], True),
        ([code(0, 0)], True),
        ([code(1, 1), code(-1, -1)], True),
    ],
)
def test_the_seat_term_of_two_agents(deals: list[int], expected: bool) -> None:
    played = table(2, {(0, 1): deals})
    assert seat_has_estimate(played, np.array([True])) is expected


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_the_seat_term_exists_exactly_if_no_linear_programme_separates_the_results(data: st.DataObject) -> None:
    byte = st.sampled_from([code(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)])
    games = {pair: data.draw(st.lists(byte, max_size=2)) for pair in round_robin(3)}
    played = table(3, games | {(0, 1): [*games[(0, 1)], SPLIT]})
    pool = comparable_pool(played)
    used = pool.inside(played.pairings)
    if not used.any():
        return
    # Albert and Anderson 1984: no maximum if some direction (strengths, seat) with seat != 0 explains every result.
    bounds = []
    for (i, j), row, use in zip(played.pairings, played.counts, used, strict=True):
        for half in (0, 1):
            x = np.zeros(4)
            x[i], x[j], x[3] = 1, -1, 1 - 2 * half
            if use and row[RESULTS[half] >= 0].any():
                bounds.append(-x)
            if use and row[RESULTS[half] <= 0].any():
                bounds.append(x)
    separated = any(
        linprog(np.zeros(4), np.array(bounds), np.zeros(len(bounds)), [[0, 0, 0, 1]], [c], (-50, 50)).success
        for c in (1, -1)
    )
    assert seat_has_estimate(played, used) is not separated
