import math

import numpy as np
import pytest
from scipy import stats

from harness.stats.after_stop import STOPPED, after_stop
from harness.stats.codes import IntArray
from harness.stats.estimate import NO_DEALS, NO_SPREAD, Estimate
from harness.stats.pairs import pair_estimates
from harness.stats.scales import NORMALISED, POINTS, WINS, Scale
from harness.stats.sequential import Design
from tests.helpers.deals import code
from tests.stats.pilot import EQUITY, NORMAL_EASY, moved_to, play_tests

CASES = [(POINTS, 0.04, 250), (WINS, 10.0, 50), (NORMALISED, 10.0, 1000), (EQUITY, 0.008, 250), (POINTS, 0.04, 2000)]


def of_pairs(pairs: list[int]) -> IntArray:
    """Counts of codes with given counts of LL, LD, LW, DW, WW."""
    counts = np.zeros(49, dtype=np.int64)
    counts[[code(-1, -1), code(-1, 0), code(-1, 1), code(0, 1), code(1, 1)]] = pairs
    return counts


def ends(estimate: Estimate) -> tuple[float, float, float]:
    assert estimate.low is not None
    assert estimate.value is not None
    assert estimate.high is not None
    return estimate.low, estimate.value, estimate.high


def plain(scale: Scale, counts: IntArray) -> float:
    tallies = scale.tallies(counts)
    seen = float(scale.moments(tallies / tallies.sum())[0])
    return ends(scale.from_statistic(Estimate(seen, seen, seen, 1)))[1]


@pytest.mark.parametrize(
    ("pairs", "h1", "value", "low", "high"),
    [
        # fishtest's formulas, which let the variance depend a little on the true Elo and put the end of the test where
        # a straight line meets the bound: a test that goes on, and one just past the bound for H1.
        ([100, 420, 800, 470, 110], 5, 6.397, -1.053, 13.868),
        ([1000, 4300, 7900, 4460, 1080], 3, 2.480, -0.206, 5.002),
    ],
)
def test_the_estimate_is_that_of_fishtest(pairs: list[int], h1: float, value: float, low: float, high: float) -> None:
    found = ends(after_stop(Design(WINS, 0, h1, block=1), of_pairs(pairs)))
    assert found == pytest.approx((low, value, high), abs=0.05)


@pytest.mark.parametrize("scale", [POINTS, WINS])
def test_a_test_that_ends_at_its_first_look_needs_no_correction(scale: Scale) -> None:
    estimate = after_stop(Design(scale, 0, 0.02, block=5000), NORMAL_EASY)
    pair = pair_estimates(NORMAL_EASY)
    expected = pair.game_points if scale is POINTS else pair.elo
    assert ends(estimate) == pytest.approx(ends(expected), rel=1e-3)
    assert estimate.note == STOPPED


def test_an_accepted_h1_draws_the_estimate_down_and_an_accepted_h0_up() -> None:
    design = Design(POINTS, 0, 0.04, block=250)
    ended = play_tests(design, moved_to(POINTS, 0.02), 40, seed=8)
    for accepted_h1, counts in zip(ended.accepted_h1, ended.counts, strict=True):
        low, value, high = ends(after_stop(design, counts))
        assert low < value < high
        assert (value < plain(POINTS, counts)) == accepted_h1


def check_median(scale: Scale, h1: float, block: int, n_tests: int, n_sigma: float) -> None:
    design = Design(scale, 0.0, h1, block=block)
    for lead in (-h1 / 2, 0.0, h1 / 2, h1, 2 * h1):
        ended = play_tests(design, moved_to(scale, lead), n_tests, seed=5)
        found = np.array([ends(after_stop(design, counts)) for counts in ended.counts])
        below, held = float((found[:, 1] < lead).mean()), float(((found[:, 0] <= lead) & (lead <= found[:, 2])).mean())
        before = float(np.mean([plain(scale, counts) < lead for counts in ended.counts]))
        print(
            f"{scale.name}, a look every {block}, truth {lead:g}: below the truth {100 * below:.1f} % "
            f"(plain {100 * before:.1f} %), the interval holds it {100 * held:.1f} %"
        )
        assert abs(below - 0.5) < n_sigma * 0.5 / math.sqrt(n_tests)
        assert abs(held - 0.95) < n_sigma * math.sqrt(0.95 * 0.05 / n_tests)


@pytest.mark.parametrize(("scale", "h1", "block"), CASES[:1] + CASES[-1:])
def test_the_estimate_is_too_high_as_often_as_too_low(scale: Scale, h1: float, block: int) -> None:
    check_median(scale, h1, block, 100, 5)


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "h1", "block"), CASES)
def test_the_estimate_is_too_high_as_often_as_too_low_in_two_thousand_tests(
    scale: Scale, h1: float, block: int
) -> None:
    check_median(scale, h1, block, 2000, 5)


def test_the_median_of_the_estimates_is_the_truth_where_the_plain_one_is_far_off() -> None:
    design = Design(WINS, 0, 10, block=250)
    ended = play_tests(design, moved_to(WINS, 10), 400, seed=11)
    below = sum(ends(after_stop(design, counts))[1] < 10 for counts in ended.counts)
    assert abs(below - 200) < 5 * math.sqrt(100)
    assert stats.binomtest(sum(plain(WINS, counts) < 10 for counts in ended.counts), 400).pvalue < 1e-4


def test_no_deals_and_no_spread_make_no_estimate() -> None:
    design = Design(POINTS, 0, 0.02, block=10)
    assert after_stop(design, np.zeros(49, dtype=np.int64)).note == NO_DEALS
    same = of_pairs([0, 0, 30, 0, 0])
    assert (after_stop(design, same).value, after_stop(design, same).note) == (None, NO_SPREAD)


def test_an_end_beyond_what_a_hand_is_worth_is_cut_there() -> None:
    counts = np.zeros(49, dtype=np.int64)
    counts[[code(3, 3), code(3, -3)]] = [3, 1]
    _, _, high = ends(after_stop(Design(POINTS, 0, 0.5, block=4), counts))
    assert high == 3.0
