"""Who leads under each rule set of a comparison, and by how much over the second.

Pure, as `harness.report.compare_analysis` is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.stats.codes import PairingTable
from harness.stats.estimate import Estimate
from harness.stats.moments import DealMoments
from harness.stats.pools import connected_pool
from harness.stats.ratings import game_point_ratings


@dataclass(frozen=True)
class Lead:
    """The two best agents under one rule set; ``gap`` is how much higher the first is rated, in game points a hand.

    The ratings are those of the report of that rule set's run, over all of its pairings.
    """

    rule_set: int
    first: str
    second: str
    gap: Estimate

    @property
    def told_apart(self) -> bool:
        """Whether the lead is more than chance."""
        return self.gap.excludes(0)


def find_lead(rule_set: int, names: Sequence[str], table: PairingTable, moments: DealMoments, level: float) -> Lead:
    """Rate the agents and find the two best ones.

    Parameters
    ----------
    rule_set
        Its number.
    names
        Of the agents, two of which have met at least.
    table, moments
        Who played whom, what came of it, and the moments of GAME_POINTS over all pairings.
    level
        Confidence level of the interval.

    """
    ratings = game_point_ratings(table, moments, connected_pool(table), level=level)
    order = np.argsort(-ratings.values, kind="stable")  # NaN, for an agent without a rating, comes last
    first, second = order[:2].tolist()
    return Lead(rule_set, names[first], names[second], ratings.difference(first, second))
