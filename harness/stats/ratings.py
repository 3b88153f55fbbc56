"""Joint ratings of all agents, on hands won (Elo) and on game points, with errors clustered by deal.

Hands won: Bradley-Terry maximum likelihood with a seat term, a hand nobody won counting half; in half h the
first agent wins with probability 1 / (1 + exp(-(a_i - a_j ± s))). Game points: least squares on the same
differences. Both say what happens at even seats. Sources: Hunter 2004 (Bradley-Terry), Liang and Zeger 1986
(sandwich by cluster).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from harness.stats.codes import GAME_POINTS, RESULTS, BoolArray, FloatArray, PairingTable, half_totals
from harness.stats.estimate import LEVEL, Estimate, from_variance
from harness.stats.moments import DealMoments
from harness.stats.pools import Pool, seat_has_estimate

ELO = 400 / math.log(10)
"""Elo of one unit of the log odds."""
MAX_STEPS = 200
REFERENCE = "the reference itself"
NO_SEAT_TERM = "seat 0 won, or lost, too one-sidedly to say what its lead is worth; ratings leave it out"


@dataclass(frozen=True)
class Ratings:
    """Ratings of one scale; an agent without one has NaN in ``values`` and ``covariance``, and a note.

    ``values`` are against the mean of the rated agents, and ``covariance``, shape (n_agents, n_agents),
    belongs to them. `estimate` gives them against the anchor where it is rated. ``seat`` is the advantage of
    seat 0, which leads the hand; ``n_deals`` the number of deals with a hand between rated agents.
    """

    values: FloatArray
    covariance: FloatArray
    notes: tuple[str, ...]
    anchor: int | None
    seat: Estimate
    n_deals: int
    level: float

    @property
    def rated(self) -> BoolArray:
        """Which agents have a rating."""
        return np.isfinite(self.values)

    def estimate(self, agent: int) -> Estimate:
        """Rating against the anchor, or against the mean of the rated agents without one."""
        if not self.rated[agent]:
            return Estimate(None, None, None, 0, self.level, self.notes[agent])
        if self.anchor is None:
            variance = _without_rounding(float(self.covariance[agent, agent]), self.covariance)
            return from_variance(float(self.values[agent]), variance, self.n_deals, self.level)
        if agent == self.anchor:
            return Estimate(0.0, None, None, self.n_deals, self.level, REFERENCE)
        return self.difference(agent, self.anchor)

    def difference(self, first: int, second: int) -> Estimate:
        """How much higher the first agent is rated than the second."""
        for agent in (first, second):
            if not self.rated[agent]:
                return Estimate(None, None, None, 0, self.level, self.notes[agent])
        c = self.covariance
        variance = float(c[first, first] + c[second, second] - c[first, second] - c[second, first])
        value = float(self.values[first] - self.values[second])
        return from_variance(value, _without_rounding(variance, c), self.n_deals, self.level)


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
    design = _Design(table, used, pool.rated, with_seat)
    # Half a result of +1 or -1 is a win or a loss less a half.
    targets = half_totals(design.counts, RESULTS) / 2
    fit = _maximise(design, targets, _logistic)
    return _ratings(design, fit, moments, pool, anchor, level, unit=ELO, per_result=0.5)


def game_point_ratings(
    table: PairingTable, moments: DealMoments, pool: Pool, anchor: int | None = None, level: float = LEVEL
) -> Ratings:
    """Fit least squares to the game points.

    Parameters as for `elo_ratings`, but with moments of GAME_POINTS and the pool of `connected_pool`.
    """
    design = _Design(table, pool.inside(table.pairings), pool.rated, with_seat=True)
    fit = _maximise(design, half_totals(design.counts, GAME_POINTS).astype(np.float64), _linear)
    return _ratings(design, fit, moments, pool, anchor, level, unit=1.0, per_result=1.0)


class _Design:
    """The rows (pairing, half) of a fit: which strengths enter with which sign, and the hands of each."""

    def __init__(self, table: PairingTable, used: BoolArray, rated: BoolArray, with_seat: bool):
        self.used = used
        self.counts = table.counts[used]
        self.n_hands = np.repeat(self.counts.sum(axis=1), 2).astype(np.float64)
        pairs = [pair for pair, use in zip(table.pairings, used, strict=True) if use]
        signs = np.zeros((len(pairs), len(rated)))
        for row, (i, j) in enumerate(pairs):
            signs[row, i], signs[row, j] = 1.0, -1.0
        seat = np.tile([1.0, -1.0], len(pairs))[:, np.newaxis]
        self.rows = np.hstack([np.repeat(signs, 2, axis=0), seat])
        self.free = np.append(rated, with_seat)
        self.n_parameters = int(self.free.sum()) - 1

    def information(self, weights: FloatArray) -> FloatArray:
        """Sum of weight times row times row, over the free parameters."""
        rows = self.rows[:, self.free]
        information: FloatArray = rows.T @ (weights[:, np.newaxis] * rows)
        return information

    def inverse(self, information: FloatArray) -> FloatArray:
        """Pseudo-inverse of the information: only differences of strengths are known, their mean is 0."""
        level = np.ones(len(information))
        if self.free[-1]:
            level[-1] = 0.0
        level /= math.sqrt(level.sum())
        weight = float(np.trace(information)) / len(information)
        shift = np.outer(level, level)
        return np.linalg.inv(information + weight * shift) - shift / weight


Link: TypeAlias = Callable[[FloatArray], tuple[FloatArray, FloatArray, FloatArray]]


def _logistic(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Potential, expected result less a half, and its slope, at log odds x."""
    expected = np.tanh(x / 2) / 2
    return np.logaddexp(x / 2, -x / 2), expected, 0.25 - expected**2


