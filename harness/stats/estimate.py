"""An estimate with its interval, its number of deals, and a reason wherever one of them is missing."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

LEVEL = 0.95
"""Confidence level of all intervals unless one is asked for."""

NO_DEALS = "no deals played"
ONE_DEAL = "one deal has no spread to compute an interval from"
NO_SPREAD = "every deal came to the same total, so there is no spread to compute an interval from"


@dataclass(frozen=True)
class Estimate:
    """A number, the ends of its interval, and what they rest on.

    ``value`` is None where there is no honest number, ``low`` or ``high`` where there is no honest end;
    ``note`` then says why. ``n`` is the number of deals (each played twice) that the estimate rests on.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    level: float = LEVEL
    note: str = ""

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval, which need not be symmetric; None without both ends."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def excludes(self, value: float) -> bool:
        """Whether the interval is known and leaves out a value."""
        return (self.low is not None and self.low > value) or (self.high is not None and self.high < value)

    def map(self, function: Callable[[float], float]) -> Estimate:
        """Transform the value and both ends by an increasing function."""
        value, low, high = (None if x is None else function(x) for x in (self.value, self.low, self.high))
        return replace(self, value=value, low=low, high=high)


def quantile(level: float, degrees_of_freedom: float | None) -> float:
    """How many standard errors an interval reaches to each side: Student's t, or the normal for None."""
    # Imported late: scipy.special takes a fifth of a second, and most commands never come here.
    from scipy.special import ndtri, stdtrit

    upper = (1 + level) / 2
    return float(ndtri(upper) if degrees_of_freedom is None else stdtrit(degrees_of_freedom, upper))


def around(value: float, error: float, n: int, level: float, degrees_of_freedom: float | None) -> Estimate:
    """Put a symmetric interval around a value from its standard error."""
    reach = quantile(level, degrees_of_freedom) * error
    return Estimate(value, value - reach, value + reach, n, level)


def from_variance(value: float, variance: float, n: int, level: float) -> Estimate:
    """Put a Student interval with n - 1 degrees of freedom around a value, or say why there is none.

    Parameters
    ----------
    value
        The estimate.
    variance
        Its squared standard error, the correction for small samples included; ignored for fewer than two
        deals.
    n
        Number of deals, the independent units.
    level
        Confidence level.
    """
    if n < 2:
        return Estimate(value, None, None, n, level, ONE_DEAL)
    if not variance > 0:
        return Estimate(value, None, None, n, level, NO_SPREAD)
    return around(value, math.sqrt(variance), n, level, n - 1)
