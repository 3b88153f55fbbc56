"""Errors of a fit from how its deals scatter: the sandwich by deal, corrected where few deals decide.

With B the inverse of the information and u the score of a deal, the plain sandwich is B sum(uu') B (Liang and Zeger
1986). A fit follows its own deals, the more so the fewer there are, so that residuals are too small; each deal is
therefore stretched by (1 - H)^(-1/2), H being its leverage (Bell and McCaffrey 2002, "CR2"), and Student's t has the
degrees of freedom that fit (the same, for hands that are independent within a deal). Where every pairing plays every
deal this comes to G / (G-1) times the plain sandwich and to G - 1 degrees of freedom, G deals, as for a plain
mean. All deals that the same pairings have played share one leverage, so whole patterns are worked on at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from harness.stats.codes import FloatArray
from harness.stats.estimate import ONE_DEAL, Estimate, from_variance
from harness.stats.fit import Design, Fit
from harness.stats.moments import DealMoments

FULL_LEVERAGE = 1 - 1e-9
"""From here on a deal alone decides a parameter, and nothing is left to say how far off it is."""
ROUNDING = 1e-12
"""What is smaller than this part of its terms is what rounding has left of them."""


@dataclass(frozen=True)
class Pattern:
    """Deals that the same pairings have played.

    ``information`` is that of one of the deals, ``meat`` the sum over all of them of score times score, both over the
    free parameters.
    """

    n_deals: int
    information: FloatArray
    meat: FloatArray


def patterns_of(design: Design, fit: Fit, moments: DealMoments, per_result: float) -> list[Pattern]:
    """Make the patterns of a fit.

    The score of a deal is its totals less what the fit expects of the pairings that played it, and the latter
    is the same for all deals of a pattern: sum((t - e)(t - e)') = sum(tt') - sum(t)e' - e sum(t)' + n ee'.

    Parameters
    ----------
    design, fit
        What was fitted.
    moments
        Moments over the pairings that the design uses.
    per_result
        What one unit of the moments' scale is in units of the fit's results.
    """
    rows, free = design.rows_by_pairing(), design.free
    expected, slopes = np.zeros((2, len(design.used), 2))
    expected[design.used], slopes[design.used] = fit.expected, fit.slopes
    patterns = []
    for played, sums in moments.patterns():
        e = np.einsum("ph,phk->k", expected[played], rows[played])
        t = sums.totals[free] * per_result
        products = sums.products[np.ix_(free, free)] * per_result**2
        cross = np.outer(t, e)
        meat = products - cross - cross.T + sums.n_deals * np.outer(e, e)
        largest = np.diag(products) + sums.n_deals * e**2
        # Without spread the terms cancel; what rounding leaves of them must not pass for a spread.
        meat[np.abs(meat) < ROUNDING * np.sqrt(np.outer(largest, largest))] = 0.0
        information = np.einsum("ph,phk,phl->kl", slopes[played], rows[played], rows[played])
        patterns.append(Pattern(sums.n_deals, information, meat))
    return patterns


class DealErrors:
    """Variances, with degrees of freedom, of weighted sums of a fit's free parameters.

    Parameters
    ----------
    inverse
        Inverse of the information of all deals.
    patterns
        The deals.
    """

    def __init__(self, inverse: FloatArray, patterns: list[Pattern]):
        self.n_deals = sum(pattern.n_deals for pattern in patterns)
        self.inverse = inverse
        self.patterns = patterns
        values, vectors = np.linalg.eigh(inverse)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
        self._stretched, alone = [], [np.zeros((0, len(inverse)))]
        for pattern in patterns:
            leverage, axes = np.linalg.eigh(root @ pattern.information @ root)
            full = leverage > FULL_LEVERAGE
            stretch = np.where(full, 0.0, 1 / np.sqrt(np.where(full, 1.0, 1 - leverage)))
            self._stretched.append(root @ (axes * stretch) @ axes.T @ root)
            alone.append((root @ axes[:, full]).T)
        self._alone = np.concatenate(alone)
        parts = [s @ p.meat @ s for s, p in zip(self._stretched, patterns, strict=True)]
        self.covariance: FloatArray = sum(parts, np.zeros_like(inverse))

    def estimate(self, value: float, weights: FloatArray, unit: float, level: float) -> Estimate:
        """Put an interval around unit * (weights @ parameters), whose value is given."""
        if self._rests_on_one_deal(weights):
            return Estimate(value, None, None, self.n_deals, level, ONE_DEAL)
        variance = float(weights @ self.covariance @ weights)
        if variance <= ROUNDING * float(np.abs(self.covariance).max()):
            variance = 0.0
        freedom = self._degrees_of_freedom(weights) if self.n_deals > 1 else None
        return from_variance(value, variance * unit**2, self.n_deals, level, freedom)

    def _rests_on_one_deal(self, weights: FloatArray) -> bool:
        loads = self._alone @ weights
        return bool((loads**2 > 1e-9 * (weights @ self.inverse @ weights)).any())

    def _degrees_of_freedom(self, weights: FloatArray) -> float:
        """Satterthwaite's: the square of the trace over the trace of the square of the residuals' covariance.

        The residual of a deal with weights a is a'(u - A B U), U the sum of all scores u, A the deal's information;
        so two deals have the covariance -e, a deal with itself d - e.
        """
        n = np.array([pattern.n_deals for pattern in self.patterns], dtype=np.float64)
        pulls = np.array([p.information @ s @ weights for p, s in zip(self.patterns, self._stretched, strict=True)])
        d = np.array([weights @ s @ pull for s, pull in zip(self._stretched, pulls, strict=True)])
        e = pulls @ self.inverse @ pulls.T
        own = np.diag(e)
        trace = float(n @ (d - own))
        squares = float(n @ (d * d - 2 * d * own) + n @ (e * e) @ n)
        return trace**2 / squares
