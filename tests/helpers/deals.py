"""Deals of made-up tournaments: codes, blocks, and the same hands one by one for other people's programs."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from harness.play.codes import N_CODES, NOT_PLAYED
from harness.stats.codes import CodeArray, FloatArray, IntArray, PairingTable
from harness.stats.moments import DealMoments


def code(first: int, second: int) -> int:
    """Code of a deal from the first agent's game points in its two hands, as the agreement on paper has it."""
    return (first + 3) * 7 + (second + 3)


def round_robin(n_agents: int) -> list[tuple[int, int]]:
    """All pairings i < j, numbered j (j - 1) / 2 + i."""
    return [(i, j) for j in range(n_agents) for i in range(j)]


def counts_of(block: CodeArray) -> IntArray:
    """Counts of the 49 codes by pairing."""
    counts = [np.bincount(row[row != NOT_PLAYED], minlength=N_CODES) for row in block]
    return np.array(counts, dtype=np.int64).reshape(len(block), N_CODES)


def table_of(n_agents: int, pairings: Sequence[tuple[int, int]], block: CodeArray) -> PairingTable:
    """Make the table of a block."""
    return PairingTable(n_agents, pairings, counts_of(block))


def moments_of(
    block: CodeArray,
    n_agents: int,
    pairings: Sequence[tuple[int, int]],
    used: npt.ArrayLike,
    scale: IntArray | FloatArray,
) -> DealMoments:
    """Moments of one block."""
    moments = DealMoments(n_agents, pairings, np.asarray(used, dtype=np.bool_), scale)
    moments.add(block)
    return moments


def random_block(
    rng: np.random.Generator,
    strengths: Sequence[float],
    pairings: Sequence[tuple[int, int]],
    n_deals: int,
    seat: float = 0.2,
    shared: float = 0.8,
) -> CodeArray:
    """Play deals whose luck is partly shared by all pairings: a strong hand is strong whoever holds it.

    The first agent's latent margin in a hand is its strength minus the other's, plus or minus the luck of the
    seat; its size makes the game points, and a tenth of the hands nobody wins.
    """
    luck = seat + shared * rng.standard_normal(n_deals)
    block = np.empty((len(pairings), n_deals), dtype=np.uint8)
    for row, (i, j) in enumerate(pairings):
        halves = []
        for sign in (1, -1):
            margin = strengths[i] - strengths[j] + sign * luck + rng.standard_normal(n_deals)
            points = np.sign(margin) * np.clip(1 + np.floor(np.abs(margin)), 1, 3)
            points[rng.random(n_deals) < 0.1] = 0
            halves.append(points.astype(np.int64))
        block[row] = code(0, 0) + 7 * halves[0] + halves[1]
    return block


def hands_of(
    block: CodeArray, n_agents: int, pairings: Sequence[tuple[int, int]]
) -> tuple[FloatArray, IntArray, IntArray]:
    """List all hands: design rows (agents, then seat), the first agent's game points, and the deal of each."""
    rows, points, deals = [], [], []
    for codes, (i, j) in zip(block, pairings, strict=True):
        for deal, byte in enumerate(codes):
            if byte == NOT_PLAYED:
                continue
            for half, r in enumerate((int(byte) // 7 - 3, int(byte) % 7 - 3)):
                row = np.zeros(n_agents + 1)
                row[i], row[j], row[-1] = 1, -1, 1 - 2 * half
                rows.append(row)
                points.append(r)
                deals.append(deal)
    return np.array(rows), np.array(points), np.array(deals)
