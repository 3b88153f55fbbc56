"""Joint ratings of all agents, on hands won (Elo) and on game points, with errors clustered by deal.

Hands won: Bradley-Terry maximum likelihood with a seat term, a hand nobody won counting half; in half h the
first agent wins with probability 1 / (1 + exp(-(a_i - a_j ± s))). Game points: least squares on the same
differences. Both say what happens at even seats. Source: Hunter 2004 (Bradley-Terry).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from harness.stats.clustered import DealErrors, patterns_of
from harness.stats.codes import GAME_POINTS, RESULTS, BoolArray, FloatArray, PairingTable, half_totals
from harness.stats.estimate import LEVEL, Estimate
from harness.stats.fit import Design, Fit, linear, logistic, maximise
from harness.stats.moments import DealMoments
from harness.stats.pools import Pool, seat_has_estimate

ELO = 400 / math.log(10)
"""Elo of one unit of the log odds."""
REFERENCE = "the reference itself"
_DECIMALS = 12
"""Where rounding begins in the ratings: what it leaves must not put one of two equal agents ahead of the other."""
NO_SEAT_TERM = "seat 0 won, or lost, too one-sidedly to say what its lead is worth; ratings leave it out"


@dataclass(frozen=True)
class Ratings:
    """Ratings of one scale; an agent without one has NaN in ``values``, and a note.

    ``values`` are against the mean of the rated agents. `estimate` gives them against the anchor where it is rated.
    ``seat`` is the advantage of seat 0, which leads the hand; ``errors`` are those of the fit, whose parameters
    times ``unit`` are the values.
    """

    values: FloatArray
    notes: tuple[str, ...]
    anchor: int | None
    seat: Estimate
    level: float
    errors: DealErrors
    unit: float

    @property
    def rated(self) -> BoolArray:
        """Which agents have a rating."""
        return np.isfinite(self.values)

    @property
    def n_deals(self) -> int:
        """Deals with a hand between rated agents."""
        return self.errors.n_deals

    @property
    def covariance(self) -> FloatArray:
        """Covariance of the values, shape (n_agents, n_agents), NaN where an agent has none."""
        covariance = np.full((len(self.values), len(self.values)), np.nan)
        n = int(self.rated.sum())
        covariance[np.ix_(self.rated, self.rated)] = self.errors.covariance[:n, :n] * self.unit**2
        return covariance

    def estimate(self, agent: int) -> Estimate:
        """Rating against the anchor, or against the mean of the rated agents without one."""
        if not self.rated[agent]:
            return Estimate(None, None, None, 0, self.level, self.notes[agent])
        if self.anchor is None:
            return self._estimate(float(self.values[agent]), {agent: 1.0})
        if agent == self.anchor:
            return Estimate(0.0, None, None, self.n_deals, self.level, REFERENCE)
        return self.difference(agent, self.anchor)

    def difference(self, first: int, second: int) -> Estimate:
        """How much higher the first agent is rated than the second."""
        for agent in (first, second):
            if not self.rated[agent]:
                return Estimate(None, None, None, 0, self.level, self.notes[agent])
        return self._estimate(float(self.values[first] - self.values[second]), {first: 1.0, second: -1.0})

    def _estimate(self, value: float, weights: Mapping[int, float]) -> Estimate:
        by_agent = np.zeros(len(self.values))
        for agent, weight in weights.items():
            by_agent[agent] += weight
        free = np.zeros(len(self.errors.covariance))
        free[: int(self.rated.sum())] = by_agent[self.rated]
        return self.errors.estimate(value, free, self.unit, self.level)


def elo_ratings(
    table: PairingTable, moments: DealMoments, pool: Pool, anchor: int | None = None, level: float = LEVEL
) -> Ratings:
    """Fit Bradley-Terry to the hands won.

    Parameters
    ----------
    table
        Who played whom, and what came of it.
    moments
        Moments of RESULTS over the pairings inside the pool.
    pool
        What `comparable_pool` found.
    anchor
        The agent to rate against, if it is in the pool.
    level
        Confidence level.
    """
    used = pool.inside(table.pairings)
    with_seat = bool(used.any()) and seat_has_estimate(table, used)
    design = Design(table, used, pool.rated, with_seat)
    # Half a result of +1 or -1 is a win or a loss less a half.
    targets = half_totals(design.counts, RESULTS) / 2
    fit = maximise(design, targets, logistic)
    return _ratings(design, fit, moments, pool, anchor, level, unit=ELO, per_result=0.5)


def game_point_ratings(
    table: PairingTable, moments: DealMoments, pool: Pool, anchor: int | None = None, level: float = LEVEL
) -> Ratings:
    """Fit least squares to the game points.

    Parameters as for `elo_ratings`, but with moments of GAME_POINTS and the pool of `connected_pool`.
    """
    design = Design(table, pool.inside(table.pairings), pool.rated, with_seat=True)
    fit = maximise(design, half_totals(design.counts, GAME_POINTS).astype(np.float64), linear)
    return _ratings(design, fit, moments, pool, anchor, level, unit=1.0, per_result=1.0)


def _ratings(
    design: Design,
    fit: Fit,
    moments: DealMoments,
    pool: Pool,
    anchor: int | None,
    level: float,
    unit: float,
    per_result: float,
) -> Ratings:
    values = np.full(len(pool.rated), np.nan)
    if not design.used.any():
        none = Estimate(None, None, None, 0, level, "no agent has a rating")
        return Ratings(values, pool.notes, None, none, level, DealErrors(np.zeros((0, 0)), []), unit)
    _check_same_deals(design, moments)
    errors = DealErrors(fit.inverse, patterns_of(design, fit, moments, per_result))
    rated = pool.rated
    values[rated] = np.round(unit * (fit.strengths[:-1][rated] - fit.strengths[:-1][rated].mean()), _DECIMALS)
    if design.free[-1]:
        seat_alone = np.append(np.zeros(int(rated.sum())), 1.0)
        seat = errors.estimate(unit * float(fit.strengths[-1]), seat_alone, unit, level)
    else:
        seat = Estimate(None, None, None, errors.n_deals, level, NO_SEAT_TERM)
    known_anchor = anchor if anchor is not None and rated[anchor] else None
    return Ratings(values, pool.notes, known_anchor, seat, level, errors, unit)


def _check_same_deals(design: Design, moments: DealMoments) -> None:
    """Refuse moments of other pairings or other deals than those of the table, with a ValueError."""
    n_deals = sum((played * sums.n_deals for played, sums in moments.patterns()), np.zeros(len(design.used)))
    if not np.array_equal(moments.used, design.used):
        raise ValueError("the moments are not those of the pairings inside the pool")
    if not np.array_equal(n_deals[design.used], design.counts.sum(axis=1)):
        raise ValueError("the blocks of deals and the counts of deal codes disagree on how many were played")
