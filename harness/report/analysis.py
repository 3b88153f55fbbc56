"""Everything a report says about a run, computed once: summary, tables and figures only put it into form."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from harness.game.rules import Rules
from harness.report.checks import self_checks
from harness.report.faults import FaultLine, fault_lines
from harness.report.results import RunResults
from harness.report.units import Unit, unit_of
from harness.stats.averages import average_a_hand, share_of_hands_won
from harness.stats.codes import GAME_POINTS, RESULTS, BoolArray, FloatArray, IntArray, PairingTable
from harness.stats.endings import EndingShares, PooledEndings, ending_shares, pooled_endings
from harness.stats.equity import MatchEquity, match_equity
from harness.stats.estimate import LEVEL, Estimate
from harness.stats.matches import pulls_of, share_of_matches_won
from harness.stats.moments import DealMoments
from harness.stats.pairs import PairEstimates, pair_estimates
from harness.stats.pools import comparable_pool, connected_pool
from harness.stats.ranks import RankInterval, rank_intervals
from harness.stats.ratings import Ratings, elo_ratings, game_point_ratings
from harness.stats.self_checks import Verdict


@dataclass(frozen=True)
class AgentLine:
    """One agent: its place in the ranking by game points, its ratings, and its plain averages over all its hands.

    ``number`` is its place in the run's list of agents; ``rank`` counts from 1, and ``ranks`` is its interval.
    ``matches_won`` is the mean over its opponents by deals, computed from hands.
    """

    number: int
    rank: int
    ranks: RankInterval
    name: str
    n_hands: int
    elo: Estimate
    game_points_rating: Estimate
    game_points: Estimate
    hands_won: Estimate
    matches_won: Estimate


@dataclass(frozen=True)
class PairingLine:
    """One pairing, seen from its first agent.

    ``equity`` is about matches to the target of the rules, computed from the hands if not played. ``n_forfeits`` hands
    ended by a fault and by none of the endings; ``faults`` counts them by side and kind.
    """

    first: int
    second: int
    counts: IntArray
    estimates: PairEstimates
    equity: MatchEquity
    endings: EndingShares
    n_forfeits: int
    faults: IntArray
    unit: Unit

    def seen_from(self, agent: int, level: float | None = None) -> PairEstimates:
        """Give the estimates as the first or the second agent sees them, with intervals of any confidence level."""
        own = self.estimates.game_points.level
        if agent == self.first and level in (None, own):
            return self.estimates
        # Both results change their sign, and the half in which the other agent leads comes first: (r1, r2) becomes
        # (-r2, -r1).
        counts = self.counts if agent == self.first else self.counts.reshape(7, 7).T[::-1, ::-1].ravel()
        return _pair_estimates(counts, own if level is None else level, self.unit)

    def matches_seen_from(self, agent: int) -> MatchEquity:
        """Give the share of matches and the match Elo as the first or the second agent sees them."""
        if agent == self.first:
            return self.equity
        return _played_matches(self.seen_from(agent)) if self.unit.is_match else self.equity.turned()


@dataclass(frozen=True)
class Analysis:
    """A run in numbers; ``agents`` stand in the order of their ranks, ``pairings`` in that of the run.

    ``faults`` has a line for each agent and kind of fault that came. ``n_deals`` is the number of different packs, each
    of which a pairing plays twice. Matches go to ``target`` game points. ``checks`` are those of the harness itself.
    Where the ``unit`` is a match, all that is said of hands is of matches, and their game points are 1 or -1. A run
    that is not ``complete`` goes on to ``most_hands``, or fewer if it ``ends_itself``, by the command ``resume``.
    """

    agents: tuple[AgentLine, ...]
    pairings: tuple[PairingLine, ...]
    elo: Ratings
    game_points: Ratings
    endings: PooledEndings
    faults: tuple[FaultLine, ...]
    anchor: str | None
    n_deals: int
    target: int
    checks: tuple[Verdict, ...]
    level: float
    complete: bool
    most_hands: int
    ends_itself: bool
    resume: str
    changed_agents: tuple[str, ...]
    unit: Unit

    @property
    def n_hands(self) -> int:
        """All hands of all pairings."""
        return sum(2 * pairing.estimates.n_deals for pairing in self.pairings)

    @property
    def played(self) -> str:
        """What each pairing has played, in words: ``1,000 deals``, or from to where not all have played as many."""
        n_deals = sorted(pairing.estimates.n_deals for pairing in self.pairings)
        least, most = (n_deals[0], n_deals[-1]) if n_deals else (0, 0)
        return f"{'' if least == most else f'{least:,} to '}{self.unit.count_pairs(most)}"

    def agent(self, number: int) -> AgentLine:
        """Line of an agent by its place in the run's list."""
        return next(agent for agent in self.agents if agent.number == number)

    def name(self, number: int) -> str:
        """Name of an agent by its place in the run's list."""
        return self.agent(number).name


