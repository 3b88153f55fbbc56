import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from harness.play.codes import NOT_PLAYED
from harness.stats.codes import GAME_POINTS, CodeArray
from harness.stats.pools import connected_pool
from harness.stats.ranks import RankInterval, clearly_above, rank_intervals
from harness.stats.ratings import Ratings, game_point_ratings
from tests.helpers.deals import code, moments_of, random_block, round_robin, table_of


def rate(block: CodeArray, n_agents: int) -> Ratings:
    pairings = round_robin(n_agents)
    pool = connected_pool(table_of(n_agents, pairings, block))
    moments = moments_of(block, n_agents, pairings, pool.inside(pairings), GAME_POINTS)
    return game_point_ratings(table_of(n_agents, pairings, block), moments, pool)


def played(strengths: list[float], n_deals: int, seed: int = 1) -> Ratings:
    n = len(strengths)
    return rate(random_block(np.random.default_rng(seed), strengths, round_robin(n), n_deals), n)


def test_agents_far_apart_have_one_rank_each() -> None:
    assert rank_intervals(played([0.0, 2.0, 1.0], 400)) == (RankInterval(3, 3), RankInterval(1, 1), RankInterval(2, 2))


def test_agents_that_are_not_told_apart_share_their_ranks() -> None:
    assert rank_intervals(played([0.0, 2.0, 0.0, 0.0], 200)) == (
        RankInterval(2, 4),
        RankInterval(1, 1),
        RankInterval(2, 4),
        RankInterval(2, 4),
    )


@pytest.mark.parametrize("seed", range(5))
def test_who_is_above_is_what_holm_rejects_of_all_one_sided_hypotheses(seed: int) -> None:
    ratings = played([0.3, 0.2, 0.1, 0.0], 150, seed)
    pairs = [(i, j) for i in range(4) for j in range(4) if i != j]
    p_values = []
    for i, j in pairs:
        difference = ratings.difference(i, j)
        assert difference.value is not None
        assert difference.half_width is not None
        t = difference.value / (difference.half_width / stats.t.ppf(0.975, 149))
        p_values.append(stats.t.sf(t, 149))
    rejected = multipletests(p_values, alpha=0.05, method="holm")[0]
    above = clearly_above(ratings)
    assert [bool(above[i, j]) for i, j in pairs] == list(rejected)


def test_an_agent_without_a_rating_has_no_rank_but_a_reason() -> None:
    block = random_block(np.random.default_rng(1), [0.0, 2.0, 0.0], round_robin(3), 200)
    block[1:] = NOT_PLAYED
    intervals = rank_intervals(rate(block, 3))
    assert intervals[:2] == (RankInterval(2, 2), RankInterval(1, 1))
    assert intervals[2] == RankInterval(None, None, "played no hands")


def test_a_difference_without_spread_leaves_the_rank_open() -> None:
    block = np.full((1, 50), code(1, 1), dtype=np.uint8)
    assert rank_intervals(rate(block, 2)) == (RankInterval(1, 2), RankInterval(1, 2))


def test_all_true_ranks_lie_in_their_intervals_at_once_as_often_as_promised() -> None:
    # Equal agents are the hardest case: whoever is put above another is wrong.
    trials = 600
    held = sum(
        rank_intervals(played([0.0] * 4, 60, seed)) == (RankInterval(1, 4),) * 4 for seed in range(100, 100 + trials)
    )
    assert held / trials > 0.95 - 5 * math.sqrt(0.95 * 0.05 / trials)
    assert held < trials
