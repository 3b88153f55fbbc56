import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from harness.stats.estimate import NO_DEALS, NO_SPREAD, ONE_DEAL
from harness.stats.pairs import (
    ENDLESS,
    LOST_ALL,
    WON_ALL,
    elo,
    elo_of_share,
    mean_estimate,
    pair_estimates,
    pairing_gain,
)
from tests.helpers.deals import code, counts_of, random_block

PAIRS = json.loads((Path(__file__).parents[1] / "data" / "ratings.json").read_text())["pairs"]


def counts(**deals: int) -> list[int]:
    """Counts from keywords such as p3m1=4: four deals with +3 and -1 game points."""
    table = [0] * 49
    for name, n in deals.items():
        first, second = (int(name[k + 1]) * (1 if name[k] == "p" else -1) for k in (0, 2))
        table[code(first, second)] += n
    return table


def test_elo_of_the_pair_scores_that_fishtest_and_fastchess_agree_on() -> None:
    estimate = elo_of_share(mean_estimate(PAIRS["counts"], [0, 0.25, 0.5, 0.75, 1]))
    assert estimate.value == pytest.approx(PAIRS["elo"], abs=5e-5)
    # They divide by n and take the normal quantile; here n - 1 and Student's t widen the interval.
    wider = math.sqrt(1700 / 1699) * stats.t.ppf(0.975, 1699) / stats.norm.ppf(0.975)
    assert estimate.half_width == pytest.approx(wider * PAIRS["elo_half_width_95"], rel=1e-5)
    assert estimate.n == 1700


