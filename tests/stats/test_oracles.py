"""The ratings of real runs, and of published tables, against other people's programs."""

import json
import math
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path

import choix
import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer
from harness.stats.codes import GAME_POINTS, RESULTS, CodeArray, IntArray, PairingTable, half_totals
from harness.stats.fit import Design, logistic, maximise
from harness.stats.pools import comparable_pool, connected_pool
from harness.stats.ratings import ELO, Ratings, elo_ratings, game_point_ratings
from tests.helpers.deals import moments_of, round_robin, table_of
from tests.helpers.oracles import OracleFit, against_the_mean, contrasts, fit_game_points, fit_hands_won, seat_alone

AGENTS = ("random", "easy", "normal", "example")
PAIRINGS = round_robin(len(AGENTS))
MANY_DRAWN = "american last_trick.bonus=0"
"""Hands in which nobody declares are nobody's, and without the last ten more of them come to that."""
TABLE_T = json.loads((Path(__file__).parents[1] / "data" / "ratings.json").read_text())["table_T"]


@cache
def real_run(preset: str) -> CodeArray:
    """A round robin of the built-in bots on 150 common deals."""
    agents = [load_agent(name) for name in AGENTS]
    rules = load_rules(preset)
    return np.array(
        [PairingPlayer(rules, agents[i], agents[j], 17, n).play(0, 150).codes for n, (i, j) in enumerate(PAIRINGS)]
    )


def rate_elo(block: CodeArray) -> Ratings:
    table = table_of(4, PAIRINGS, block)
    return elo_ratings(table, moments_of(block, 4, PAIRINGS, [True] * 6, RESULTS), comparable_pool(table))


def rate_points(block: CodeArray) -> Ratings:
    table = table_of(4, PAIRINGS, block)
    return game_point_ratings(table, moments_of(block, 4, PAIRINGS, [True] * 6, GAME_POINTS), connected_pool(table))


@pytest.mark.parametrize("preset", ["sixtysix", MANY_DRAWN])
@pytest.mark.parametrize(("rate", "fit", "unit"), [(rate_elo, fit_hands_won, ELO), (rate_points, fit_game_points, 1.0)])
def test_real_runs_have_the_ratings_and_errors_of_statsmodels(
    preset: str, rate: Callable[[CodeArray], Ratings], fit: Callable[..., OracleFit], unit: float
) -> None:
    block = real_run(preset)
    ratings, theirs = rate(block), fit(block, 4, PAIRINGS)
    numbers = [
        (ratings.seat, seat_alone(4)),
        *((ratings.estimate(k), against_the_mean(4, k)) for k in range(4)),
        *((ratings.difference(i, j), weights) for i, j, weights in contrasts(4)),
    ]
    for estimate, weights in numbers:
        assert estimate.value == pytest.approx(unit * theirs.value(weights), rel=1e-6, abs=1e-6)
        # The project leaves out (N-1) / (N-k), N hands and k parameters: a deal is its unit, not a hand.
        expected = unit * math.sqrt(theirs.variance(weights) / theirs.factor_few_hands)
        assert estimate.error == pytest.approx(expected, rel=1e-6)
        assert estimate.degrees_of_freedom == pytest.approx(149)


def test_the_second_rule_set_has_hands_that_nobody_won() -> None:
    assert (GAME_POINTS[:, real_run(MANY_DRAWN)] == 0).mean() > 0.02


def test_without_draws_and_seats_real_wins_have_the_ratings_of_choix() -> None:
    """Take the decided hands of a real run, each once on either seat."""
    points = GAME_POINTS[:, real_run("sixtysix")]
    counts, wins = np.zeros((6, 49), dtype=np.int64), []
    for row, (i, j) in enumerate(PAIRINGS):
        n_won, n_lost = int((points[:, row] > 0).sum()), int((points[:, row] < 0).sum())
        # Won twice and lost twice, by a point.
        counts[row, [4 * 7 + 4, 2 * 7 + 2]] = n_won, n_lost
        wins += [(i, j)] * n_won + [(j, i)] * n_lost
    expected = choix.ilsr_pairwise(4, wins, alpha=0)
    assert fitted(PairingTable(4, PAIRINGS, counts))[0] == pytest.approx(ELO * (expected - expected.mean()), abs=1e-3)


def fitted(table: PairingTable) -> tuple[list[float], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Elo against the mean, and the covariance that independent hands would have."""
    everyone = np.ones(4, dtype=np.bool_)
    design = Design(table, np.ones(len(table.pairings), dtype=np.bool_), everyone, with_seat=False)
    fit = maximise(design, half_totals(design.counts, RESULTS) / 2, logistic)
    return list(ELO * fit.strengths[:4]), ELO**2 * fit.inverse


def table_t() -> PairingTable:
    """200 games a pairing as 100 deals; an odd win makes a deal that both win once."""
    pairings = list(combinations(range(4), 2))
    counts: IntArray = np.zeros((6, 49), dtype=np.int64)
    for row, (i, j) in enumerate(pairings):
        won, lost = TABLE_T["wins"][f"{TABLE_T['players'][i]}-{TABLE_T['players'][j]}"]
        counts[row, 4 * 7 + 4], counts[row, 2 * 7 + 2], counts[row, 4 * 7 + 2] = won // 2, lost // 2, won % 2
    return PairingTable(4, pairings, counts)


def test_the_fit_of_table_t_has_its_ratings_and_half_widths_to_every_digit() -> None:
    values, covariance = fitted(table_t())
    assert values == pytest.approx(TABLE_T["elo_centred"], abs=6e-5)
    reach = 1.96
    assert reach * np.sqrt(np.diag(covariance)) == pytest.approx(TABLE_T["half_width_95_vs_pool"], abs=6e-4)
    for i, j in combinations(range(4), 2):
        variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
        known = TABLE_T["half_width_95_of_differences"][f"{TABLE_T['players'][i]}-{TABLE_T['players'][j]}"]
        assert reach * math.sqrt(variance) == pytest.approx(known, abs=6e-3)
