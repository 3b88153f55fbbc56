"""What is kept of the hands: a byte for each deal of a pairing, and a tally of how its hands ended.

The code of a deal is ``(r1 + 3) * 7 + (r2 + 3)``; r1 and r2 are the first agent's game points, -3..3 and 0 where
nobody won, in half 0, in which it sits on seat 0, and in half 1, in which it sits on seat 1.
"""

from collections.abc import MutableSequence
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt

from harness.core.records import dtype_of

N_CODES: Final = 49
NOT_PLAYED: Final = 255
"""The byte of a deal that a pairing has not played."""

ENDINGS_SHAPE: Final = (2, 2, 7, 4)
"""Shape of an endings tally: [half, winning side, how, game points]; a hand that nobody won is [half, 0, how, 0]."""

FORFEIT: Final = 7
"""How a forfeited hand ended, after the numbers of `harness.core.records.ENDINGS`; it pays 3 game points."""

MATCH: Final = 8
"""How a row ends that is a whole match: its points are 1 for the winner, and it has none of a hand's endings."""

MOST_HANDS: Final = 1024
"""A match that nobody has won after so many hands is drawn; only hands that nobody wins can make one that long.

Hand k of match d is dealt as deal ``d * MOST_HANDS + k``: each has a pack of its own, which `show` can deal, too.
"""


class HandRow:
    """A hand or a match that has been played, by sides of the pairing: 0 is the first agent.

    ``hash`` is its part of the digest, ``points`` the first agent's game points (of a match 1 if it has won, -1 if it
    has lost, 0 if it is drawn), ``how`` a place in ENDINGS, FORFEIT or MATCH. Of the last two nothing else is told:
    ``trick_points`` and ``tricks`` those of both sides, ``n_actions`` the length of the public history, ``closer`` the
    side that closed, -1 for nobody.
    """

    hash: Annotated[Any, np.uint64]
    points: Annotated[int, np.int8]
    how: Annotated[int, np.uint8]
    trick_points: Annotated[MutableSequence[int], np.uint8, 2]
    tricks: Annotated[MutableSequence[int], np.uint8, 2]
    n_actions: Annotated[int, np.uint8]
    closer: Annotated[int, np.int8]


HAND_DTYPE: Final = dtype_of(HandRow)
"""Dtype of HandRow, 16 bytes."""


def codes_of(hands: Any) -> npt.NDArray[np.uint8]:
    """Return the code of each deal; `hands` holds both halves of every one, in order."""
    points = hands["points"].astype(np.int64) + 3
    codes: npt.NDArray[np.uint8] = (points[0::2] * 7 + points[1::2]).astype(np.uint8)
    return codes


def endings_of(hands: Any) -> npt.NDArray[np.int64]:
    """Count how the hands ended, int64, ENDINGS_SHAPE; forfeited hands and matches end by none of these."""
    points = hands["points"].astype(np.int64)
    half = np.arange(len(hands)) % 2
    cells = ((half * 2 + (points < 0)) * 7 + hands["how"]) * 4 + np.abs(points)
    counted: npt.NDArray[np.int64] = np.bincount(cells[hands["how"] < FORFEIT], minlength=int(np.prod(ENDINGS_SHAPE)))
    return counted.reshape(ENDINGS_SHAPE)