def test_the_interval_is_that_of_a_t_test_on_the_means_of_the_deals() -> None:
    block = random_block(np.random.default_rng(5), [0.3, 0.0], [(0, 1)], 40)
    points = np.stack([block[0] // 7 - 3.0, block[0] % 7 - 3.0]).astype(float)
    estimates = pair_estimates(counts_of(block)[0])

    expected = stats.ttest_1samp(points.mean(axis=0), 0).confidence_interval(0.95)
    assert estimates.game_points.value == pytest.approx(points.mean())
    assert (estimates.game_points.low, estimates.game_points.high) == pytest.approx(tuple(expected))

    won = (np.sign(points) + 1) / 2
    expected = stats.ttest_1samp(won.mean(axis=0), 0).confidence_interval(0.95)
    assert (estimates.hands_won.low, estimates.hands_won.high) == pytest.approx(tuple(expected))
    assert estimates.elo.value == pytest.approx(-400 * math.log10(1 / won.mean() - 1))
    assert estimates.elo.low == pytest.approx(elo(expected.low))
    assert estimates.elo.high == pytest.approx(elo(expected.high))

    seat_0 = (points[0] - points[1]) / 2
    expected = stats.ttest_1samp(seat_0, 0).confidence_interval(0.95)
    assert estimates.seat_game_points.value == pytest.approx(seat_0.mean())
    assert (estimates.seat_game_points.low, estimates.seat_game_points.high) == pytest.approx(tuple(expected))
    seat_0 = (won[0] + 1 - won[1]) / 2
    assert estimates.seat_hands_won.value == pytest.approx(seat_0.mean())
    assert estimates.seat_hands_won.half_width == pytest.approx(stats.sem(seat_0) * stats.t.ppf(0.975, 39))


def test_another_level_gives_another_interval() -> None:
    table = counts(p1m1=10, p2p1=30, m1m3=12)
    wide, narrow = pair_estimates(table, 0.99).game_points, pair_estimates(table, 0.5).game_points
    assert wide.half_width is not None
    assert narrow.half_width is not None
    assert wide.half_width / narrow.half_width == pytest.approx(stats.t.ppf(0.995, 51) / stats.t.ppf(0.75, 51))


def test_a_hand_nobody_won_counts_half() -> None:
    estimates = pair_estimates(counts(p0p0=3, p1p0=1))
    assert estimates.hands_won.value == pytest.approx((3 * 1.0 + 1.5) / 8)


def test_no_deals_give_no_numbers() -> None:
    estimates = pair_estimates([0] * 49)
    for estimate in (estimates.game_points, estimates.hands_won, estimates.elo, estimates.seat_game_points):
        assert (estimate.value, estimate.low, estimate.high, estimate.n) == (None, None, None, 0)
        assert estimate.note == NO_DEALS
    assert estimates.pairing_gain is None


def test_one_deal_gives_numbers_without_an_interval() -> None:
    estimates = pair_estimates(counts(p3m1=1))
    assert estimates.game_points.value == 1.0
    assert estimates.game_points.half_width is None
    assert estimates.elo.value == 0.0
    assert estimates.elo.note == ONE_DEAL


def test_equal_deals_do_not_make_an_interval_of_length_zero() -> None:
    estimates = pair_estimates(counts(p1m1=500))
    assert estimates.game_points.value == 0
    assert estimates.game_points.low is None
    assert estimates.game_points.note == NO_SPREAD
    assert estimates.pairing_gain is None


@pytest.mark.parametrize(("table", "note"), [(counts(p1p3=7, p2p1=3), WON_ALL), (counts(m1m3=7), LOST_ALL)])
def test_a_perfect_score_has_no_elo(table: list[int], note: str) -> None:
    estimates = pair_estimates(table)
    assert estimates.hands_won.value in (0.0, 1.0)
    assert (estimates.elo.value, estimates.elo.low, estimates.elo.high) == (None, None, None)
    assert estimates.elo.note == note


def test_elo_has_no_upper_end_where_the_share_of_hands_reaches_one() -> None:
    estimates = pair_estimates(counts(p1p1=4, p1m1=1))
    assert estimates.hands_won.high == 1.0
    assert estimates.elo.value == pytest.approx(-400 * math.log10(1 / 0.9 - 1))
    assert estimates.elo.low is not None
    assert estimates.elo.high is None
    assert estimates.elo.note == ENDLESS


def test_pairing_gain_is_the_ratio_of_the_variances() -> None:
    block = random_block(np.random.default_rng(6), [0.3, 0.0], [(0, 1)], 2000)
    r1, r2 = block[0] // 7 - 3.0, block[0] % 7 - 3.0
    expected = (np.var(r1) + np.var(r2)) / np.var(r1 + r2)
    assert expected > 1.3
    assert pairing_gain(counts_of(block)[0]) == pytest.approx(expected)


@pytest.mark.parametrize("table", [[0] * 48, [0] * 48 + [-1]])
def test_counts_that_cannot_be_are_refused(table: list[int]) -> None:
    with pytest.raises(ValueError, match="counts of deal codes"):
        pair_estimates(table)


def test_no_interval_reaches_past_what_a_hand_can_be_worth() -> None:
    # Student's t with one degree of freedom would reach 12.7 standard errors to each side.
    estimates = pair_estimates(counts(p3p3=1, m3p2=1))
    for points in (estimates.game_points, estimates.seat_game_points):
        assert (points.low, points.high) == (-3.0, 3.0)
    assert estimates.game_points.value == 1.25


@given(st.lists(st.integers(0, 40), min_size=49, max_size=49))
def test_the_other_side_sees_the_same_with_the_sign_changed(table: list[int]) -> None:
    mirrored = [table[48 - k] for k in range(49)]
    mine, theirs = pair_estimates(table), pair_estimates(mirrored)
    if mine.game_points.value is None or theirs.elo.value is None or mine.elo.value is None:
        assert sum(table) == 0 or theirs.elo.note in (WON_ALL, LOST_ALL)
        return
    assert theirs.game_points.value == pytest.approx(-mine.game_points.value, abs=1e-12)
    if mine.game_points.low is not None and mine.game_points.high is not None:
        assert theirs.game_points.low == pytest.approx(-mine.game_points.high, abs=1e-12)
        assert theirs.game_points.high == pytest.approx(-mine.game_points.low, abs=1e-12)
    assert theirs.elo.value == pytest.approx(-mine.elo.value, abs=1e-9)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(11)
    p = np.zeros(49)
    p[[code(1, -1), code(1, 2), code(-2, -1), code(3, 1), code(0, -3)]] = [0.4, 0.2, 0.15, 0.15, 0.1]
    true = float(p @ (np.arange(49) // 7 + np.arange(49) % 7 - 6)) / 2
    trials, held = 2000, 0
    for table in rng.multinomial(40, p, size=trials):
        estimate = pair_estimates(table).game_points
        held += not estimate.excludes(true)
    # Five standard errors of the share around 95 %.
    assert abs(held / trials - 0.95) < 5 * math.sqrt(0.95 * 0.05 / trials)
