"""Sums over deals, in whole numbers, from which every error that is clustered by deal is computed.

All pairings of a run play the same packs, so their results on one deal belong together. What a joint fit
needs of a deal is one total per agent (what it won minus what it lost over all its hands of that deal) and
one for seat 0; of these totals it needs the sum and the products. Deals are told apart only by which pairings
have played them, and there are few such patterns: one in a finished run, a few in an interrupted or grown
one. The sums are exact integers, so cutting the deals into blocks differently, or adding these in
another order, changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.play.codes import N_CODES, NOT_PLAYED
from harness.stats.codes import BoolArray, CodeArray, FloatArray, IntArray

STRIP = 8192
"""Deals that are worked on at a time; bounds the memory, has no influence on the result."""


@dataclass
class Sums:
    """Sums over the deals of one pattern: totals by agent, then by seat 0, and their products."""

    n_deals: int
    totals: IntArray | FloatArray
    products: IntArray | FloatArray

    def add(self, other: Sums) -> None:
        """Add the deals of another sum."""
        self.n_deals += other.n_deals
        self.totals += other.totals
        self.products += other.products


class DealMoments:
    """First and second moments over deals of one scale, such as GAME_POINTS or RESULTS of `codes`.

    Parameters
    ----------
    n_agents
        Number of agents; the totals of a deal have n_agents + 1 entries, the last for seat 0.
    pairings
        Agents of each pairing, first and second; the rows of every block.
    used
        Which pairings count, shape (n_pairings,); the rest are treated as not played.
    scale
        What a deal code is worth to the first agent by half, shape (2, 49), or by pairing and half, shape
        (n_pairings, 2, 49). Only whole numbers have exact sums.
    """

    def __init__(
        self, n_agents: int, pairings: Sequence[tuple[int, int]], used: BoolArray, scale: IntArray | FloatArray
    ):
        self.n_agents = n_agents
        self.pairings = list(pairings)
        self.used = used
        self.scale = scale
        by_pairing = np.broadcast_to(scale, (len(self.pairings), 2, N_CODES)).astype(np.float64)
        self._both = _by_byte(by_pairing[:, 0] + by_pairing[:, 1])
        self._apart = _by_byte(by_pairing[:, 0] - by_pairing[:, 1])
        self._sums: dict[bytes, Sums] = {}

    def add(self, block: CodeArray) -> None:
        """Add a block of deals.

        Parameters
        ----------
        block
            uint8, shape (n_pairings, n_deals): the code of each deal, NOT_PLAYED where a pairing has not
            played it. Each column is one pack; a pack must come in one column of one block only.

        Raises
        ------
        ValueError
            If the shape is another one, or a byte is neither a code nor NOT_PLAYED.
        """
        if block.ndim != 2 or len(block) != len(self.pairings):
            raise ValueError(f"a block has shape {block.shape}; expected ({len(self.pairings)}, number of deals)")
        for start in range(0, block.shape[1], STRIP):
            self._add_strip(block[:, start : start + STRIP])

    def patterns(self) -> Iterator[tuple[BoolArray, Sums]]:
        """Go through the patterns in a fixed order: which pairings played, shape (n_pairings,), and sums."""
        for pattern in sorted(self._sums):
            bits = np.unpackbits(np.frombuffer(pattern, np.uint8), count=len(self.pairings))
            yield bits.astype(np.bool_), self._sums[pattern]

    def _add_strip(self, strip: CodeArray) -> None:
        played = strip != NOT_PLAYED
        if (played & (strip >= N_CODES)).any():
            raise ValueError(f"a block holds {strip[played].max()}, which is no deal code (0..{N_CODES - 1})")
        played &= self.used[:, np.newaxis]
        totals = self._deal_totals(strip)
        if (played == played[:, :1]).all():
            self._add_deals(np.packbits(played[:, 0]), totals)
            return
        patterns, place = np.unique(np.packbits(played, axis=0), axis=1, return_inverse=True)
        for k in range(patterns.shape[1]):
            self._add_deals(patterns[:, k], totals[:, place == k])

    def _deal_totals(self, strip: CodeArray) -> FloatArray:
        """Totals of each deal, shape (n_agents + 1, n_deals); whole numbers too as floats, for a fast product."""
        totals = np.zeros((self.n_agents + 1, strip.shape[1]))
        for row, (codes, (first, second)) in enumerate(zip(strip, self.pairings, strict=True)):
            if self.used[row]:
                both = self._both[row][codes]
                totals[first] += both
                totals[second] -= both
                totals[-1] += self._apart[row][codes]
        return totals

    def _add_deals(self, pattern: CodeArray, totals: FloatArray) -> None:
        if pattern.any():
            # Whole ones are exact: a total is below 2**16, so the sum of a strip's products stays far below 2**53.
            kind: np.dtype[Any] = self.scale.dtype
            sums = Sums(totals.shape[1], totals.sum(axis=1).astype(kind), (totals @ totals.T).astype(kind))
            nothing = Sums(0, np.zeros_like(sums.totals), np.zeros_like(sums.products))
            self._sums.setdefault(pattern.tobytes(), nothing).add(sums)


def _by_byte(worth: FloatArray) -> FloatArray:
    """Spread tables by pairing and deal code to all 256 bytes, 0 for the bytes that are no code."""
    table = np.zeros((len(worth), 256))
    table[:, :N_CODES] = worth
    return table
