"""Plain averages of one agent over all its hands, with errors clustered by deal."""

import numpy as np

from harness.stats.codes import RESULTS
from harness.stats.estimate import LEVEL, NO_DEALS, Estimate, from_variance
from harness.stats.moments import DealMoments


def average_a_hand(moments: DealMoments, agent: int, level: float = LEVEL) -> Estimate:
    """Average of one agent over its hands: game points, or result (1 won, 0 nobody won, -1 lost).

    A ratio estimate, as the agent may have played a different number of hands of each deal: with t the total
    and h the number of hands of a deal, m = sum(t) / sum(h), and the variance of m is sum((t - h m)^2) /
    sum(h)^2 times G/(G-1) for G deals (Cochran 1977, chapter 6).

    Parameters
    ----------
    moments
        Moments over all pairings of the run.
    agent
        Number of the agent.
    level
        Confidence level.
    """
    mine = [agent in pair for pair in moments.pairings]
    parts = [
        (
            2 * int((played & mine).sum()),
            sums.n_deals,
            int(sums.totals[agent]),
            int(sums.products[agent, agent]),
        )
        for played, sums in moments.patterns()
        if (played & mine).any()
    ]
    n_hands = sum(h * n for h, n, _, _ in parts)
    n_deals = sum(n for _, n, _, _ in parts)
    if n_hands == 0:
        return Estimate(None, None, None, 0, level, NO_DEALS)
    total = sum(t for _, _, t, _ in parts)
    # (t - h m)^2 with m = total / n_hands, times n_hands^2: whole numbers, so that no spread is exactly 0.
    squares = sum(tt * n_hands**2 - 2 * h * t * total * n_hands + h * h * n * total**2 for h, n, t, tt in parts)
    correction = n_deals / (n_deals - 1) if n_deals > 1 else 1.0
    return from_variance(total / n_hands, squares / n_hands**4 * correction, n_deals, level)


def share_of_hands_won(moments: DealMoments, agent: int, level: float = LEVEL) -> Estimate:
    """Share of its hands that an agent won, a hand nobody won counting half; `moments` of RESULTS.

    Raises
    ------
    ValueError
        If the moments are of another scale.
    """
    if not np.array_equal(moments.scale, RESULTS):
        raise ValueError("shares of hands won need the moments of results, not of game points")
    return average_a_hand(moments, agent, level).map(lambda result: min(max((1 + result) / 2, 0.0), 1.0))
