"""How often intervals hold the truth, over tournaments drawn from deals that the built-in bots have really played."""

import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from harness.agent_api.registry import load_agent
from harness.game.presets import load_rules
from harness.play.codes import NOT_PLAYED
from harness.play.pairing import PairingPlayer
from harness.stats.averages import average_a_hand, share_of_hands_won
from harness.stats.codes import GAME_POINTS, RESULTS, CodeArray, FloatArray, IntArray, PairingTable, half_totals
from harness.stats.equity import match_equity
from harness.stats.estimate import Estimate
from harness.stats.fit import Design, linear, logistic, maximise
from harness.stats.matches import pulls_of, share_of_matches_won
from harness.stats.moments import DealMoments
from harness.stats.pairs import pair_estimates
from harness.stats.pools import comparable_pool, connected_pool
from harness.stats.ratings import ELO, Ratings, elo_ratings, game_point_ratings
from tests.helpers.deals import counts_of, moments_of, round_robin, table_of

AGENTS = ("random", "easy", "normal", "easy:slip=0")
N_AGENTS = len(AGENTS)
PAIRINGS = round_robin(N_AGENTS)
EVERYONE = np.ones(len(PAIRINGS), dtype=np.bool_)
RULES = load_rules("sixtysix")


@dataclass(frozen=True)
class Tournament:
    """How many deals are played, and how many of them by the agent that came last; `seed` draws them."""

    n_deals: int
    n_late: int
    seed: int = 0


@cache
def population(n_deals: int = 30_000) -> CodeArray:
    """Common deals of all pairings, the packs and the luck that they share included."""
    agents = [load_agent(name) for name in AGENTS]
    return np.array(
        [PairingPlayer(RULES, agents[i], agents[j], 5, n).play(0, n_deals).codes for n, (i, j) in enumerate(PAIRINGS)]
    )


def draw(tournament: Tournament, number: int) -> CodeArray:
    """Draw the deals of one tournament with replacement."""
    rng = np.random.default_rng((tournament.seed, number))
    block = population()[:, rng.integers(0, population().shape[1], tournament.n_deals)]
    block[[N_AGENTS - 1 in pair for pair in PAIRINGS], tournament.n_late :] = NOT_PLAYED
    return block


def estimates(block: CodeArray) -> Iterator[tuple[str, Estimate]]:
    """Every number with an interval that a report has of a tournament, under a name."""
    table = table_of(N_AGENTS, PAIRINGS, block)
    equities = [match_equity(counts, RULES) for counts in table.counts]
    for (i, j), counts, equity in zip(PAIRINGS, table.counts, equities, strict=True):
        pair = pair_estimates(counts)
        yield f"game points {i}-{j}", pair.game_points
        yield f"hands won {i}-{j}", pair.hands_won
        yield f"Elo {i}-{j}", pair.elo
        yield f"seat game points {i}-{j}", pair.seat_game_points
        yield f"seat hands won {i}-{j}", pair.seat_hands_won
        yield f"matches won {i}-{j}", equity.matches_won
        yield f"match Elo {i}-{j}", equity.elo
    results = moments_of(block, N_AGENTS, PAIRINGS, EVERYONE, RESULTS)
    points = moments_of(block, N_AGENTS, PAIRINGS, EVERYONE, GAME_POINTS)
    pulls = moments_of(block, N_AGENTS, PAIRINGS, EVERYONE, pulls_of(equities))
    for k in range(N_AGENTS):
        yield f"average game points {k}", average_a_hand(points, k)
        yield f"average hands won {k}", share_of_hands_won(results, k)
        yield f"average matches won {k}", share_of_matches_won(equities, pulls, k)
    yield from _joint(table, block, results, points)


def _joint(
    table: PairingTable, block: CodeArray, results: DealMoments, points: DealMoments
) -> Iterator[tuple[str, Estimate]]:
    comparable = comparable_pool(table)
    inside = comparable.inside(PAIRINGS)
    used = results if inside.all() else moments_of(block, N_AGENTS, PAIRINGS, inside, RESULTS)
    for anchor in (None, 0):
        by_elo = elo_ratings(table, used, comparable, anchor)
        by_points = game_point_ratings(table, points, connected_pool(table), anchor)
        yield from _ratings("joint Elo", by_elo)
        yield from _ratings("joint game points", by_points)


