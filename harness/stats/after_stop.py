"""The estimate after a sequential test has stopped, corrected for the stop.

A test stops when the data look extreme, so the plain mean after the stop is too far from the middle, and its interval
too short. Here the outcomes of the test are put in an order, from the fastest H0 over no verdict to the fastest H1, and
an end of the interval is the strength at which an outcome that is no better than the one seen has the probability 0.975
or 0.025; at the estimate it has 0.5, so the estimate is too high as often as too low (Siegmund 1985, chapter 3;
fishtest does the same in sprt.py and brownian.py). The likelihood ratio is taken to be a Brownian motion with the
variance that was seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from harness.stats.brownian import Motion
from harness.stats.codes import FloatArray
from harness.stats.estimate import LEVEL, NO_DEALS, NO_SPREAD, Estimate
from harness.stats.sequential import Design

STOPPED = "corrected for the stop of a sequential test"
_NODES = 96
_REACH = 8.0
_DOUBLINGS = 60


def after_stop(design: Design, counts: npt.ArrayLike, level: float = LEVEL) -> Estimate:
    """Estimate the first agent's lead, in the unit of the test's scale, from the deals at which a test ended.

    Parameters
    ----------
    design
        The test.
    counts
        How often each deal code came until the test ended, by a verdict or by its greatest number of deals, shape
        (49,).
    level
        Confidence level.

    Returns
    -------
    The median-unbiased estimate and its interval; one without spread has neither.
    """
    scale = design.scale
    tallies = scale.tallies(counts)
    n = int(tallies.sum())
    if n == 0:
        return Estimate(None, None, None, 0, level, NO_DEALS)
    if np.count_nonzero(tallies) == 1:
        return Estimate(None, None, None, n, level, NO_SPREAD)
    seen, variance = (float(x) for x in scale.moments(tallies / n))
    s0, s1 = scale.to_statistic(design.h0), scale.to_statistic(design.h1)
    lead, middle, apart = (n * (s1 - s0) * (seen - (s0 + s1) / 2) / variance, (s0 + s1) / 2, s1 - s0)
    last = n - design.block * (math.ceil(n / design.block) - 1)

    def no_better(true: float) -> float:
        motion = Motion(*design.bounds, apart * (true - middle) / variance, apart**2 / variance)
        return outcome_no_better(motion, design.block, n - last, last, lead)

    error = math.sqrt(variance / n)
    low, value, high = (_where(no_better, p, seen, error) for p in ((1 + level) / 2, 0.5, (1 - level) / 2))
    return scale.from_statistic(Estimate(value, low, high, n, level, STOPPED))


def outcome_no_better(motion: Motion, block: int, before: int, last: int, end: float) -> float:
    """Probability of an outcome of the test that is no better for H1 than the one seen.

    That is: the motion has left by the low bound at an earlier look, or it has not left at one, and at the last look is
    not above `end`. Until the look before the last it is seen every `block` deals, as in `Motion.seen_every`; the last
    step is a normal one, however far it went past the bound.

    Parameters
    ----------
    motion
        With a deal as the unit of time.
    block, before, last
        Deals between looks, until the look before the last, and from it to the last one.
    end
        Where the log likelihood ratio was at the last look.
    """
    from scipy.special import ndtr

    step = math.sqrt(motion.variance * last)
    if before == 0:
        return float(ndtr((end - motion.drift * last) / step))
    wide = motion.seen_every(block)
    nodes, weights = _normal_quadrature()
    places = np.clip(end - motion.drift * last - step * nodes, wide.low, wide.high)
    return float(weights @ wide.below(before, places))


@cache
def _normal_quadrature() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the normal distribution up to 8 standard deviations."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    weights = weights * np.exp(-((_REACH * nodes) ** 2) / 2)
    return _REACH * nodes, weights / weights.sum()


def _where(decreasing: Callable[[float], float], level: float, start: float, reach: float) -> float:
    """Find where a decreasing function has a value, searching further and further from a start."""
    from scipy.optimize import brentq

    low = high = start
    for _ in range(_DOUBLINGS):
        if decreasing(low) < level:
            low -= reach
        elif decreasing(high) > level:
            high += reach
        else:
            break
        reach *= 2
    return float(brentq(lambda true: decreasing(true) - level, low, high, xtol=1e-12)) if low < high else start
