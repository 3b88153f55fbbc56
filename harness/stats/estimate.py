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
    ``error`` and ``degrees_of_freedom`` are what a Student interval was made from, None for any other.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    level: float = LEVEL
    note: str = ""
    error: float | None = None
    degrees_of_freedom: float | None = None

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
        return replace(self, value=value, low=low, high=high, error=None, degrees_of_freedom=None)

    def turned(self, whole: float = 0.0) -> Estimate:
        """Give the number of the other side: `whole` less it, the ends changing places."""
        value, low, high = (None if x is None else whole - x for x in (self.value, self.low, self.high))
        return replace(self, value=value, low=high, high=low)


def quantile(level: float, degrees_of_freedom: float | None) -> float:
    """How many standard errors an interval reaches to each side: Student's t, or the normal for None."""
    # Imported late: scipy.special takes a fifth of a second, and most commands never come here.
    from scipy.special import ndtri, stdtrit

    upper = (1 + level) / 2
    return float(ndtri(upper) if degrees_of_freedom is None else stdtrit(degrees_of_freedom, upper))


def from_variance(
    value: float, variance: float, n: int, level: float, degrees_of_freedom: float | None = None
) -> Estimate:
    """Put a Student interval around a value, or say why there is none.

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
    degrees_of_freedom
        n - 1 unless it is given.
    """
    if n < 2:
        return Estimate(value, None, None, n, level, ONE_DEAL)
    if not variance > 0:
        return Estimate(value, None, None, n, level, NO_SPREAD)
    freedom = n - 1 if degrees_of_freedom is None else degrees_of_freedom
    error = math.sqrt(variance)
    reach = quantile(level, freedom) * error
    return Estimate(value, value - reach, value + reach, n, level, "", error, freedom)


def one_sided_p(estimate: Estimate, value: float = 0.0) -> float | None:
    """Give the p-value of a true value of at most `value`, by Student's t; None without a Student interval."""
    if estimate.value is None or estimate.error is None or estimate.degrees_of_freedom is None:
        return None
    from scipy.special import stdtr

    return float(stdtr(estimate.degrees_of_freedom, (value - estimate.value) / estimate.error))


def two_sided_p(estimate: Estimate, value: float = 0.0) -> float | None:
    """Give the two-sided p-value of a true `value`, by Student's t; None without a Student interval."""
    if estimate.value is None:
        return None
    # Of the two tails the small one, which is exact however far out it is.
    far = replace(estimate, value=value + abs(estimate.value - value))
    p = one_sided_p(far, value)
    return None if p is None else 2 * p
