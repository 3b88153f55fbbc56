"""Confidence sequence: an interval of a mean that may be watched all the time, and stopped at whenever one likes.

The usual interval is right at one number of deals that was fixed before. Watched from deal to deal it leaves out the
truth sooner or later. This one leaves it out at any time of a run, however long, with the risk 1 - level at most; it is
honest for any number of deals, one included, and needs nothing but independent deals whose values have known limits.

It comes from bets (Waudby-Smith and Ramdas 2023, Estimating means of bounded random variables by betting; the mixture
is that of Orabona and Jun 2021, Tight concentrations and confidence sequences from the regret of universal portfolio).
With low <= x <= high and true mean m, who bets a fraction f of the capital on large values multiplies it by
(1 - f) + f (x - low) / (m - low), which is 1 on average: the capital is a martingale that is never negative. So is the
mean capital of many bettors with fixed f; starting from 1, it reaches 2 / (1 - level) with probability (1 - level) / 2
at most (Ville). The low end is the smallest m at which it has not; the high end mirrors it. The product over the deals
depends on the tallies alone, so an update costs the same after 10^8 deals as after one, and neither the order of the
deals nor the size of the blocks matters.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from harness.stats.codes import FloatArray, IntArray
from harness.stats.estimate import LEVEL, NO_DEALS, Estimate
from harness.stats.scales import Scale

WATCHED: Final = "may be watched and stopped at any time"
FRACTIONS: Final[FloatArray] = 2.0 ** (-np.arange(1, 45) / 4)
"""Fractions of the bettors, with equal shares of the capital: from 0.84 down to 5e-4, which fit 10 to 10^8 deals."""
_HALVINGS: Final = 80


def confidence_sequence(scale: Scale, counts: npt.ArrayLike, level: float = LEVEL) -> Estimate:
    """Estimate the first agent's lead with an interval that may be watched at any time.

    Parameters
    ----------
    scale
        A scale of a mean, or Elo, whose ends are those of the mean transformed.
    counts
        How often each deal code has come so far, shape (49,).
    level
        Probability that the intervals at all times of a run hold the truth together, at least.

    Returns
    -------
    The plain estimate with that interval. The estimate itself is biased if the run stops because of what it shows.

    Raises
    ------
    ValueError
        If the scale is normalised Elo: a mean in standard deviations is no mean of values with known limits.
    """
    if scale.statistic == "t":
        raise ValueError(f"no interval of {scale.name} may be watched at any time; take game points or Elo")
    tallies = scale.tallies(counts)
    n = int(tallies.sum())
    if n == 0:
        return Estimate(None, None, None, 0, level, NO_DEALS)
    support, bar = scale.support, math.log(2 / (1 - level))
    mean = float(tallies @ support) / n
    low = _lowest(tallies, support, mean, bar)
    high = -_lowest(tallies, -support, -mean, bar)
    return scale.from_statistic(Estimate(mean, low, high, n, level, WATCHED))


def log_capital(tallies: IntArray | FloatArray, support: FloatArray, mean: float) -> FloatArray:
    """Log of the mean capital of the bettors on values above `mean`, were it the true one.

    Parameters
    ----------
    tallies
        How often each value came, shape (..., k).
    support
        The values, shape (k,).
    mean
        Above the smallest value.

    Returns
    -------
    Logs, shape (...,).
    """
    low = support.min()
    bets = np.log((1 - FRACTIONS) + FRACTIONS * ((support - low) / (mean - low))[:, np.newaxis])
    logs = tallies @ bets
    most = logs.max(axis=-1, keepdims=True)
    capital: FloatArray = most[..., 0] + np.log(np.exp(logs - most).mean(axis=-1))
    return capital


def _lowest(tallies: IntArray, support: FloatArray, mean: float, bar: float) -> float:
    """Find the smallest mean at which the capital is below the bar: it falls as the mean rises to that of the data."""
    low, high = float(support.min()), mean
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if float(log_capital(tallies, support, middle)) >= bar:
            low = middle
        else:
            high = middle
    return low
