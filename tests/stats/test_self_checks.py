import math

import numpy as np
import pytest
from scipy import stats

from harness.stats.codes import GAME_POINTS, IntArray
from harness.stats.self_checks import (
    ALARM,
    BOOKS_ADVICE,
    MIRROR_ADVICE,
    WORKERS_ADVICE,
    books_check,
    homogeneity,
    mirror_check,
    workers_check,
)
from tests.helpers.deals import code, counts_of, random_block, round_robin
from tests.helpers.runs import endings_of


def mirror_counts(advantage: float, n_deals: int = 2000, seed: int = 1) -> IntArray:
    counts: IntArray = counts_of(random_block(np.random.default_rng(seed), [advantage, 0.0], [(0, 1)], n_deals))[0]
    return counts


def test_an_agent_against_itself_is_null() -> None:
    check = mirror_check(mirror_counts(0.0), "normal")
    assert check.verdict.passed
    assert check.verdict.advice == ""
    assert check.verdict.name == "normal against itself"
    assert not check.game_points.excludes(0)
    assert not check.hands_won.excludes(0.5)


def test_the_numbers_of_a_mirror_match_are_those_of_a_t_test() -> None:
    counts = mirror_counts(0.05, 400)
    check = mirror_check(counts, "normal")
    deals = np.repeat(GAME_POINTS.mean(axis=0), counts)
    won = np.repeat(np.sign(GAME_POINTS).mean(axis=0), counts)
    tests = [stats.ttest_1samp(values, 0) for values in (deals, won)]
    assert check.z == pytest.approx(tests[0].statistic)
    assert check.verdict.p == pytest.approx(min(1, 2 * min(test.pvalue for test in tests)))


def test_an_advantage_of_one_side_over_itself_is_found() -> None:
    check = mirror_check(mirror_counts(0.2), "normal")
    assert not check.verdict.passed
    assert check.verdict.p is not None
    assert check.verdict.p < ALARM
    assert check.verdict.advice == MIRROR_ADVICE
    assert "over 2,000 deals" in check.verdict.found


def test_a_mirror_match_without_luck_is_null_and_one_that_is_always_won_is_not() -> None:
    counts = np.zeros(49, dtype=np.int64)
    assert mirror_check(counts, "easy").verdict.passed
    counts[[code(2, -2), code(-1, 1)]] = 50
    assert mirror_check(counts, "easy").verdict.passed
    always = np.zeros(49, dtype=np.int64)
    always[code(1, 0)] = 2
    assert not mirror_check(always, "easy").verdict.passed


def test_the_alarm_of_mirror_matches_does_not_cry_wolf() -> None:
    p = np.sort([mirror_check(mirror_counts(0.0, 300, seed), "a").verdict.p for seed in range(400)])
    # Bonferroni over two tests that hang together: at most uniform. Five standard errors.
    for level in (0.01, 0.05, 0.3):
        assert (p < level).mean() < level + 5 * math.sqrt(level * (1 - level) / 400)
    assert p[0] > ALARM


def workers(rng: np.random.Generator, sizes: list[int], n_pairings: int = 3) -> IntArray:
    agents = round_robin(3)[:n_pairings]
    return np.stack([counts_of(random_block(rng, [0.3, 0.0, -0.2], agents, size)) for size in sizes])


def test_workers_that_play_alike_pass() -> None:
    verdict = workers_check(workers(np.random.default_rng(2), [3000, 2500, 1000, 700]))
    assert verdict.passed
    assert verdict.p is not None
    assert "worst of 3 pairings" in verdict.found


def test_a_worker_that_plays_otherwise_is_found() -> None:
    rng = np.random.default_rng(2)
    counts = workers(rng, [3000, 3000, 3000])
    counts[2, 1] = counts_of(random_block(rng, [-0.3, 0.0], [(0, 1)], 3000))[0]
    verdict = workers_check(counts)
    assert not verdict.passed
    assert verdict.advice == WORKERS_ADVICE


def test_the_chi_square_of_workers_is_that_of_scipy() -> None:
    for seed in range(20):
        counts = workers(np.random.default_rng(seed), [2000, 1500, 400, 6], 1)[:, 0]
        test = homogeneity(counts)
        assert test is not None
        # The worker with six deals is left out, small cells are pooled, and no deal is lost.
        assert test.table.sum(axis=1).tolist() == [2000, 1500, 400]
        theirs = stats.chi2_contingency(test.table, correction=False)
        assert theirs.expected_freq.min() >= 5
        assert test.statistic == pytest.approx(theirs.statistic)
        assert test.degrees_of_freedom == theirs.dof
        assert test.p == pytest.approx(theirs.pvalue)


def test_p_values_of_workers_are_uniform_where_they_play_alike() -> None:
    rng = np.random.default_rng(12)
    p = counts_of(random_block(rng, [0.3, 0.0], [(0, 1)], 20_000))[0] / 20_000
    tests = [homogeneity(np.stack([rng.multinomial(n, p) for n in (900, 400, 150)])) for _ in range(800)]
    values = [test.p for test in tests if test is not None]
    assert len(values) == 800
    assert stats.kstest(values, "uniform").pvalue > 1e-5


def test_too_few_deals_to_compare_workers_are_no_alarm() -> None:
    for counts in (
        np.zeros((2, 3, 49), np.int64),
        workers(np.random.default_rng(1), [4000]),
        np.ones((1, 0, 49), np.int64),
    ):
        verdict = workers_check(counts)
        assert verdict.passed
        assert verdict.p is None


def books() -> tuple[IntArray, IntArray, IntArray, list[str]]:
    block = random_block(np.random.default_rng(9), [0.2, 0.0, 0.0], round_robin(3), 200)
    return counts_of(block), endings_of(block), np.zeros((3, 2), np.int64), ["a - b", "a - c", "b - c"]


def test_books_that_agree_pass() -> None:
    verdict = books_check(*books())
    assert verdict.passed
    assert verdict.found == "1,200 hands, each in all three books"


def test_a_forfeit_is_in_the_codes_and_the_faults_only() -> None:
    counts, endings, forfeits, names = books()
    # A hand that side 1 lost by 3 in half 0 was really forfeited by it, and ended by none of the endings.
    how = int(np.flatnonzero(endings[1, 0, 0, :, 3])[0])
    endings[1, 0, 0, how, 3] -= 1
    assert not books_check(counts, endings, forfeits, names).passed
    forfeits[1, 1] = 1
    assert books_check(counts, endings, forfeits, names).passed
    forfeits[1] = (1, 0)
    assert books_check(counts, endings, forfeits, names).found == "they disagree for a - c"


def test_books_that_disagree_name_the_pairing() -> None:
    counts, endings, forfeits, names = books()
    counts[2, code(1, 1)] += 1
    verdict = books_check(counts, endings, forfeits, names)
    assert (verdict.passed, verdict.found, verdict.advice) == (False, "they disagree for b - c", BOOKS_ADVICE)


def test_a_hand_in_the_wrong_half_is_seen() -> None:
    counts, endings, forfeits, names = books()
    how, points = (int(index[0]) for index in np.nonzero(endings[0, 0, 0]))
    endings[0, 0, 0, how, points] -= 1
    endings[0, 1, 0, how, points] += 1
    assert not books_check(counts, endings, forfeits, names).passed


def test_books_of_other_shapes_are_refused() -> None:
    counts, endings, forfeits, names = books()
    with pytest.raises(ValueError, match="for 3 pairings"):
        books_check(counts, endings[:2], forfeits, names)
    with pytest.raises(ValueError, match="expected \\(n_workers"):
        workers_check(counts)
