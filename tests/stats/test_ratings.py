import json
import math
from itertools import combinations
from pathlib import Path

import choix
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from harness.play.codes import NOT_PLAYED
from harness.stats.codes import GAME_POINTS, RESULTS, CodeArray
from harness.stats.estimate import NO_SPREAD, ONE_DEAL, Estimate
from harness.stats.pairs import pair_estimates
from harness.stats.pools import comparable_pool, connected_pool
from harness.stats.ratings import ELO, NO_SEAT_TERM, REFERENCE, Ratings, elo_ratings, game_point_ratings
from tests.helpers.deals import code, counts_of, hands_of, moments_of, random_block, round_robin, table_of

TABLE_T = json.loads((Path(__file__).parents[1] / "data" / "ratings.json").read_text())["table_T"]
T_PAIRINGS = list(combinations(range(4), 2))


def rate_elo(block: CodeArray, n_agents: int, pairings: list[tuple[int, int]], anchor: int | None = None) -> Ratings:
    table = table_of(n_agents, pairings, block)
    pool = comparable_pool(table, anchor)
    return elo_ratings(table, moments_of(block, n_agents, pairings, pool.inside(pairings), RESULTS), pool, anchor)


def rate_points(block: CodeArray, n_agents: int, pairings: list[tuple[int, int]], anchor: int | None = None) -> Ratings:
    table = table_of(n_agents, pairings, block)
    pool = connected_pool(table, anchor)
    return game_point_ratings(
        table, moments_of(block, n_agents, pairings, pool.inside(pairings), GAME_POINTS), pool, anchor
    )


def error(estimate: Estimate) -> float:
    """Standard error, taken back out of the Student interval."""
    assert estimate.half_width is not None
    return float(estimate.half_width / stats.t.ppf(0.975, estimate.n - 1))


