"""How many deals it takes: for an interval of a given length, and for a sequential test, from the deals of a pilot."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from harness.stats.brownian import Motion
from harness.stats.codes import FloatArray
from harness.stats.estimate import LEVEL, NO_DEALS, NO_SPREAD, Estimate, quantile
from harness.stats.pairs import elo
from harness.stats.scales import ELO_A_T_VALUE, Scale
from harness.stats.sequential import Design

_NUDGE = 1e-5


@dataclass(frozen=True)
class Power:
    """What a sequential test is likely to do when the true lead is ``truth``.

    ``accepts_h1`` is the probability to accept H1; ``mean_deals`` the mean number of deals to a verdict,
    ``mean_deals_h1`` of those tests that accept H1; nine tests of ten have a verdict by ``deals_90``.
    """

    truth: float
    accepts_h1: float
    mean_deals: float
    mean_deals_h1: float
    deals_90: int


def deals_for_half_width(scale: Scale, counts: npt.ArrayLike, half_width: float, level: float = LEVEL) -> Estimate:
    """Estimate how many deals an interval with a given half-width takes: (z / h)^2 Var(y).

    Var is the variance of the scale's statistic from one deal of the pilot. For Elo, whose interval is not symmetric,
    the half-width is half its length. The interval of the needed number comes from the pilot's own uncertainty: the
    variance of log N by the infinitesimal jackknife (Efron 1982, chapter 6).

    Parameters
    ----------
    scale
        Scale of the half-width.
    counts
        How often each deal code came in the pilot, shape (49,).
    half_width
        Above 0, in the scale's unit.
    level
        Confidence level of the interval that is planned, and of that of the needed number.

    Raises
    ------
    ValueError
        If the half-width is not above 0.
    """
    if not half_width > 0:
        raise ValueError(f"a half-width is above 0, not {half_width:g}")
    tallies = scale.tallies(counts)
    n = int(tallies.sum())
    if np.count_nonzero(tallies) < 2:
        return Estimate(None, None, None, n, level, NO_SPREAD if n else NO_DEALS)
    pdf, z = tallies / n, quantile(level, None)

    def log_needed(p: FloatArray) -> float:
        seen, variance = (float(x) for x in scale.moments(p))
        return math.log(variance / _error_for(scale, seen, half_width, z) ** 2)

    needed, influence = log_needed(pdf), []
    for k in np.flatnonzero(pdf):
        toward = -pdf * _NUDGE
        toward[k] += _NUDGE
        influence.append((log_needed(pdf + toward) - log_needed(pdf - toward)) / (2 * _NUDGE))
    spread = z * math.sqrt(float(pdf[pdf > 0] @ np.square(influence)) / n)
    value, low, high = (math.ceil(math.exp(needed + k * spread)) for k in (0, -1, 1))
    return Estimate(value, low, high, n, level)


def half_width_after(scale: Scale, counts: npt.ArrayLike, n_deals: int, level: float = LEVEL) -> Estimate:
    """Estimate the interval that `n_deals` deals would give, from a pilot; its `half_width` is the answer.

    Parameters
    ----------
    scale
        Scale of the interval.
    counts
        How often each deal code came in the pilot, shape (49,).
    n_deals
        Deals that are planned, at least 1.
    level
        Confidence level.
    """
    if n_deals < 1:
        raise ValueError(f"a plan has at least one deal, not {n_deals}")
    tallies = scale.tallies(counts)
    n = int(tallies.sum())
    if np.count_nonzero(tallies) < 2:
        return Estimate(None, None, None, n, level, NO_SPREAD if n else NO_DEALS)
    seen, variance = (float(x) for x in scale.moments(tallies / n))
    reach = quantile(level, None) * math.sqrt(variance / n_deals)
    return scale.from_statistic(Estimate(seen, seen - reach, seen + reach, n, level))


def power(design: Design, counts: npt.ArrayLike, truth: float) -> Power:
    """Compute what a sequential test is likely to do, with the spread of a pilot.

    The log likelihood ratio is taken to be a Brownian motion with drift (s1 - s0) (s - (s0 + s1) / 2) / Var and
    variance (s1 - s0)^2 / Var a deal (van den Bergh, GSPRT_approximation), looked at every block. The test's greatest
    number of deals is left out.

    Parameters
    ----------
    design
        The test.
    counts
        How often each deal code came in the pilot, shape (49,).
    truth
        The true lead, in the unit of the test's scale.

    Raises
    ------
    ValueError
        If the pilot has no spread.
    """
    scale = design.scale
    tallies = scale.tallies(counts)
    if np.count_nonzero(tallies) < 2:
        raise ValueError("the pilot has no spread: all its deals came to the same")
    variance = float(scale.moments(tallies / tallies.sum())[1])
    s0, s1, s = (scale.to_statistic(x) for x in (design.h0, design.h1, truth))
    apart = s1 - s0
    motion = Motion(*design.bounds, apart * (s - (s0 + s1) / 2) / variance, apart**2 / variance)
    seen = motion.seen_every(design.block)
    p, to_h1 = seen.leaves_high, seen.mean_time(high=True)
    mean = p * to_h1 + (1 - p) * seen.mean_time(high=False)
    by = _first(lambda looks: seen.still_inside(looks * design.block) <= 0.1)
    return Power(truth, p, mean, to_h1, by * design.block)


def _error_for(scale: Scale, seen: float, half_width: float, z: float) -> float:
    """Standard error of the statistic at which the interval in the scale's unit has a half-width."""
    if scale.statistic != "Elo":
        return half_width / (ELO_A_T_VALUE if scale.statistic == "t" else 1) / z
    from scipy.optimize import brentq

    furthest = min(seen, 1 - seen)

    def too_long(part: float) -> float:
        return (elo(seen + part * furthest) - elo(seen - part * furthest)) / 2 - half_width

    part = 1 - 1e-12
    return (float(brentq(too_long, 0, part, xtol=1e-15)) if too_long(part) > 0 else part) * furthest / z


def _first(holds: Callable[[int], bool]) -> int:
    """Return the first whole number from 1 at which a condition holds that then stays true."""
    high = 1
    while not holds(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
