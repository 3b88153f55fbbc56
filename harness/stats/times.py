"""How long each agent thinks about a move, from how long its pairings took."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.stats.codes import FloatArray

_KNOWN = 1 - 1e-9
"""How much of an agent's time the pairings must determine for it to be told."""


def seconds_a_move(
    n_agents: int, pairings: Sequence[tuple[int, int]], n_moves: npt.ArrayLike, seconds: npt.ArrayLike
) -> FloatArray:
    """Split the time of the pairings between the moves of their agents.

    A pairing in which agents i and j made m and n moves took m t_i + n t_j; dealing and keeping the rules are in both.
    Non-negative least squares on the times of the pairings, each in units of itself, as times differ by factors (Lawson
    and Hanson 1974).

    Parameters
    ----------
    n_agents
        Number of agents.
    pairings
        First and second agent of each pairing.
    n_moves
        Moves of the first and the second agent of each pairing, shape (n_pairings, 2).
    seconds
        How long each pairing took, shape (n_pairings,); one without moves or time does not count.

    Returns
    -------
    Seconds a move, shape (n_agents,); NaN for an agent whose part cannot be told, as with two agents that only met
    each other. 0 for one that is lost beside its opponents.

    """
    # Imported late: only a report with figures asks.
    from scipy.optimize import nnls

    moves, spent = np.asarray(n_moves, dtype=np.float64), np.asarray(seconds, dtype=np.float64)
    times = np.full(n_agents, np.nan)
    used = (moves > 0).all(axis=1) & (spent > 0)
    if not used.any():
        return times
    rows = np.arange(len(pairings))[:, np.newaxis]
    design = np.zeros((len(pairings), n_agents))
    design[rows, np.asarray(pairings)] = moves
    design = design[used] / spent[used, np.newaxis]
    found, _ = nnls(design, np.ones(len(design)))
    # What the pairings say of each agent alone: the diagonal of the projection onto the rows of who met whom.
    met = (design > 0).astype(np.float64)
    known = np.diag(np.linalg.pinv(met) @ met) > _KNOWN
    times[known] = found[known]
    return times
