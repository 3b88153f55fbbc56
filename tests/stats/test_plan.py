import math

import numpy as np
import pytest

from harness.stats.estimate import NO_DEALS, NO_SPREAD
from harness.stats.pairs import elo, pair_estimates
from harness.stats.plan import deals_for_half_width, half_width_after, power
from harness.stats.scales import NORMALISED, POINTS, WINS, Scale
from harness.stats.sequential import Design
from tests.helpers.deals import code
from tests.stats.pilot import EQUITY, NORMAL_EASY, SCALES, moved_to, play_tests

HALF_WIDTHS = [(POINTS, 0.01), (WINS, 2.0), (NORMALISED, 2.0), (EQUITY, 0.002)]


def test_strong_equals_need_about_37600_deals_for_a_hundredth_of_a_game_point() -> None:
    # Var(y) = 0.979, as measured between strong equals on another engine.
    counts = np.zeros(49, dtype=np.int64)
    counts[[code(1, 1), code(-1, -1), code(1, -1)]] = [4895, 4895, 210]
    assert (counts @ (np.arange(49) // 7 + np.arange(49) % 7 - 6) ** 2) / 4 / 10_000 == pytest.approx(0.979)
    assert deals_for_half_width(POINTS, counts, 0.01).value == pytest.approx(37_600, abs=50)


@pytest.mark.parametrize(("scale", "half_width"), HALF_WIDTHS, ids=[scale.name for scale, _ in HALF_WIDTHS])
def test_the_half_width_after_the_needed_deals_is_the_one_asked_for(scale: Scale, half_width: float) -> None:
    needed = deals_for_half_width(scale, NORMAL_EASY, half_width)
    assert needed.value is not None
    assert half_width_after(scale, NORMAL_EASY, int(needed.value)).half_width == pytest.approx(half_width, rel=1e-4)
    assert half_width_after(scale, NORMAL_EASY, 4 * int(needed.value)).half_width == pytest.approx(
        half_width / 2, rel=2e-3
    )


def test_the_half_width_after_as_many_deals_as_the_pilot_is_that_of_the_pilot() -> None:
    pair = pair_estimates(NORMAL_EASY)
    for scale, estimate in ((POINTS, pair.game_points), (WINS, pair.elo)):
        planned = half_width_after(scale, NORMAL_EASY, 5000)
        assert planned.half_width == pytest.approx(estimate.half_width, rel=1e-3)
        assert (planned.low, planned.high) == pytest.approx((estimate.low, estimate.high), rel=1e-3)


def test_the_half_width_of_normalised_elo_is_the_spread_of_samples() -> None:
    pairs = np.array([100, 300, 700, 420, 180])
    counts = np.zeros(49, dtype=np.int64)
    counts[[code(-1, -1), code(-1, 0), code(-1, 1), code(0, 1), code(1, 1)]] = pairs
    planned = half_width_after(NORMALISED, counts, 1700)
    assert planned.value == pytest.approx(39.39, abs=0.005)
    samples = np.random.default_rng(1).multinomial(1700, pairs / 1700, size=200_000) / 1700
    mean, square = samples @ np.arange(5) / 4, samples @ np.arange(5) ** 2 / 16
    spread = float(((mean - 0.5) / np.sqrt(square - mean**2)).std()) * 800 / math.log(10) / math.sqrt(2)
    # Five standard errors of the spread are 0.8 %; with the usual 1 / sqrt(n) alone it would be 1.1 % less.
    assert planned.half_width == pytest.approx(1.959964 * spread, rel=0.008)


def test_the_half_width_of_elo_is_half_of_an_interval_that_is_not_symmetric() -> None:
    counts = np.zeros(49, dtype=np.int64)
    counts[[code(1, 1), code(1, -1), code(-1, -1)]] = [80, 15, 5]
    share, variance = 0.875, 0.8 + 0.15 * 0.25 - 0.875**2
    needed = deals_for_half_width(WINS, counts, 150.0)
    assert needed.value is not None
    reach = 1.959964 * math.sqrt(variance / needed.value)
    assert (elo(share + reach) - elo(share - reach)) / 2 == pytest.approx(150, rel=0.1)
    one_fewer = 1.959964 * math.sqrt(variance / (needed.value - 1))
    assert (elo(share + one_fewer) - elo(share - one_fewer)) / 2 > 150


@pytest.mark.parametrize(("scale", "half_width"), HALF_WIDTHS, ids=[scale.name for scale, _ in HALF_WIDTHS])
def test_the_interval_of_the_needed_deals_holds_the_true_number(scale: Scale, half_width: float) -> None:
    p = NORMAL_EASY / NORMAL_EASY.sum()
    true = deals_for_half_width(scale, np.round(p * 1e12).astype(np.int64), half_width).value
    assert true is not None
    rng, n_pilots, held = np.random.default_rng(9), 400, 0
    for pilot in rng.multinomial(1000, p, size=n_pilots):
        needed = deals_for_half_width(scale, pilot, half_width)
        held += not needed.excludes(true)
    # Five standard errors; the interval rests on a normal approximation, so a point more is allowed.
    assert abs(held / n_pilots - 0.95) < 0.01 + 5 * math.sqrt(0.95 * 0.05 / n_pilots)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_a_test_takes_as_long_and_accepts_as_often_as_planned(scale: Scale) -> None:
    h1 = {"game points": 0.04, "match equity": 0.008}.get(scale.name, 10.0)
    design = Design(scale, 0, h1, block=250)
    for lead in (0.0, h1 / 2, h1):
        p = moved_to(scale, lead)
        plan = power(design, np.round(p * 10**9).astype(np.int64), lead)
        ended = play_tests(design, p, 1000, seed=4)
        # Five standard errors and the rest of the approximation: a fifteenth of the deals, a hundredth of the tests.
        error = math.sqrt(plan.accepts_h1 * (1 - plan.accepts_h1) / 1000)
        assert ended.accepted_h1.mean() == pytest.approx(plan.accepts_h1, abs=5 * error + 0.01)
        error = ended.n_deals.std() / math.sqrt(1000)
        assert ended.n_deals.mean() == pytest.approx(plan.mean_deals, abs=5 * error + plan.mean_deals / 15)
        assert (ended.n_deals <= plan.deals_90).mean() == pytest.approx(0.9, abs=0.01 + 5 * math.sqrt(0.09 / 1000))
        if lead == h1:
            accepted = ended.n_deals[ended.accepted_h1]
            assert accepted.mean() == pytest.approx(plan.mean_deals_h1, abs=5 * error + plan.mean_deals / 15)


def test_the_plan_without_overshoot_is_walds() -> None:
    # Wald 1947: E[n] = (p b + (1 - p) a) / mu, p = 1 - beta at H1, where mu = (s1 - s0)^2 / (2 Var).
    variance = pair_variance()
    plan = power(Design(POINTS, 0, 0.002, block=1), NORMAL_EASY, 0.002)
    bound = math.log(19)
    assert plan.accepts_h1 == pytest.approx(0.95, abs=1e-3)
    assert plan.mean_deals == pytest.approx(0.9 * bound / (0.002**2 / 2 / variance), rel=0.01)
    halfway = power(Design(POINTS, 0, 0.002, block=1), NORMAL_EASY, 0.001)
    assert halfway.mean_deals == pytest.approx(bound**2 / (0.002**2 / variance), rel=0.01)


def pair_variance() -> float:
    y = (np.arange(49) // 7 + np.arange(49) % 7 - 6) / 2
    p = NORMAL_EASY / NORMAL_EASY.sum()
    return float(p @ y**2 - (p @ y) ** 2)


def test_a_pilot_without_deals_or_spread_makes_no_plan() -> None:
    none, same = np.zeros(49, dtype=np.int64), np.zeros(49, dtype=np.int64)
    same[code(1, -1)] = 100
    for counts, note in ((none, NO_DEALS), (same, NO_SPREAD)):
        for estimate in (deals_for_half_width(POINTS, counts, 0.01), half_width_after(POINTS, counts, 100)):
            assert (estimate.value, estimate.note) == (None, note)
        with pytest.raises(ValueError, match="the pilot has no spread"):
            power(Design(POINTS, 0, 0.02), counts, 0.02)


def test_plans_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="a half-width is above 0, not 0"):
        deals_for_half_width(POINTS, NORMAL_EASY, 0)
    with pytest.raises(ValueError, match="a plan has at least one deal, not 0"):
        half_width_after(POINTS, NORMAL_EASY, 0)
