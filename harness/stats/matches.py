"""What share of its matches an agent would win, over all its opponents.

Each pairing has its match probability (`equity`), and each of its deals pulls at it by so much (delta method). An
agent's share is the mean over the deals of all its pairings, and all deals of one pack belong together in its error.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from harness.stats.codes import FloatArray
from harness.stats.equity import ENDLESS_MATCH, MatchEquity
from harness.stats.estimate import LEVEL, NO_DEALS, NO_SPREAD, Estimate, from_variance
from harness.stats.moments import DealMoments

_ROUNDING: Final = 1e-12
"""What is left of a difference of shares below this is rounding."""


def pulls_of(equities: Sequence[MatchEquity]) -> FloatArray:
    """Give the scale for `DealMoments`: how far a deal of each code pulls the match probability of its pairing.

    The pull is equal in both halves, whose sum is the whole of it; 0 for a pairing without a probability. Shape
    (n_pairings, 2, 49).
    """
    pulls = np.zeros((len(equities), 2, 49))
    for row, equity in enumerate(equities):
        if equity.table is not None:
            pulls[row] = (equity.table.code_values() - equity.table.win_probability) / 2
    return pulls


def share_of_matches_won(
    equities: Sequence[MatchEquity], moments: DealMoments, agent: int, level: float = LEVEL
) -> Estimate:
    """Share of its matches that an agent would win, mean over its opponents by the deals that it has played them.

    A ratio estimate like `average_a_hand`; its interval is that of the log odds, as for one pairing.

    Parameters
    ----------
    equities
        Of all pairings, in their order.
    moments
        Moments of the `pulls_of` these over all pairings.
    agent
        Number of the agent.
    level
        Confidence level.
    """
    won = np.full(len(equities), np.nan)
    for row, ((first, second), equity) in enumerate(zip(moments.pairings, equities, strict=True)):
        value = equity.matches_won.value
        if value is not None and agent in (first, second):
            won[row] = value if agent == first else 1 - value
    known = np.isfinite(won)
    parts = [(won[played & known], sums) for played, sums in moments.patterns() if (played & known).any()]
    n_deals = sum(sums.n_deals for _, sums in parts)
    if not n_deals:
        met = any(equity.n_deals and agent in pair for pair, equity in zip(moments.pairings, equities, strict=True))
        return Estimate(None, None, None, 0, level, ENDLESS_MATCH if met else NO_DEALS)
    n_matches = sum(len(shares) * sums.n_deals for shares, sums in parts)
    mean = sum(float(shares.sum()) * sums.n_deals for shares, sums in parts) / n_matches
    squares = 0.0
    for shares, sums in parts:
        # A deal is off the mean by its pulls, and by what its pairings, all those of the pattern, are off it.
        off = float((shares - mean).sum())
        off = 0.0 if abs(off) < _ROUNDING else off
        squares += float(sums.products[agent, agent] + 2 * off * sums.totals[agent] + sums.n_deals * off**2)
    # Beyond the tenth digit is what the order of adding up has left, which must not be seen.
    squares = float(f"{squares:.9e}")
    correction = n_deals / (n_deals - 1) if n_deals > 1 else 1.0
    return _interval(min(max(mean, 0.0), 1.0), squares / n_matches**2 * correction, n_deals, level)


def _interval(share: float, variance: float, n_deals: int, level: float) -> Estimate:
    from scipy.special import expit, logit

    if not 0 < share < 1:
        return Estimate(share, None, None, n_deals, level, NO_SPREAD)
    odds = from_variance(float(logit(share)), variance / (share * (1 - share)) ** 2, n_deals, level)
    return replace(odds.map(lambda at: float(expit(at))), value=share)
