import json
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from harness.stats.codes import FloatArray
from harness.stats.likelihood import llr_of_mean, llr_of_t_value, tilt
from harness.stats.scales import NORMALISED, POINTS, WINS, Scale
from tests.stats.pilot import EQUITY, NORMAL_EASY, SCALES

RATINGS = json.loads((Path(__file__).parents[1] / "data" / "ratings.json").read_text())


def test_ratio_of_pair_scores_is_that_of_fishtest_and_fastchess() -> None:
    pairs = np.array(RATINGS["pairs"]["counts"])
    assert float(WINS.llr(pairs, 0, 5)) == pytest.approx(RATINGS["pairs"]["llr_logistic_0_5"], abs=5e-6)
    assert float(NORMALISED.llr(pairs, 0, 5)) == pytest.approx(RATINGS["pairs"]["llr_normalised_0_5"], abs=5e-6)


def test_ratio_of_the_thirteen_sums_of_game_points_is_the_known_one() -> None:
    sums = np.array(RATINGS["thirteen"]["counts"])
    assert float(POINTS.llr(sums, 0, 0.06)) == pytest.approx(RATINGS["thirteen"]["llr"], abs=5e-7)
    scores = llr_of_mean(sums, np.arange(13) / 12, 0.5, 0.51)
    assert float(scores) == pytest.approx(RATINGS["thirteen"]["llr"], abs=5e-7)


@pytest.mark.parametrize(
    ("pairs", "h0", "h1", "llr"),
    [
        ([440, 2910, 5170, 2888, 455], 0, 5, -2.27),
        ([142, 620, 1122, 699, 188], 0, 5, 2.99),
        ([349, 1561, 3340, 1604, 359], -5, 0, 2.90),
        ([98, 382, 674, 369, 71], -5, 0, -1.11),
        ([0, 0, 2, 0, 37], 0, 20, 2.96),
    ],
)
def test_normalised_ratio_is_that_of_racetrack_and_fastchess(pairs: list[int], h0: int, h1: int, llr: float) -> None:
    # The first four from MortenLohne/racetrack, src/tests/sprt_tests.rs; the last one a match printed by fastchess, in
    # which two values never came.
    assert float(NORMALISED.llr(np.array(pairs), h0, h1)) == pytest.approx(llr, abs=0.005)


def test_the_tilted_distribution_is_the_likeliest_with_its_mean() -> None:
    rng = np.random.default_rng(3)
    for s in (-1.5, -0.2, 0.4, 2.0):
        pdf = rng.dirichlet(np.ones(6))
        values = np.array([-3.0, -1, 0, 0.5, 2, 3])
        fit, _ = tilt(pdf, values - s)
        # The same by a general optimiser, in the log odds.
        best = minimize(
            lambda x, pdf=pdf: -pdf @ (x - np.log(np.exp(x).sum())),
            np.zeros(6),
            constraints={"type": "eq", "fun": lambda x, s=s, values=values: np.exp(x) @ (values - s)},
            options={"maxiter": 1000, "ftol": 1e-14},
        )
        expected = np.exp(best.x) / np.exp(best.x).sum()
        assert fit.sum() == pytest.approx(1, abs=1e-12)
        assert fit @ values == pytest.approx(s, abs=1e-12)
        assert fit == pytest.approx(expected, abs=2e-5)


