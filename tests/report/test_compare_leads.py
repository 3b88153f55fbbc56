"""Who leads under each rule set: the lead and its interval against plain sums deal by deal, and against OLS."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from harness.game.presets import preset
from harness.report.analysis import analyse
from harness.report.compare_analysis import ComparedRules
from harness.report.compare_summary import comparison_summary
from harness.report.compare_tables import comparison_text
from harness.report.compare_words import comparison_verdict
from harness.report.verdicts import run_verdict
from harness.stats.codes import GAME_POINTS, CodeArray
from tests.helpers.comparisons import compare_blocks
from tests.helpers.deals import hands_of, random_block, round_robin
from tests.helpers.runs import MadeUpRun, endings_of

NAMES = ("easy", "normal", "hard", "crazy")
PAIRINGS = round_robin(4)
SETS = ("sixtysix", "bicycle", "schnapsen")
STRENGTHS = ([0.0, 0.3, 0.5, 0.9], [0.0, 0.3, 0.9, 0.5], [0.0, 0.3, 0.6, 0.601])
"""By rule set: crazy leads, hard leads, and the two are as good as each other."""
N_DEALS = 400


def blocks() -> list[CodeArray]:
    return [random_block(np.random.default_rng(11), strengths, PAIRINGS, N_DEALS) for strengths in STRENGTHS]


def compared(names: tuple[str, ...] = SETS) -> ComparedRules:
    return compare_blocks(names, [preset(name).rules for name in SETS], NAMES, blocks())


def earned_by_deal(block: CodeArray, agent: int) -> np.ndarray:
    """What an agent earned of each deal over all its hands of it."""
    total = np.zeros(block.shape[1])
    for codes, (first, second) in zip(block, PAIRINGS, strict=True):
        if agent in (first, second):
            total += GAME_POINTS[:, codes].sum(axis=0) * (1 if agent == first else -1)
    return total


def test_a_lead_is_the_difference_of_what_two_agents_earn_deal_by_deal_over_the_number_of_agents() -> None:
    for block, lead in zip(blocks(), compared().leads, strict=True):
        first, second = NAMES.index(lead.first), NAMES.index(lead.second)
        # With every pairing played, least squares rates an agent by what it earns of a deal over two hands times four
        # agents, one of whom it is itself.
        apart = (earned_by_deal(block, first) - earned_by_deal(block, second)) / (2 * len(NAMES))
        reach = stats.t.ppf(0.975, N_DEALS - 1) * apart.std(ddof=1) / math.sqrt(N_DEALS)
        assert lead.gap.value == pytest.approx(apart.mean())
        assert lead.gap.low == pytest.approx(apart.mean() - reach)
        assert lead.gap.high == pytest.approx(apart.mean() + reach)
        assert lead.told_apart == (apart.mean() > reach)


def test_a_lead_has_the_error_of_least_squares_with_clusters_by_deal() -> None:
    for block, lead in zip(blocks(), compared().leads, strict=True):
        rows, points, deals = hands_of(block, len(NAMES), PAIRINGS)
        first, second = NAMES.index(lead.first), NAMES.index(lead.second)
        # Without the first agent's column the rest are ratings against it.
        fitted = sm.OLS(points, rows[:, 1:]).fit(cov_type="cluster", cov_kwds={"groups": deals}, use_t=True)
        weights = np.zeros(rows.shape[1])
        weights[first], weights[second] = 1.0, -1.0
        test = fitted.t_test(weights[1:])
        # statsmodels has a factor (N - 1) / (N - K) for N hands and K parameters that a plain mean has not.
        n_hands, n_parameters = rows.shape[0], rows.shape[1] - 1
        error = float(np.squeeze(test.sd)) / math.sqrt((n_hands - 1) / (n_hands - n_parameters))
        assert lead.gap.value == pytest.approx(float(np.squeeze(test.effect)))
        assert lead.gap.error == pytest.approx(error)


def test_a_lead_is_said_in_the_words_of_the_report_of_that_rule_set() -> None:
    _, *sentences = comparison_verdict(compared())
    for name, block, sentence in zip(SETS, blocks(), sentences, strict=True):
        run = MadeUpRun(list(NAMES), block, PAIRINGS, endings_of(block))
        assert sentence == f"Under {name}: {run_verdict(analyse(run))}"


def test_the_verdict_says_who_leads_where_and_where_it_is_not_told_apart() -> None:
    short, *_ = comparison_verdict(compared())
    leads = compared().leads
    assert [lead.first for lead in leads[:2]] == ["crazy", "hard"]
    assert [lead.told_apart for lead in leads] == [True, True, False]
    under = {"crazy": ["sixtysix"], "hard": ["bicycle"]}
    under[leads[2].first].append("schnapsen")
    said = "; ".join(f"{name} leads under {' and '.join(sets)}" for name, sets in under.items())
    assert short == f"{said}; the leader is told apart from the second everywhere but under schnapsen (95 %)."


def test_equal_agents_are_level_and_not_told_apart() -> None:
    block = np.full((3, 40), 24, np.uint8)  # nobody wins anything
    rules = [preset(name).rules for name in SETS[:2]]
    short, *rest = comparison_verdict(compare_blocks(SETS[:2], rules, NAMES[:3], [block, block]))
    assert short == (
        "easy and normal are level under both rule sets; the leader is told apart from the second nowhere (95 %)."
    )
    assert rest[0].startswith("Under sixtysix: easy and normal are level: +0.00 ± ? game points a hand (every deal")


def test_text_and_summary_have_the_leads_and_the_text_fits_80_columns() -> None:
    analysis = compared()
    text, summary = comparison_text(analysis), comparison_summary(analysis, {}, [{}, {}, {}])
    assert max(len(line) for line in text.splitlines()) <= 80
    assert " ".join(text.split()).startswith(" ".join(summary["verdict"]))
    assert "A lead is the difference of two ratings" in " ".join(text.split())
    for told, lead in zip(summary["leads"], analysis.leads, strict=True):
        assert told["rule_set"] == SETS[lead.rule_set]
        assert (told["first"], told["second"], told["told_apart"]) == (lead.first, lead.second, lead.told_apart)
        assert told["game_points_ahead"]["low"] == lead.gap.low


def test_hands_against_itself_count_for_ratings_as_in_the_report_of_a_run() -> None:
    texts = ("easy", "normal", "normal", "crazy")
    found = compare_blocks(SETS, [preset(name).rules for name in SETS], NAMES, blocks(), texts).leads
    assert [lead.gap for lead in found] == [lead.gap for lead in compared().leads]


def test_two_agents_have_a_verdict_of_their_pairing_and_no_leads() -> None:
    two = [block[:1] for block in blocks()]
    found = compare_blocks(SETS, [preset(name).rules for name in SETS], NAMES[:2], two)
    assert found.leads == ()
    assert comparison_verdict(found)[0].startswith("normal beats easy under all 3 rule sets: ")