def _ratings(scale: str, ratings: Ratings) -> Iterator[tuple[str, Estimate]]:
    if ratings.anchor is not None:
        for k in range(1, N_AGENTS):
            yield f"{scale} {k} against the anchor", ratings.estimate(k)
        return
    for k in range(N_AGENTS):
        yield f"{scale} {k}", ratings.estimate(k)
        for m in range(1, k):
            yield f"{scale} {k} over {m}", ratings.difference(k, m)
    yield f"{scale} seat", ratings.seat


def truth(tournament: Tournament) -> dict[str, float]:
    """What each number comes to with all deals of the population, pairings weighing as in the tournament."""
    block = population()
    weight = [tournament.n_late if N_AGENTS - 1 in pair else tournament.n_deals for pair in PAIRINGS]
    counts = counts_of(block)
    true = {name: e.value for name, e in estimates(block) if e.value is not None}
    shares = np.array(weight, dtype=np.float64)
    for k in range(N_AGENTS):
        sign = np.array([(k == i) - (k == j) for i, j in PAIRINGS])
        mine = shares * np.abs(sign)
        for name, scale, map_ in (("game points", GAME_POINTS, 1.0), ("hands won", RESULTS, 0.5)):
            mean = (counts @ scale.mean(axis=0)) / counts.sum(axis=1) * sign @ mine / mine.sum()
            true[f"average {name} {k}"] = map_ * mean + (0.5 if name == "hands won" else 0.0)
        matches = np.array([true[f"matches won {i}-{j}"] for i, j in PAIRINGS])
        true[f"average matches won {k}"] = np.where(sign < 0, 1 - matches, matches) @ mine / mine.sum()
    weighted = PairingTable(N_AGENTS, PAIRINGS, counts * np.array(weight)[:, np.newaxis])
    design = Design(weighted, EVERYONE, np.ones(N_AGENTS, dtype=np.bool_), with_seat=True)
    won: FloatArray = half_totals(design.counts, RESULTS) / 2
    points: FloatArray = half_totals(design.counts, GAME_POINTS).astype(np.float64)
    true |= _true_ratings("joint Elo", ELO * maximise(design, won, logistic).strengths)
    return true | _true_ratings("joint game points", maximise(design, points, linear).strengths)


def _true_ratings(scale: str, strengths: FloatArray) -> dict[str, float]:
    values = strengths[:-1] - strengths[:-1].mean()
    return (
        {f"{scale} {k}": values[k] for k in range(N_AGENTS)}
        | {f"{scale} {k} against the anchor": values[k] - values[0] for k in range(N_AGENTS)}
        | {f"{scale} {k} over {m}": values[k] - values[m] for k in range(N_AGENTS) for m in range(k)}
        | {f"{scale} seat": strengths[-1]}
    )


def coverages(tournament: Tournament, n_tournaments: int, n_processes: int = 1) -> dict[str, float]:
    """Share of the intervals that hold the truth, by number; an open end counts as an end at infinity."""
    true = truth(tournament)
    count = partial(_count, tournament, true)
    parts = np.array_split(np.arange(n_tournaments), 8 * n_processes)
    if n_processes == 1:
        counted = [count(part) for part in parts]
    else:
        # Forked, so that the population is played once.
        with multiprocessing.get_context("fork").Pool(n_processes) as pool:
            counted = pool.map(count, parts)
    held, known = np.sum(counted, axis=0)
    return {name: h / k for name, h, k in zip(true, held, known, strict=True) if k}


def _count(tournament: Tournament, true: dict[str, float], numbers: IntArray) -> FloatArray:
    """How many intervals held the truth, and how many there were, by number."""
    counted = np.zeros((2, len(true)))
    places = {name: place for place, name in enumerate(true)}
    for number in numbers:
        for name, estimate in estimates(draw(tournament, int(number))):
            if estimate.low is not None or estimate.high is not None:
                counted[:, places[name]] += (not estimate.excludes(true[name]), 1)
    return counted