def test_the_likeliest_distribution_with_a_t_value_is_the_best_of_all_with_it() -> None:
    values, reference = np.array([0, 0.25, 0.5, 0.75, 1]), 0.5
    counts = np.array([10, 30, 70, 42, 18])
    pdf = counts / counts.sum()

    def best(t: float) -> float:
        found = minimize(
            lambda x: -pdf @ (x - np.log(np.exp(x).sum())),
            np.log(pdf),
            constraints={"type": "eq", "fun": lambda x: t_value(np.exp(x) / np.exp(x).sum()) - t},
            options={"maxiter": 1000, "ftol": 1e-15},
        )
        return -float(found.fun)

    def t_value(p: FloatArray) -> float:
        mean = p @ values
        return float((mean - reference) / np.sqrt(p @ (values - mean) ** 2))

    for t0, t1 in ((0.0, 0.1), (-0.3, 0.25), (0.2, 0.5)):
        expected = counts.sum() * (best(t1) - best(t0))
        assert float(llr_of_t_value(counts, values, reference, t0, t1)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
@pytest.mark.parametrize("n_deals", [1, 10, 10**4, 10**8])
def test_a_ratio_is_finite_and_on_the_right_side_when_a_single_outcome_came(scale: Scale, n_deals: int) -> None:
    ratios = []
    for k in range(len(scale.support)):
        tallies = np.zeros(len(scale.support), dtype=np.int64)
        tallies[k] = n_deals
        ratios.append(float(scale.llr(tallies, 0, 5 if scale in (WINS, NORMALISED) else 0.02)))
    assert np.isfinite(ratios).all()
    assert ratios[0] < 0 < ratios[-1]


def test_all_wins_count_as_the_share_of_wins_under_each_hypothesis() -> None:
    # With one value seen and the rest nearly impossible, p(s) of the largest value is near s: log(s1 / s0) a deal.
    tallies = np.array([0, 0, 0, 0, 10**6])
    s1 = WINS.to_statistic(5)
    assert float(WINS.llr(tallies, 0, 5)) == pytest.approx(10**6 * np.log(s1 / 0.5), rel=1e-3)


def test_no_deals_have_the_ratio_zero() -> None:
    for scale in SCALES:
        assert float(scale.llr(np.zeros(len(scale.support), dtype=np.int64), 0, scale.support[-1] / 50)) == 0.0


def test_many_tables_at_once_have_the_ratios_they_have_alone() -> None:
    rng = np.random.default_rng(4)
    for scale in SCALES:
        tables = rng.multinomial(300, rng.dirichlet(np.full(len(scale.support), 0.3)), size=(3, 4))
        together = scale.llr(tables, -0.01, 0.03)
        for k in np.ndindex(3, 4):
            assert together[k] == pytest.approx(float(scale.llr(tables[k], -0.01, 0.03)), rel=1e-9, abs=1e-9)


def test_the_other_side_sees_the_ratio_of_the_mirrored_hypotheses() -> None:
    mirrored = NORMAL_EASY[::-1]
    for scale in (POINTS, WINS, NORMALISED):
        mine = float(scale.llr(scale.tallies(NORMAL_EASY), 0.1, 0.3))
        theirs = float(scale.llr(scale.tallies(mirrored), -0.3, -0.1))
        assert mine == pytest.approx(-theirs, rel=1e-9)


def test_a_mean_that_no_deals_can_have_is_refused() -> None:
    with pytest.raises(ValueError, match="a mean of 3 is not between the values -3 and 3"):
        llr_of_mean(np.array([1, 2]), np.array([-3.0, 3.0]), 0, 3)


def test_values_on_one_side_of_zero_cannot_be_tilted_to_zero() -> None:
    with pytest.raises(ArithmeticError, match="both sides of 0"):
        tilt(np.array([0.5, 0.5]), np.array([1.0, 2.0]))


def test_the_scales_have_thirteen_five_and_any_number_of_values() -> None:
    assert POINTS.support.tolist() == [k / 2 for k in range(-6, 7)]
    assert WINS.support.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert len(EQUITY.support) > 13
    assert WINS.tallies(NORMAL_EASY).sum() == POINTS.tallies(NORMAL_EASY).sum() == 5000


@pytest.mark.parametrize(
    ("scale", "lead", "message"),
    [
        (POINTS, 3, "3 game points a hand is not between -3 and 3"),
        (WINS, -5000, "-5000 Elo is not within ±4000"),
        (NORMALISED, 201, "201 normalised Elo is not within ±200"),
    ],
)
def test_a_lead_that_cannot_be_tested_is_refused(scale: Scale, lead: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scale.to_statistic(lead)
