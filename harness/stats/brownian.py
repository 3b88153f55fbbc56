"""Brownian motion between two bounds: where a log likelihood ratio is after a time, and when and where it leaves.

The motion starts at 0 between a < 0 < b, with drift mu and variance sigma^2 a deal. A walk that is looked at only every
few deals passes a bound by a little; on average it behaves as if the bounds lay 0.5826 sigma sqrt(block) further out
(Siegmund 1985, Sequential Analysis, chapter 10).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from harness.stats.codes import FloatArray

OVERSHOOT: Final = 0.5825971579390107
"""-zeta(1/2) / sqrt(2 pi): mean overshoot of a normal walk past a far bound, in standard deviations of a step."""
_LONG: Final = 100.0
_LAST_IMAGE: Final = 200


@dataclass(frozen=True)
class Motion:
    """The motion: bounds ``low`` < 0 < ``high``, ``drift`` and ``variance`` a unit of time."""

    low: float
    high: float
    drift: float
    variance: float

    def seen_every(self, step: float) -> Motion:
        """The motion whose exits are those of this one looked at every `step` only: bounds further out."""
        further = OVERSHOOT * math.sqrt(self.variance * step)
        return Motion(self.low - further, self.high + further, self.drift, self.variance)

    def below(self, time: float, place: FloatArray) -> FloatArray:
        """Probability to have left by the low bound until `time`, or to be inside and not above `place`.

        The sum over images: of the paths that are above `place` at the time, those that met the low bound first are
        P(low) - P(high, then low) + P(low, high, low) - ..., each from a reflection (Anderson 1960).

        Parameters
        ----------
        time
            Above 0.
        place
            Between the bounds; any shape.
        """
        # Imported late, here and below: scipy.special takes a fifth of a second, and most commands never come here.
        from scipy.special import ndtr

        # By then nothing is left inside: exp(-pi^2 / 2 * _LONG) is 0.
        time = min(time, _LONG * (self.high - self.low) ** 2 / self.variance)
        free: FloatArray = ndtr((place - self.drift * time) / math.sqrt(self.variance * time))
        left = self._first_at(self.low, self.high, self.drift, time, place)
        right = self._first_at(-self.high, -self.low, -self.drift, time, -place)
        return free + left - right

    def _first_at(self, low: float, high: float, drift: float, time: float, place: FloatArray) -> FloatArray:
        """Probability to meet the low bound before the high one until `time`, and to be above `place` then."""
        from scipy.special import log_ndtr

        sd, pull, width = math.sqrt(self.variance * time), 2 * drift / self.variance, high - low
        total = np.zeros_like(place)
        for k in range(_LAST_IMAGE):
            once = np.exp(pull * (low - k * width) + log_ndtr((2 * low - 2 * k * width - place + drift * time) / sd))
            back = np.exp(-pull * (k + 1) * width + log_ndtr((-place - 2 * (k + 1) * width + drift * time) / sd))
            total += once - back
            if once.max(initial=0.0) < 1e-17:
                break
        return total

    def still_inside(self, time: float) -> float:
        """Probability not to have left until `time`."""
        ends = self.below(time, np.array([self.low, self.high]))
        return float(ends[1] - ends[0])

    @property
    def leaves_high(self) -> float:
        """Probability to leave by the high bound, whenever: (1 - e^(g a)) / (1 - e^(g (a - b))), g = 2 mu / sigma^2."""
        pull, width = 2 * self.drift / self.variance, self.high - self.low
        if abs(pull * width) < 1e-9:
            return -self.low / width
        if pull > 0:
            return math.expm1(pull * self.low) / math.expm1(-pull * width)
        # The same times e^(g b) above and below, so that nothing overflows.
        return math.exp(pull * self.high) * math.expm1(-pull * self.low) / math.expm1(pull * width)

    def mean_time(self, *, high: bool) -> float:
        """Mean time to leave, of the paths that leave by the high bound, or by the low one.

        With r = |mu| / sigma^2, A = b - a and c the distance to the other bound: (A coth(A r) - c coth(c r)) /
        (sigma^2 r), from the Laplace transform of the exit; the sign of the drift does not matter.
        """
        width, other = self.high - self.low, -self.low if high else self.high
        rate = abs(self.drift) / self.variance
        if rate * width < 1e-4:
            return (width**2 - other**2) / (3 * self.variance)
        return (width / math.tanh(width * rate) - other / math.tanh(other * rate)) / (self.variance * rate)