def _linear(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Potential, expected game points, and their slope, at a difference of x game points."""
    return x * x / 2, x, np.ones_like(x)


@dataclass(frozen=True)
class _Fit:
    strengths: FloatArray
    expected: FloatArray
    inverse: FloatArray


def _maximise(design: _Design, targets: FloatArray, link: Link) -> _Fit:
    """Maximise sum(target * x - hands * potential(x)) by Newton steps, halved where they would overshoot.

    Raises
    ------
    ArithmeticError
        If the steps do not converge, which a pool in which the maximum exists should never cause.
    """
    strengths = np.zeros(len(design.free))
    if not design.used.any():
        return _Fit(strengths, np.zeros((0, 2)), np.zeros((0, 0)))
    wanted, n_hands = targets.ravel(), design.n_hands

    def height(at: FloatArray) -> float:
        x = design.rows @ at
        return float(wanted @ x - n_hands @ link(x)[0])

    for _ in range(MAX_STEPS):
        _, expected, slope = link(design.rows @ strengths)
        gradient = (design.rows.T @ (wanted - n_hands * expected))[design.free]
        inverse = design.inverse(design.information(n_hands * slope))
        if np.abs(gradient).max() <= 1e-11 * n_hands.sum():
            return _Fit(strengths, expected.reshape(-1, 2), inverse)
        step = np.zeros_like(strengths)
        step[design.free] = inverse @ gradient
        before = height(strengths)
        while height(strengths + step) < before - 1e-12 * abs(before):
            step /= 2
        strengths = strengths + step
    raise ArithmeticError(f"the fit of {design.n_parameters} parameters did not converge in {MAX_STEPS} steps")


def _ratings(
    design: _Design,
    fit: _Fit,
    moments: DealMoments,
    pool: Pool,
    anchor: int | None,
    level: float,
    unit: float,
    per_result: float,
) -> Ratings:
    n_agents = len(pool.rated)
    values, covariance = np.full(n_agents, np.nan), np.full((n_agents, n_agents), np.nan)
    if not design.used.any():
        none = Estimate(None, None, None, 0, level, "no agent has a rating")
        return Ratings(values, covariance, pool.notes, None, none, 0, level)
    _check_same_deals(design, moments)
    meat, n_deals = _meat(design, fit.expected, moments, per_result)
    free_covariance = fit.inverse @ meat @ fit.inverse * _small_sample(design, n_deals) * unit**2
    full = np.full((n_agents + 1, n_agents + 1), np.nan)
    full[np.ix_(design.free, design.free)] = free_covariance
    rated = pool.rated
    values[rated] = unit * (fit.strengths[:-1][rated] - fit.strengths[:-1][rated].mean())
    covariance[np.ix_(rated, rated)] = full[:-1, :-1][np.ix_(rated, rated)]
    if design.free[-1]:
        seat = from_variance(unit * float(fit.strengths[-1]), float(full[-1, -1]), n_deals, level)
    else:
        seat = Estimate(None, None, None, n_deals, level, NO_SEAT_TERM)
    known_anchor = anchor if anchor is not None and rated[anchor] else None
    return Ratings(values, covariance, pool.notes, known_anchor, seat, n_deals, level)


def _meat(design: _Design, expected: FloatArray, moments: DealMoments, per_result: float) -> tuple[FloatArray, int]:
    """Sum over deals of the score of a deal times itself, over the free parameters, and the number of deals.

    The score of a deal is its totals less what the fit expects of the pairings that played it, and the latter
    is the same for all deals of a pattern: sum((t - e)(t - e)') = sum(tt') - sum(t)e' - e sum(t)' + n ee'.
    """
    rows = np.zeros((len(design.used), 2, len(design.free)))
    rows[design.used] = design.rows.reshape(-1, 2, len(design.free))
    fitted = np.zeros((len(design.used), 2))
    fitted[design.used] = expected
    meat = np.zeros((len(design.free), len(design.free)))
    largest = np.zeros(len(design.free))
    n_deals = 0
    for played, sums in moments.patterns():
        e = np.einsum("ph,phk->k", fitted[played], rows[played])
        t = sums.totals * per_result
        cross = np.outer(t, e)
        meat += sums.products * per_result**2 - cross - cross.T + sums.n_deals * np.outer(e, e)
        largest += np.diag(sums.products) * per_result**2 + sums.n_deals * e**2
        n_deals += sums.n_deals
    # Without spread the terms cancel; what rounding leaves of them must not pass for a spread.
    meat[np.abs(meat) < 1e-12 * np.sqrt(np.outer(largest, largest))] = 0.0
    return meat[np.ix_(design.free, design.free)], n_deals


def _check_same_deals(design: _Design, moments: DealMoments) -> None:
    """Refuse moments of other pairings or other deals than those of the table, with a ValueError."""
    n_deals = sum((played * sums.n_deals for played, sums in moments.patterns()), np.zeros(len(design.used)))
    if not np.array_equal(moments.used, design.used):
        raise ValueError("the moments are not those of the pairings inside the pool")
    if not np.array_equal(n_deals[design.used], design.counts.sum(axis=1)):
        raise ValueError("the blocks of deals and the counts of deal codes disagree on how many were played")


def _small_sample(design: _Design, n_deals: int) -> float:
    """Give statsmodels' factor for few clusters, G/(G-1) * (N-1)/(N-k): G deals, N hands, k free parameters.

    1 for a single deal, for which no interval is given.
    """
    if n_deals < 2:
        return 1.0
    n_hands = float(design.n_hands.sum())
    return n_deals / (n_deals - 1) * (n_hands - 1) / (n_hands - design.n_parameters)


def _without_rounding(variance: float, covariance: FloatArray) -> float:
    """Give 0 for a variance that is only the rounding of larger terms."""
    return variance if variance > 1e-12 * float(np.nanmax(np.abs(covariance))) else 0.0
