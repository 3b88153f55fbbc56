import math

import numpy as np
import pytest

from harness.stats.codes import IntArray
from harness.stats.scales import NORMALISED, POINTS, WINS, Scale
from harness.stats.sequential import Design, Look, Sprt, Verdict, words
from tests.helpers.deals import code
from tests.stats.pilot import EQUITY, SCALES, moved_to, play_tests, statistic

H1 = {POINTS.name: 0.04, WINS.name: 10.0, NORMALISED.name: 10.0, EQUITY.name: 0.008}


def deals(first: int, second: int, n: int) -> IntArray:
    counts = np.zeros(49, dtype=np.int64)
    counts[code(first, second)] = n
    return counts


def test_bounds_are_those_of_wald() -> None:
    assert Design(POINTS, 0, 0.02).bounds == pytest.approx((-2.944438979, 2.944438979))
    low, high = Design(POINTS, 0, 0.02, alpha=0.01, beta=0.1).bounds
    assert low == pytest.approx(math.log(0.1 / 0.99))
    assert high == pytest.approx(math.log(0.9 / 0.01))


def test_a_test_ends_at_the_first_look_beyond_a_bound() -> None:
    design = Design(POINTS, 0, 0.04, block=500)
    rng = np.random.default_rng(2)
    sprt, counts, p = Sprt(design), np.zeros(49, dtype=np.int64), moved_to(POINTS, 0.04)
    assert sprt.look == Look(0, 0.0, *design.bounds, Verdict.NONE, is_over=False)
    while not sprt.look.is_over:
        assert design.bounds[0] < sprt.look.llr < design.bounds[1]
        counts += rng.multinomial(500, p)
        look = sprt.update(counts)
        assert look.llr == pytest.approx(float(POINTS.llr(POINTS.tallies(counts), 0, 0.04)))
    assert look.verdict is Verdict.H1
    assert look.llr >= look.high
    assert look.n_deals % 500 == 0
    # Deals that were under way do not count.
    at_the_stop = counts.copy()
    counts += deals(-3, -3, 777)
    assert sprt.update(counts) is look
    assert (sprt.counts == at_the_stop).all()


def test_h0_is_accepted_at_the_low_bound() -> None:
    sprt = Sprt(Design(WINS, 0, 10, block=1000))
    look = sprt.update(deals(-1, 1, 500) + deals(-1, -1, 500))
    assert (look.verdict, look.is_over) == (Verdict.H0, True)
    assert look.llr <= look.low


@pytest.mark.parametrize("n", [0, 499, 501, 1000])
def test_a_look_is_taken_after_whole_blocks_and_at_each_of_them(n: int) -> None:
    sprt = Sprt(Design(POINTS, 0, 0.02, block=500))
    with pytest.raises(ValueError, match=f"the next look is after 500 deals; these are {n}"):
        sprt.update(deals(1, -1, n))


def test_the_greatest_number_of_deals_ends_a_test_without_a_verdict() -> None:
    sprt = Sprt(Design(POINTS, -0.02, 0.02, block=500, most=700))
    even = deals(1, -1, 100) + deals(-1, 1, 100) + deals(2, 1, 150) + deals(-2, -1, 150)
    assert not sprt.update(even).is_over
    look = sprt.update(even + deals(1, -1, 200))
    assert (look.n_deals, look.verdict, look.is_over) == (700, Verdict.NONE, True)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"alpha": 0.0}, "risks are above 0 and together below 1; alpha is 0, beta 0.05"),
        ({"alpha": 0.6, "beta": 0.4}, "together below 1; alpha is 0.6, beta 0.4"),
        ({"alpha": math.nan}, "alpha is nan"),
        ({"h0": 0.02, "h1": 0.02}, "h0 is below h1; h0 is 0.02, h1 0.02"),
        ({"h1": 3.0}, "3 game points a hand is not between -3 and 3"),
        ({"block": 0}, "at least one deal; they have 0 and None"),
        ({"most": 0}, "at least one deal; they have 500 and 0"),
    ],
)
def test_a_design_that_cannot_be_is_refused(fields: dict[str, float], message: str) -> None:
    kwargs = {"h0": 0.0, "h1": 0.02} | fields
    with pytest.raises(ValueError, match=message):
        Design(POINTS, **kwargs)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("h0", "h1", "verdict", "claim"),
    [
        (0, 0.02, Verdict.H1, "A is better than B: at least 0.02 game points a hand rather than at most 0"),
        (0, 0.02, Verdict.H0, "A is not better than B: at most 0 game points a hand rather than at least 0.02"),
        (-0.02, 0, Verdict.H1, "A is not worse than B: at least 0 game points a hand rather than at most -0.02"),
        (-0.02, 0, Verdict.H0, "A is worse than B: at most -0.02 game points a hand rather than at least 0"),
        (0.1, 0.2, Verdict.H0, "A leads B by little: at most 0.1 game points a hand rather than at least 0.2"),
        (-0.2, -0.1, Verdict.H1, "A trails B by little: at least -0.1 game points a hand rather than at most -0.2"),
        (0, 0.02, Verdict.NONE, "A against B: not decided yet between a lead of at most 0 and at least 0.02"),
    ],
)
def test_words_name_both_hypotheses(h0: float, h1: float, verdict: Verdict, claim: str) -> None:
    design = Design(POINTS, h0, h1)
    text = words(design, Look(12_500, 3.01, *design.bounds, verdict, verdict is not Verdict.NONE), "A", "B")
    assert text.startswith(claim)
    assert "risks 5 % and 5 %; 12,500 deals; log likelihood ratio 3.01, bounds -2.94 and 2.94" in text


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_the_simulated_truth_is_exactly_the_hypothesis(scale: Scale) -> None:
    for lead in (0.0, H1[scale.name]):
        assert statistic(scale, moved_to(scale, lead)) == pytest.approx(scale.to_statistic(lead), abs=1e-12)


def check_errors(scale: Scale, n_tests: int, h1: float, block: int) -> None:
    """Play tests under both hypotheses; print and check the errors, up to three standard errors above the risk."""
    design = Design(scale, 0.0, h1, block=block)
    for lead, risk in ((design.h0, design.alpha), (design.h1, design.beta)):
        ended = play_tests(design, moved_to(scale, lead), n_tests, seed=17)
        wrong = float((ended.accepted_h1 == (lead == design.h0)).mean())
        print(
            f"{scale.name}: truth {lead:g}, tested 0 against {h1:g}, a look every {block} deals: wrong verdicts "
            f"{100 * wrong:.2f} % of {n_tests:,}, deals {ended.n_deals.mean():,.0f} on average, "
            f"{np.quantile(ended.n_deals, 0.95):,.0f} in the longest 5 %"
        )
        assert wrong <= risk + 3 * math.sqrt(risk * (1 - risk) / n_tests)


@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_wrong_verdicts_are_no_more_frequent_than_the_risks(scale: Scale) -> None:
    check_errors(scale, 1000, H1[scale.name], 250)


@pytest.mark.slow
@pytest.mark.parametrize("block", [100, 500])
@pytest.mark.parametrize("scale", SCALES, ids=lambda scale: scale.name)
def test_wrong_verdicts_are_no_more_frequent_than_the_risks_in_ten_thousand_tests(scale: Scale, block: int) -> None:
    check_errors(scale, 10_000, H1[scale.name] / 2 if block == 500 else H1[scale.name], block)