def analyse(run: RunResults, level: float = LEVEL) -> Analysis:
    """Compute all statistics of a run; reads its deals once.

    Parameters
    ----------
    run
        The run.
    level
        Confidence level of all intervals.

    """
    anchor = None if run.anchor is None else list(run.agents).index(run.anchor)
    table = PairingTable(len(run.agents), run.pairings, run.counts)
    rules, unit = Rules.from_fields(run.config["rules"]), unit_of(run.config)
    pairings = _pairing_lines(run, rules, level)
    equities = [pairing.equity for pairing in pairings]
    everyone = np.ones(len(run.pairings), dtype=np.bool_)
    comparable, connected = comparable_pool(table, anchor), connected_pool(table, anchor)
    wanted: list[tuple[BoolArray, IntArray | FloatArray]] = [
        (everyone, RESULTS),
        (everyone, GAME_POINTS),
        (comparable.inside(run.pairings), RESULTS),
        (connected.inside(run.pairings), GAME_POINTS),
        (everyone, pulls_of(equities)),
    ]
    results, points, pool_results, pool_points, pulls = _read_moments(run, wanted)
    elo = _worded(elo_ratings(table, pool_results, comparable, anchor, level), unit)
    game_points = _worded(game_point_ratings(table, pool_points, connected, anchor, level), unit)
    return Analysis(
        agents=_agent_lines(run, _Averages(results, points, pulls, equities), elo, game_points),
        pairings=pairings,
        elo=elo,
        game_points=game_points,
        endings=pooled_endings(run.endings, level),
        faults=fault_lines(run),
        anchor=run.anchor,
        n_deals=sum(sums.n_deals for _, sums in points.patterns()),
        target=rules.match.target,
        checks=self_checks(run),
        level=level,
        complete=run.complete,
        most_hands=2 * run.config["deals"] * len(run.pairings),
        ends_itself=run.config.get("stop") is not None,
        resume=shlex.join(["sixtysix", "resume", str(run.folder)]),
        changed_agents=tuple(run.changed_agents),
        unit=unit,
    )


def _worded(ratings: Ratings, unit: Unit) -> Ratings:
    return replace(ratings, notes=tuple(map(unit.reason, ratings.notes)), seat=unit.reworded(ratings.seat))


def _pair_estimates(counts: IntArray, level: float, unit: Unit) -> PairEstimates:
    plain = pair_estimates(counts, level)
    worded: dict[str, Any] = {
        name: unit.reworded(value) for name, value in vars(plain).items() if isinstance(value, Estimate)
    }
    return replace(plain, **worded)


def _played_matches(estimates: PairEstimates) -> MatchEquity:
    """Say of matches that were played what is computed of others, whose hands alone were."""
    return MatchEquity(estimates.n_deals, estimates.hands_won, estimates.elo, None)


def _read_moments(run: RunResults, wanted: Sequence[tuple[BoolArray, IntArray | FloatArray]]) -> list[DealMoments]:
    """Make the wanted moments in one pass over the deals; equal ones are computed once."""
    made: list[DealMoments] = []
    given: list[DealMoments] = []
    for used, scale in wanted:
        same = [m for m in made if np.array_equal(m.used, used) and np.array_equal(m.scale, scale)]
        if not same:
            same = [DealMoments(len(run.agents), run.pairings, used, scale)]
            made += same
        given += same
    for block in run.blocks():
        for moments in made:
            moments.add(block)
    return given


@dataclass(frozen=True)
class _Averages:
    """What plain averages over all hands of an agent are made of."""

    results: DealMoments
    points: DealMoments
    pulls: DealMoments
    equities: Sequence[MatchEquity]


def _agent_lines(run: RunResults, averages: _Averages, elo: Ratings, game_points: Ratings) -> tuple[AgentLine, ...]:
    hands = np.zeros(len(run.agents), dtype=np.int64)
    for (i, j), n_deals in zip(run.pairings, run.counts.sum(axis=1), strict=True):
        hands[[i, j]] += 2 * n_deals

    ranks, level, unit = rank_intervals(game_points), elo.level, unit_of(run.config)

    def key(number: int) -> tuple[bool, float, int]:
        value = game_points.estimate(number).value
        return (value is None, -(value or 0.0), number)

    return tuple(
        AgentLine(
            number=number,
            rank=rank,
            ranks=ranks[number],
            name=run.agents[number],
            n_hands=int(hands[number]),
            elo=unit.reworded(elo.estimate(number)),
            game_points_rating=unit.reworded(game_points.estimate(number)),
            game_points=unit.reworded(average_a_hand(averages.points, number, level)),
            hands_won=(won := unit.reworded(share_of_hands_won(averages.results, number, level))),
            matches_won=(
                won if unit.is_match else share_of_matches_won(averages.equities, averages.pulls, number, level)
            ),
        )
        for rank, number in enumerate(sorted(range(len(run.agents)), key=key), start=1)
    )


def _pairing_lines(run: RunResults, rules: Rules, level: float) -> tuple[PairingLine, ...]:
    lines, unit = [], unit_of(run.config)
    for (first, second), counts, tally, faults in zip(run.pairings, run.counts, run.endings, run.faults, strict=True):
        estimates, endings = _pair_estimates(counts, level, unit), ending_shares(tally, level)
        n_forfeits = int(faults.sum()) if unit.is_match else 2 * estimates.n_deals - endings.n_hands
        equity = _played_matches(estimates) if unit.is_match else match_equity(counts, rules, level)
        lines.append(PairingLine(first, second, counts, estimates, equity, endings, n_forfeits, faults, unit))
    return tuple(lines)
