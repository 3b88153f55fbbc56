import numpy as np
import pytest

from harness.stats.times import seconds_a_move
from tests.helpers.deals import round_robin


def test_times_that_add_up_are_found_however_far_apart_they_are() -> None:
    times = np.array([2e-7, 3e-6, 4e-4, 5e-2])
    pairings = round_robin(4)
    moves = np.array([(700, 900), (1400, 1800), (300, 200), (400, 400), (50, 51), (6, 9)])
    seconds = [m * times[i] + n * times[j] for (m, n), (i, j) in zip(moves, pairings, strict=True)]
    found = seconds_a_move(4, pairings, moves, seconds)
    # random's own 0.2 us are told beside 3 us; every time is relative to its pairing's.
    assert found == pytest.approx(times, rel=1e-4)


def test_two_agents_that_only_met_each_other_have_no_times() -> None:
    assert np.isnan(seconds_a_move(2, [(0, 1)], [(700, 900)], [1.0])).all()


def test_a_gauntlet_says_nothing_of_anybody() -> None:
    assert np.isnan(seconds_a_move(4, [(0, 1), (0, 2), (0, 3)], [(10, 10)] * 3, [1.0, 2.0, 3.0])).all()


def test_three_that_met_are_told_and_two_others_beside_them_are_not() -> None:
    pairings = [*round_robin(3), (3, 4)]
    found = seconds_a_move(5, pairings, [(1, 1)] * 4, [3.0, 5.0, 6.0, 9.0])
    assert found[:3] == pytest.approx([1.0, 2.0, 4.0])
    assert np.isnan(found[3:]).all()


def test_no_time_is_below_zero() -> None:
    # 0 + 1 take 1 s, but 1 + 2 take 3 s and 0 + 2 take 1 s: the exact solution would give agent 0 half a second less
    # than nothing.
    found = seconds_a_move(3, round_robin(3), [(1, 1)] * 3, [1.0, 1.0, 3.0])
    assert found[0] == 0.0
    assert (found[1:] > 0).all()


def test_pairings_that_have_not_played_do_not_count() -> None:
    found = seconds_a_move(4, round_robin(4), [(1, 1)] * 3 + [(0, 0)] * 3, [3.0, 5.0, 6.0, 0.0, 0.0, 0.0])
    assert found[:3] == pytest.approx([1.0, 2.0, 4.0])
    assert np.isnan(found[3])