def block_of_table_t() -> CodeArray:
    """200 games a pairing as 100 deals, with equal scores on both seats: 131 wins are 65 and a draw on each."""
    block = np.empty((6, 100), dtype=np.uint8)
    for row, (i, j) in enumerate(T_PAIRINGS):
        won = TABLE_T["wins"][f"{TABLE_T['players'][i]}-{TABLE_T['players'][j]}"][0]
        result = [1] * (won // 2) + [0] * (won % 2) + [-1] * ((200 - won) // 2)
        block[row] = [code(a, b) for a, b in zip(result, reversed(result), strict=True)]
    return block


def test_table_t_has_the_ratings_that_five_programs_agree_on() -> None:
    ratings = rate_elo(block_of_table_t(), 4, T_PAIRINGS)
    assert ratings.values == pytest.approx(TABLE_T["elo_centred"], abs=6e-5)
    assert ratings.seat.value == pytest.approx(0, abs=1e-9)


def test_table_t_against_an_anchor() -> None:
    ratings = rate_elo(block_of_table_t(), 4, T_PAIRINGS, anchor=3)
    values = [ratings.estimate(k).value for k in range(4)]
    assert values == pytest.approx(TABLE_T["elo_vs_random"], abs=6e-4)
    assert ratings.estimate(3).note == REFERENCE
    assert ratings.estimate(3).half_width is None


def test_table_t_has_its_errors_where_the_hands_of_a_deal_do_not_hang_together() -> None:
    # 400 times the games, every pairing on its own deals, both hands of a deal independent: then errors clustered by
    # deal are the binomial ones of the table over 20, but for a little more where the model does not fit.
    columns = []
    for row, (i, j) in enumerate(T_PAIRINGS):
        p = TABLE_T["wins"][f"{TABLE_T['players'][i]}-{TABLE_T['players'][j]}"][0] / 200
        for first, second in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            share = (p if first == 1 else 1 - p) * (p if second == 1 else 1 - p)
            assert share * 40_000 == pytest.approx(round(share * 40_000))
            part = np.full((6, round(share * 40_000)), NOT_PLAYED, dtype=np.uint8)
            part[row] = code(first, second)
            columns.append(part)
    ratings = rate_elo(np.hstack(columns), 4, T_PAIRINGS)
    assert ratings.values == pytest.approx(TABLE_T["elo_centred"], abs=6e-5)
    widths = [ratings.estimate(k).half_width for k in range(4)]
    assert np.array(widths) * 20 == pytest.approx(TABLE_T["half_width_95_vs_pool"], rel=0.025)
    for i, j in T_PAIRINGS:
        width = ratings.difference(i, j).half_width
        known = TABLE_T["half_width_95_of_differences"][f"{TABLE_T['players'][i]}-{TABLE_T['players'][j]}"]
        assert width is not None
        assert width * 20 == pytest.approx(known, rel=0.025)


PAIRINGS = round_robin(5)
RATED = ("complete", "unequal")


def random_table(kind: str) -> CodeArray:
    """Draws, a seat advantage, luck shared between pairings; "unequal": not every pairing plays every deal."""
    rng = np.random.default_rng(21)
    block = random_block(rng, [0.6, 0.3, 0.0, -0.2, -0.5], PAIRINGS, 60)
    if kind == "unequal":
        for row, stop in enumerate(rng.integers(10, 60, len(PAIRINGS))):
            block[row, stop:] = NOT_PLAYED
        block[2] = NOT_PLAYED
        block[5, 7] = NOT_PLAYED
    return block


@pytest.mark.parametrize("kind", RATED)
def test_elo_agrees_with_a_clustered_binomial_glm_of_statsmodels(kind: str) -> None:
    block = random_table(kind)
    rows, points, deals = hands_of(block, 5, PAIRINGS)
    design = np.delete(rows, 4, axis=1)
    glm = sm.GLM((np.sign(points) + 1) / 2, design, family=sm.families.Binomial())
    fit = glm.fit(tol=1e-14, cov_type="cluster", cov_kwds={"groups": deals})
    ratings = rate_elo(block, 5, PAIRINGS)
    for k in range(4):
        difference = ratings.difference(k, 4)
        assert difference.value == pytest.approx(ELO * fit.params[k], rel=1e-6)
        assert error(difference) == pytest.approx(ELO * fit.bse[k], rel=1e-6)
    contrast = np.array([1.0, 0.0, -1.0, 0.0, 0.0])
    expected = math.sqrt(contrast @ fit.cov_params() @ contrast)
    assert error(ratings.difference(0, 2)) == pytest.approx(ELO * expected, rel=1e-6)
    centred = np.array([0.8, -0.2, -0.2, -0.2, 0.0])
    assert ratings.estimate(0).value == pytest.approx(ELO * float(centred @ fit.params), rel=1e-6)
    expected = math.sqrt(centred @ fit.cov_params() @ centred)
    assert error(ratings.estimate(0)) == pytest.approx(ELO * expected, rel=1e-6)
    assert ratings.seat.value == pytest.approx(ELO * fit.params[4], rel=1e-6)
    assert error(ratings.seat) == pytest.approx(ELO * fit.bse[4], rel=1e-6)


@pytest.mark.parametrize("kind", RATED)
def test_game_points_agree_with_clustered_least_squares_of_statsmodels(kind: str) -> None:
    block = random_table(kind)
    rows, points, deals = hands_of(block, 5, PAIRINGS)
    fit = sm.OLS(points, np.delete(rows, 4, axis=1)).fit(cov_type="cluster", cov_kwds={"groups": deals}, use_t=True)
    ratings = rate_points(block, 5, PAIRINGS)
    ends = fit.conf_int()
    for k in range(4):
        difference = ratings.difference(k, 4)
        assert difference.value == pytest.approx(fit.params[k], rel=1e-6)
        assert (difference.low, difference.high) == pytest.approx(tuple(ends[k]), rel=1e-6)
    assert (ratings.seat.low, ratings.seat.high) == pytest.approx(tuple(ends[4]), rel=1e-6)


def test_without_draws_and_seats_elo_is_that_of_choix() -> None:
    rng = np.random.default_rng(4)
    block = np.empty((10, 50), dtype=np.uint8)
    wins = []
    for row, (i, j) in enumerate(PAIRINGS):
        first = rng.choice([-1, 1], size=50, p=[0.4, 0.6])
        # The second half repeats the results of the first on other deals: no seat advantage.
        block[row] = [code(a, b) for a, b in zip(first, rng.permutation(first), strict=True)]
        n = int((first == 1).sum())
        wins += [(i, j)] * (2 * n) + [(j, i)] * (2 * (50 - n))
    expected = choix.ilsr_pairwise(5, wins)
    assert rate_elo(block, 5, PAIRINGS).values == pytest.approx(ELO * (expected - expected.mean()), abs=1e-4)


def test_least_squares_of_two_agents_is_the_mean_of_the_pair() -> None:
    block = random_block(np.random.default_rng(9), [0.2, 0.0], [(0, 1)], 300)
    joint = rate_points(block, 2, [(0, 1)]).difference(0, 1)
    pair = pair_estimates(counts_of(block)[0]).game_points
    assert joint.value == pytest.approx(pair.value)
    # statsmodels' factor (N-1)/(N-k) with N = 600 hands and k = 2 is all that lies between them.
    assert joint.half_width == pytest.approx((pair.half_width or 0) * math.sqrt(599 / 598))


def test_a_perfect_winner_is_named_and_the_others_are_rated_without_it() -> None:
    rng = np.random.default_rng(2)
    block = random_block(rng, [0.0, 0.2, -0.1, 0.0], round_robin(4), 50)
    for row, (i, j) in enumerate(round_robin(4)):
        if 3 in (i, j):
            block[row] = code(-1, -2)
    ratings = rate_elo(block, 4, round_robin(4))
    assert ratings.estimate(3) == Estimate(None, None, None, 0, 0.95, "won every hand")
    assert ratings.difference(0, 3).value is None
    alone = rate_elo(block[:3], 3, round_robin(3))
    assert ratings.values[:3] == pytest.approx(alone.values)
    assert ratings.covariance[:3, :3] == pytest.approx(alone.covariance)
    # On game points a perfect winner is like anyone else.
    assert rate_points(block, 4, round_robin(4)).estimate(3).value is not None


def test_an_anchor_without_a_rating_leaves_the_ratings_centred() -> None:
    block = random_block(np.random.default_rng(2), [0.0, 0.2, -0.1], round_robin(3), 50)
    block[1:] = code(1, 1)
    ratings = rate_elo(block, 3, round_robin(3), anchor=2)
    assert ratings.anchor is None
    assert ratings.values[:2].sum() == pytest.approx(0)
    assert ratings.notes[2] == "lost every hand"


def test_no_deals_rate_nobody() -> None:
    block = np.zeros((3, 0), dtype=np.uint8)
    for ratings in (rate_elo(block, 3, round_robin(3)), rate_points(block, 3, round_robin(3))):
        assert not ratings.rated.any()
        assert ratings.estimate(0).note == "played no hands"
        assert ratings.seat.value is None


def test_one_deal_gives_no_interval() -> None:
    block = np.array([[code(1, -1)], [code(1, -2)], [code(-1, 3)]], dtype=np.uint8)
    for ratings in (rate_elo(block, 3, round_robin(3)), rate_points(block, 3, round_robin(3))):
        assert ratings.estimate(0).value is not None
        assert ratings.estimate(0).note == ONE_DEAL


def test_deals_without_spread_give_no_interval() -> None:
    block = np.repeat(np.array([[code(1, -1)], [code(2, -1)], [code(-1, 3)]], dtype=np.uint8), 70, axis=1)
    ratings = rate_points(block, 3, round_robin(3))
    assert [ratings.estimate(k).note for k in range(3)] == [NO_SPREAD] * 3
    assert ratings.seat.note == NO_SPREAD


def test_an_agent_that_only_the_others_vary_around_has_no_interval() -> None:
    block = random_block(np.random.default_rng(3), [0.0, 0.1, 0.0], round_robin(3), 100)
    block[1:] = code(-1, -2)
    ratings = rate_points(block, 3, round_robin(3))
    assert ratings.estimate(2).value == pytest.approx(1.0)
    assert ratings.estimate(2).note == NO_SPREAD
    assert ratings.estimate(0).half_width is not None


def test_where_one_seat_always_wins_the_seat_term_is_left_out_and_named() -> None:
    block = np.full((1, 30), code(1, -1), dtype=np.uint8)
    block[0, :10] = code(1, 0)
    ratings = rate_elo(block, 2, [(0, 1)])
    assert ratings.seat.value is None
    assert ratings.seat.note == NO_SEAT_TERM
    share = (20 * 1 + 10 * 1.5) / 60
    assert ratings.difference(0, 1).value == pytest.approx(-400 * math.log10(1 / share - 1))


def test_moments_of_other_deals_are_refused() -> None:
    block = random_block(np.random.default_rng(2), [0.0, 0.2, -0.1], round_robin(3), 50)
    table = table_of(3, round_robin(3), block)
    pool = comparable_pool(table)
    with pytest.raises(ValueError, match="disagree on how many"):
        elo_ratings(table, moments_of(block[:, :40], 3, round_robin(3), [True] * 3, RESULTS), pool)
    with pytest.raises(ValueError, match="not those of the pairings"):
        elo_ratings(table, moments_of(block, 3, round_robin(3), [True, True, False], RESULTS), pool)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_results_give_finite_ratings_or_a_reason(data: st.DataObject) -> None:
    n_agents = data.draw(st.integers(2, 5))
    pairings = round_robin(n_agents)
    n_deals = data.draw(st.integers(0, 4))
    byte = st.one_of(st.just(NOT_PLAYED), st.sampled_from([code(a, b) for a in (-1, 0, 1) for b in (-2, 0, 3)]))
    flat = data.draw(st.lists(byte, min_size=n_deals * len(pairings), max_size=n_deals * len(pairings)))
    block = np.array(flat, dtype=np.uint8).reshape(len(pairings), n_deals)
    for ratings in (rate_elo(block, n_agents, pairings), rate_points(block, n_agents, pairings)):
        for k in range(n_agents):
            assert bool(ratings.notes[k]) != bool(ratings.rated[k])
        if ratings.rated.any():
            assert ratings.rated.sum() >= 2
            assert ratings.values[ratings.rated].sum() == pytest.approx(0, abs=1e-6)
            # The maximum exists and is far from the border: thousands of Elo would be a made-up number.
            assert np.abs(ratings.values[ratings.rated]).max() < 4000


def test_joint_intervals_hold_the_truth_as_often_as_they_say() -> None:
    # Luck is shared by all pairings of a deal, and each hand still follows Bradley-Terry exactly: a copula.
    rng = np.random.default_rng(77)
    strengths, pairings, n_deals, trials = np.array([0.5, 0.1, -0.2, -0.4]), round_robin(4), 60, 400
    held = np.zeros(2)
    for _ in range(trials):
        luck = rng.standard_normal(n_deals)
        block = np.empty((6, n_deals), dtype=np.uint8)
        for row, (i, j) in enumerate(pairings):
            block[row] = 24
            for weight, sign in ((7, 1), (1, -1)):
                wins = 1 / (1 + np.exp(-(strengths[i] - strengths[j] + sign * 0.3)))
                latent = sign * 0.8 * luck + 0.6 * rng.standard_normal(n_deals)
                block[row] += (weight * np.where(stats.norm.cdf(latent) > 1 - wins, 1, -1)).astype(np.uint8)
        ratings = rate_elo(block, 4, pairings)
        held += [
            not ratings.difference(0, 3).excludes(ELO * 0.9),
            not ratings.seat.excludes(ELO * 0.3),
        ]
    # Five standard errors of the share around 95 %, and one point for 60 clusters being few.
    assert np.abs(held / trials - 0.95).max() < 5 * math.sqrt(0.95 * 0.05 / trials) + 0.01
