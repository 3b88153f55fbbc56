"""What another rule set does to each agent's average over all its hands, deal by deal on common deals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from harness.play.codes import NOT_PLAYED
from harness.stats.averages import average_a_hand
from harness.stats.codes import BoolArray, CodeArray, IntArray
from harness.stats.estimate import LEVEL, Estimate
from harness.stats.moments import DealMoments


class AgentChanges:
    """Sums over the deals that were played under two rule sets, from which each agent's change follows.

    A pairing under the first rule set is taken for one more pairing of the second with its agents the other way
    round. So an agent's total of a deal is what it earned under the second less what it earned under the first, and
    the errors are those of any average, clustered by deal.

    Parameters
    ----------
    n_agents
        Number of agents.
    pairings
        Agents of each pairing, first and second; the rows of every block.
    used
        Which pairings count, shape (n_pairings,).
    scale
        What a deal code is worth to the first agent by half, shape (2, 49).
    """

    def __init__(self, n_agents: int, pairings: Sequence[tuple[int, int]], used: BoolArray, scale: IntArray):
        turned = [(second, first) for first, second in pairings]
        self._moments = DealMoments(n_agents, [*pairings, *turned], np.concatenate([used, used]), scale)

    def add(self, first: CodeArray, second: CodeArray) -> None:
        """Add a block of deals.

        Parameters
        ----------
        first, second
            The codes of the same deals under the two rule sets, uint8, shape (n_pairings, n_deals); NOT_PLAYED where a
            pairing has not played one. Only what was played under both counts.
        """
        either = (first == NOT_PLAYED) | (second == NOT_PLAYED)
        missing = np.uint8(NOT_PLAYED)
        self._moments.add(np.concatenate([np.where(either, missing, second), np.where(either, missing, first)]))

    def difference(self, agent: int, level: float = LEVEL) -> Estimate:
        """How much more an agent earns a hand under the second rule set than under the first."""
        half = average_a_hand(self._moments, agent, level)  # of twice as many hands as either average is of
        doubled = half.map(lambda value: 2 * value)
        error = None if half.error is None else 2 * half.error
        return replace(doubled, error=error, degrees_of_freedom=half.degrees_of_freedom)
