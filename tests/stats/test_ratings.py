import json
import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from harness.play.codes import NOT_PLAYED
from harness.stats.codes import GAME_POINTS, RESULTS, CodeArray, FloatArray
from harness.stats.estimate import NO_SPREAD, ONE_DEAL, Estimate
from harness.stats.pairs import pair_estimates
from harness.stats.pools import comparable_pool, connected_pool
from harness.stats.ratings import ELO, NO_SEAT_TERM, REFERENCE, Ratings, elo_ratings, game_point_ratings
from tests.helpers.deals import code, counts_of, moments_of, random_block, round_robin, table_of
from tests.helpers.oracles import (
    OracleFit,
    against_the_mean,
    bell_mccaffrey,
    contrasts,
    fit_game_points,
    fit_hands_won,
    seat_alone,
)

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


FITS: list[tuple[Callable[..., Ratings], Callable[..., OracleFit], float]] = [
    (rate_elo, fit_hands_won, ELO),
    (rate_points, fit_game_points, 1.0),
]


def all_estimates(ratings: Ratings) -> list[tuple[Estimate, FloatArray]]:
    """Every number of ratings, with its weights of an oracle's parameters."""
    n = len(ratings.values)
    return [
        (ratings.seat, seat_alone(n)),
        *((ratings.estimate(k), against_the_mean(n, k)) for k in range(n)),
        *((ratings.difference(i, j), weights) for i, j, weights in contrasts(n)),
    ]


@pytest.mark.parametrize(("rate", "fit", "unit"), FITS)
def test_ratings_agree_with_clustered_fits_of_statsmodels(
    rate: Callable[..., Ratings], fit: Callable[..., OracleFit], unit: float
) -> None:
    block = random_table("complete")
    theirs = fit(block, 5, PAIRINGS)
    for estimate, weights in all_estimates(rate(block, 5, PAIRINGS)):
        assert estimate.value == pytest.approx(unit * theirs.value(weights), rel=1e-6)
        # All that lies between them is statsmodels' second factor for small samples.
        expected = unit * math.sqrt(theirs.variance(weights) / theirs.factor_few_hands)
        assert estimate.error == pytest.approx(expected, rel=1e-6)
        assert estimate.degrees_of_freedom == pytest.approx(59)
        assert error(estimate) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(("rate", "fit", "unit"), FITS)
def test_where_pairings_played_other_deals_the_plain_sandwich_is_that_of_statsmodels(
    rate: Callable[..., Ratings], fit: Callable[..., OracleFit], unit: float
) -> None:
    block = random_table("unequal")
    theirs, ratings = fit(block, 5, PAIRINGS, corrected=False), rate(block, 5, PAIRINGS)
    errors = ratings.errors
    plain = errors.inverse @ sum(pattern.meat for pattern in errors.patterns) @ errors.inverse
    for i, j, weights in contrasts(5):
        assert ratings.difference(i, j).value == pytest.approx(unit * theirs.value(weights), rel=1e-6)
        ours = plain[i, i] + plain[j, j] - 2 * plain[i, j]
        assert ours == pytest.approx(theirs.variance(weights), rel=1e-6)
    assert plain[-1, -1] == pytest.approx(theirs.variance(seat_alone(5)), rel=1e-6)


@pytest.mark.parametrize(("rate", "fit", "unit"), FITS)
@pytest.mark.parametrize("n_deals", [4, 12, 60])
def test_few_and_unequal_deals_have_the_corrected_errors_of_bell_and_mccaffrey(
    rate: Callable[..., Ratings], fit: Callable[..., OracleFit], unit: float, n_deals: int
) -> None:
    block = random_table("unequal" if n_deals == 60 else "complete")[:, :n_deals]
    block[3, : n_deals // 2] = NOT_PLAYED
    block[7, n_deals // 4 : -1] = NOT_PLAYED
    theirs = fit(block, 5, PAIRINGS)
    for estimate, weights in all_estimates(rate(block, 5, PAIRINGS)):
        variance, degrees_of_freedom = bell_mccaffrey(theirs, weights)
        assert estimate.error == pytest.approx(unit * math.sqrt(variance), rel=1e-6)
        assert estimate.degrees_of_freedom == pytest.approx(degrees_of_freedom, rel=1e-6)


def test_an_agent_that_has_played_one_deal_has_no_interval() -> None:
    block = random_block(np.random.default_rng(5), [0.0, 0.1, 0.0], round_robin(3), 100)
    block[1:, 1:] = NOT_PLAYED
    block[2] = NOT_PLAYED
    ratings = rate_points(block, 3, round_robin(3))
    assert ratings.difference(0, 2).value is not None
    assert ratings.difference(0, 2).note == ONE_DEAL
    assert ratings.difference(0, 1).half_width is not None


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
    assert joint.half_width == pytest.approx(pair.half_width)


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


@pytest.mark.parametrize("seed", range(5))
def test_two_agents_that_earn_the_same_in_every_deal_are_rated_alike_to_the_last_digit(seed: int) -> None:
    block = random_block(np.random.default_rng(seed), [0.5, 0.5, 0.0], round_robin(3), 1000)
    leading = block[0] // 7
    block[0] = 7 * leading + 6 - leading  # what the first agent wins in one half of a deal it loses in the other
    block[2] = block[1]
    ratings = rate_points(block, 3, round_robin(3))
    assert ratings.values[0] == ratings.values[1] != 0
    assert ratings.difference(0, 1).value == 0


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
