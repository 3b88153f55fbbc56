"""Which agents can be rated together, and why the others cannot.

Least squares on game points needs agents that hands connect. Bradley-Terry needs more: a chain of hands not
lost from each agent to each other one (Ford 1957; Hunter 2004, assumption 1). Where it is missing, the
likelihood has no maximum, and any number would come from the stopping rule of the program.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from harness.stats.codes import RESULTS, BoolArray, IntArray, PairingTable
from harness.stats.pairs import LOST_ALL, WON_ALL

NO_HANDS = "played no hands"
APART = "no hands, direct or through others, connect it with the rated agents"
NEVER_LOST = "nobody rated has won or drawn against it, directly or through others"
NEVER_WON = "it has won or drawn against nobody rated, directly or through others"
NOT_COMPARED = "no results in both directions compare it with the rated agents"
ALONE = "no results in both directions compare it with any other agent"


@dataclass(frozen=True)
class Pool:
    """The agents that get a rating: ``rated`` by agent, and a reason by agent ("" for the rated ones)."""

    rated: BoolArray
    notes: tuple[str, ...]

    def inside(self, pairings: Sequence[tuple[int, int]]) -> BoolArray:
        """Tell which pairings are between two rated agents, shape (n_pairings,)."""
        return np.array([self.rated[i] and self.rated[j] for i, j in pairings], dtype=np.bool_)


def connected_pool(table: PairingTable, anchor: int | None = None) -> Pool:
    """Find the agents that hands connect: the anchor's group, or else the largest.

    Parameters
    ----------
    table
        Who played whom, and what came of it.
    anchor
        An agent whose group is to be rated, if that group has at least two agents.
    """
    links = _played(table)
    return _pool(links, links, table, anchor)


def comparable_pool(table: PairingTable, anchor: int | None = None) -> Pool:
    """Find agents that chains of hands not lost connect both ways: the anchor's group, or else the largest.

    Groups of equal size: the one that played more deals, then the one named first. Parameters as for
    `connected_pool`.
    """
    first_unbeaten = table.counts[:, (RESULTS >= 0).any(axis=0)].sum(axis=1) > 0
    second_unbeaten = table.counts[:, (RESULTS <= 0).any(axis=0)].sum(axis=1) > 0
    return _pool(table.links(first_unbeaten, second_unbeaten), _played(table), table, anchor)


def seat_has_estimate(table: PairingTable, used: BoolArray) -> bool:
    """Tell whether a seat term beside the ratings has a maximum of the likelihood.

    It has none if strengths exist that explain every result together with an endless advantage of one seat.
    Let strengths d and a seat term c = 1 explain them: d[winner] - d[loser] >= -1 for each win on seat 0, >=
    +1 for each on seat 1. Such d exist exactly if the graph of these bounds has no negative cycle; the same
    for c = -1.

    Parameters
    ----------
    table
        Who played whom, and what came of it.
    used
        The pairings inside a pool that `comparable_pool` found.
    """
    return all(_has_negative_cycle(_seat_bounds(table, used, c)) for c in (1, -1))


def _seat_bounds(table: PairingTable, used: BoolArray, advantage: int) -> IntArray:
    """Tightest bound by winner and loser, 0 where there is no win, shape (n_agents, n_agents)."""
    bounds = np.full((table.n_agents, table.n_agents), 2)
    for pair, row, use in zip(table.pairings, table.counts, used, strict=True):
        for half in (0, 1):
            for side in (0, 1):
                unlost = RESULTS[half] >= 0 if side == 0 else RESULTS[half] <= 0
                if use and row[unlost].any():
                    winner, loser = pair[side], pair[1 - side]
                    bound = advantage if half == side else -advantage
                    bounds[winner, loser] = min(bounds[winner, loser], bound)
    return np.where(bounds == 2, 0, bounds)


def _has_negative_cycle(bounds: IntArray) -> bool:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import NegativeCycleError, bellman_ford

    graph = csr_array(bounds.astype(np.float64))
    start = int(np.flatnonzero(bounds.any(axis=1))[0])
    try:
        bellman_ford(graph, indices=start)
    except NegativeCycleError:
        return True
    return False


def _played(table: PairingTable) -> BoolArray:
    played = table.n_deals > 0
    return table.links(played, played)


def _pool(links: BoolArray, hands: BoolArray, table: PairingTable, anchor: int | None) -> Pool:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(csr_array(links), directed=True, connection="strong")
    sizes = np.bincount(label)
    if anchor is not None and sizes[label[anchor]] > 1:
        chosen = int(label[anchor])
    else:
        inside = [label[i] if label[i] == label[j] else len(sizes) for i, j in table.pairings]
        deals = np.bincount(inside, weights=table.n_deals, minlength=len(sizes))
        first = [int(np.flatnonzero(label == k)[0]) for k in range(len(sizes))]
        chosen = min(range(len(sizes)), key=lambda k: (-sizes[k], -deals[k], first[k]))
    rated = (label == chosen) if sizes[chosen] > 1 else np.zeros(len(label), dtype=np.bool_)
    return Pool(rated, tuple("" if rated[i] else _reason(i, links, hands, rated) for i in range(len(rated))))


def _reason(agent: int, links: BoolArray, hands: BoolArray, rated: BoolArray) -> str:
    """Say why an agent has no rating; `links` point from each agent to those it did not always lose to."""
    others = hands[agent]
    if not others.any():
        return NO_HANDS
    if not links[:, agent].any():
        return WON_ALL
    if not links[agent].any():
        return LOST_ALL
    if not rated.any():
        return ALONE
    if not (_reachable(hands, agent) & rated).any():
        return APART
    above = (_reachable(links, agent) & rated).any()
    below = (_reachable(links.T, agent) & rated).any()
    return NEVER_LOST if above and not below else NEVER_WON if below and not above else NOT_COMPARED


def _reachable(links: BoolArray, start: int) -> BoolArray:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import breadth_first_order

    order = breadth_first_order(csr_array(links), start, directed=True, return_predecessors=False)
    reached = np.zeros(len(links), dtype=np.bool_)
    reached[order] = True
    return reached
