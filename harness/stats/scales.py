"""The scales on which two agents are compared: what a deal is worth, in which unit, and which statistic is tested."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from harness.play.codes import N_CODES
from harness.stats.codes import GAME_POINTS, RESULTS, FloatArray, IntArray
from harness.stats.estimate import Estimate
from harness.stats.likelihood import llr_of_mean, llr_of_t_value
from harness.stats.pairs import elo_of_share

ELO_A_T_VALUE: Final = 800 / math.log(10) / math.sqrt(2)
"""Normalised Elo of a t-value of 1 of the deals: 800 / ln 10 by hands, of which a deal has two."""
MOST_ELO: Final = 4000.0
"""Elo at which one hand in 10^10 is lost."""
MOST_NORMALISED_ELO: Final = 200.0
"""Up to here fishtest's iteration, which starts from even probabilities, settles for all data, one outcome included."""


@dataclass(frozen=True, eq=False)
class Scale:
    """A scale of strength, seen from the first agent: its lead, 0 between equals.

    Parameters
    ----------
    name
        What it is called: ``game points``.
    unit
        The unit of its numbers, as after a number: ``game points a hand``.
    values
        Score of the first agent in a deal, a hand, by deal code: shape (49,).
    even
        The score of equals that t-values count from.
    statistic
        ``mean``, ``Elo`` (the mean as a share of the hands, then turned into Elo) or ``t`` ((mean - even) / sd, turned
        into normalised Elo).
    """

    name: str
    unit: str
    values: FloatArray
    even: float
    statistic: str

    @property
    def support(self) -> FloatArray:
        """The values that a deal can have, ascending, each once."""
        support: FloatArray = np.unique(self.values)
        return support

    def tallies(self, counts: npt.ArrayLike) -> IntArray:
        """How often each value of `support` came, shape (..., k), from counts of deal codes, shape (..., 49)."""
        table = np.asarray(counts, dtype=np.int64)
        if table.shape[-1:] != (N_CODES,) or (table < 0).any():
            raise ValueError(f"expected {N_CODES} counts of deal codes, none below 0; these have shape {table.shape}")
        tallies: IntArray = table @ (self.values[:, np.newaxis] == self.support).astype(np.int64)
        return tallies

    def to_statistic(self, x: float) -> float:
        """Turn a number in this scale's unit into the mean or t-value that it stands for.

        Raises
        ------
        ValueError
            If no deals could have such a mean, or a t-value is larger than the likelihood can be found for.
        """
        if self.statistic == "t":
            if not abs(x) <= MOST_NORMALISED_ELO:
                raise ValueError(f"{x:g} {self.unit} is not within ±{MOST_NORMALISED_ELO:g}")
            return x / ELO_A_T_VALUE
        if self.statistic == "Elo":
            if not abs(x) <= MOST_ELO:
                raise ValueError(f"{x:g} {self.unit} is not within ±{MOST_ELO:g}")
            return float(1 / (1 + 10 ** (-x / 400)))
        if not self.support[0] < x < self.support[-1]:
            raise ValueError(f"{x:g} {self.unit} is not between {self.support[0]:g} and {self.support[-1]:g}")
        return x

    def from_statistic(self, x: Estimate) -> Estimate:
        """Turn an estimate of the mean or t-value into one in this scale's unit."""
        if self.statistic == "t":
            return x.map(lambda t: t * ELO_A_T_VALUE)
        kept = x.map(lambda mean: min(max(mean, float(self.support[0])), float(self.support[-1])))
        return elo_of_share(kept) if self.statistic == "Elo" else kept

    def llr(self, tallies: IntArray | FloatArray, h0: float, h1: float) -> FloatArray:
        """Log likelihood ratio of h1 against h0, both in this scale's unit, from `tallies` (..., k); shape (...,)."""
        s0, s1 = self.to_statistic(h0), self.to_statistic(h1)
        if self.statistic == "t":
            return llr_of_t_value(tallies, self.support, self.even, s0, s1)
        return llr_of_mean(tallies, self.support, s0, s1)

    def moments(self, pdf: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the statistic of distributions over `support` (..., k), and its variance from one deal.

        The variance of n deals is that over n. For a t-value it is 1 - t skewness + t^2 (kurtosis - 1) / 4, by the
        delta method.
        """
        mean = pdf @ self.support
        apart = self.support - mean[..., np.newaxis]
        variance = (pdf * apart**2).sum(axis=-1)
        if self.statistic != "t":
            return mean, variance
        sd = np.sqrt(variance)
        t = (mean - self.even) / sd
        skewness, kurtosis = ((pdf * apart**k).sum(axis=-1) / sd**k for k in (3, 4))
        return t, 1 - t * skewness + t**2 * (kurtosis - 1) / 4


def by_code(name: str, unit: str, values: npt.ArrayLike, even: float = 0.0) -> Scale:
    """Make a scale of the mean of any values of the deals, such as what their game points are worth in a match.

    Parameters
    ----------
    name, unit
        As in `Scale`.
    values
        What a deal is worth to the first agent by deal code, a hand; shape (49,).
    even
        What it is worth among equals; the scale counts from there, so that 0 is even.

    Raises
    ------
    ValueError
        If there are not 49 values, or all are the same.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.shape != (N_CODES,) or np.ptp(table) == 0:
        raise ValueError(f"a scale has {N_CODES} values by deal code, not all the same; these have shape {table.shape}")
    # Rounded, or values that are equal but for their last bit would be values of their own.
    return Scale(name, unit, np.round(table - even, 12), 0.0, "mean")


POINTS: Final = by_code("game points", "game points a hand", GAME_POINTS.mean(axis=0))
"""Game points a hand: 13 values, -3 to 3."""
WINS: Final = Scale("Elo", "Elo", (RESULTS.sum(axis=0) + 2) / 4, 0.5, "Elo")
"""Elo of the share of the hands won, a hand nobody won being half a win: 5 values, 0 to 1."""
NORMALISED: Final = replace(WINS, name="normalised Elo", unit="normalised Elo", statistic="t")
"""Normalised Elo: how far the share of the hands won is from a half, in standard deviations."""
