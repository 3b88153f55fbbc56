"""How long each agent takes for a hand, from how long its pairings took."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.stats.codes import FloatArray

_KNOWN = 1 - 1e-9
"""How much of an agent's time the pairings must determine for it to be told."""


def seconds_a_hand(
    n_agents: int, pairings: Sequence[tuple[int, int]], n_hands: npt.ArrayLike, seconds: npt.ArrayLike
) -> FloatArray:
    """Split the time of a hand between its two agents.

    A hand of agents i and j takes t_i + t_j; dealing and keeping the rules are in both. Non-negative least squares on
    the pairings' times a hand, each in units of itself, as times differ by factors (Lawson and Hanson 1974).

    Parameters
    ----------
    n_agents
        Number of agents.
    pairings
        First and second agent of each pairing.
    n_hands, seconds
        Hands that each pairing has played, and how long it took; shape (n_pairings,).

    Returns
    -------
    Seconds a hand, shape (n_agents,); NaN for an agent whose part cannot be told, as with two agents that only met
    each other. 0 for one that is lost beside its opponents.

    """
    # Imported late: only a report with figures asks.
    from scipy.optimize import nnls

    hands, spent = np.asarray(n_hands, dtype=np.float64), np.asarray(seconds, dtype=np.float64)
    times = np.full(n_agents, np.nan)
    used = (hands > 0) & (spent > 0)
    if not used.any():
        return times
    design = np.zeros((len(pairings), n_agents))
    for row, pair in enumerate(pairings):
        design[row, list(pair)] = 1.0
    design = design[used] / (spent[used] / hands[used])[:, np.newaxis]
    found, _ = nnls(design, np.ones(int(used.sum())))
    # What the pairings say of each agent alone: the diagonal of the projection onto the rows of who met whom.
    met = (design > 0).astype(np.float64)
    known = np.diag(np.linalg.pinv(met) @ met) > _KNOWN
    times[known] = found[known]
    return times
