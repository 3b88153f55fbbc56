"""What the codes of deals (`harness.play.codes`) mean; everything in this room starts from them or their counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from harness.play.codes import N_CODES

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
CodeArray: TypeAlias = npt.NDArray[np.uint8]

GAME_POINTS: Final[IntArray] = np.stack([np.arange(N_CODES) // 7 - 3, np.arange(N_CODES) % 7 - 3])
"""The first agent's game points by half and code, shape (2, 49)."""
RESULTS: Final[IntArray] = np.sign(GAME_POINTS)
"""The first agent's results by half and code, shape (2, 49): 1 won, 0 nobody won, -1 lost."""


@dataclass(frozen=True)
class PairingTable:
    """Who played whom, and what came of it.

    Parameters
    ----------
    n_agents
        Number of agents.
    pairings
        First and second agent of each pairing.
    counts
        How often each deal code came, int64, shape (n_pairings, 49).

    Raises
    ------
    ValueError
        If the shapes do not fit, a count is negative, or a pairing is not one of two of the agents.
    """

    n_agents: int
    pairings: Sequence[tuple[int, int]]
    counts: IntArray

    def __post_init__(self) -> None:
        check_counts(self.counts, len(self.pairings))
        for i, j in self.pairings:
            if i == j or not (0 <= i < self.n_agents and 0 <= j < self.n_agents):
                raise ValueError(f"pairing ({i}, {j}) is not one of two of the {self.n_agents} agents")

    @property
    def n_deals(self) -> IntArray:
        """Deals played by each pairing, shape (n_pairings,)."""
        n_deals: IntArray = self.counts.sum(axis=1)
        return n_deals

    def links(self, forward: BoolArray, backward: BoolArray) -> BoolArray:
        """Make a matrix of agents from a flag by pairing and direction, shape (n_agents, n_agents)."""
        links = np.zeros((self.n_agents, self.n_agents), dtype=np.bool_)
        for (i, j), there, back in zip(self.pairings, forward, backward, strict=True):
            links[i, j] |= there
            links[j, i] |= back
        return links


def check_counts(counts: IntArray, n_pairings: int) -> None:
    """Refuse counts of deal codes that are not int64[n_pairings, 49], or negative, with a ValueError."""
    if counts.shape != (n_pairings, N_CODES):
        raise ValueError(f"counts of deal codes have shape {counts.shape}; expected ({n_pairings}, {N_CODES})")
    if (counts < 0).any():
        raise ValueError(f"counts of deal codes cannot be negative; the smallest is {counts.min()}")


def half_totals(counts: IntArray, scale: IntArray) -> IntArray:
    """Sum a scale (GAME_POINTS or RESULTS) over the deals of each pairing and half, shape (n_pairings, 2)."""
    return counts @ scale.T


def results_by_half(counts: IntArray) -> IntArray:
    """Count the hands of each pairing by half and the first agent's game points -3..3, shape (n_pairings, 2, 7)."""
    by_code = counts.reshape(-1, 7, 7)
    return np.stack([by_code.sum(axis=2), by_code.sum(axis=1)], axis=1)
