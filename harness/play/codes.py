"""What is kept of the hands: a byte for each deal of a pairing, and a tally of how its hands ended.

The code of a deal is ``(r1 + 3) * 7 + (r2 + 3)``; r1 and r2 are the first agent's game points, -3..3 and 0 where
nobody won, in half 0, in which it sits on seat 0, and in half 1, in which it sits on seat 1.
"""

from typing import Final

import numpy as np

N_CODES: Final = 49
NOT_PLAYED: Final = 255
"""The byte of a deal that a pairing has not played."""

ENDINGS_SHAPE: Final = (2, 2, 7, 4)
"""Shape of an endings tally: [half, winning side, how, game points]; a hand that nobody won is [half, 0, how, 0]."""

FORFEIT: Final = 7
"""How a forfeited hand ended, after the numbers of `harness.core.records.ENDINGS`; it pays 3 game points."""

HAND_DTYPE: Final = np.dtype(
    [
        ("hash", "<u8"),
        ("points", "i1"),
        ("how", "u1"),
        ("trick_points", "u1", 2),
        ("tricks", "u1", 2),
        ("n_actions", "u1"),
        ("closer", "i1"),
    ]
)
"""A hand that has been played.

Its part of the digest; the first agent's game points; how it ended (an index into ENDINGS, or FORFEIT); points and
tricks of both sides; length of the public history; the side that closed, -1 for nobody.
"""
