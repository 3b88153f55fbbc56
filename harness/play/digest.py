"""The hash of a hand: a run's digest is the sum of these modulo 2**64, so that no order or chunking changes it."""

from typing import Final

import numpy as np
from numba import types

from harness.core.kernel import kernel
from harness.core.records import State
from harness.core.rng import HAND_KEY, fold, mix
from harness.play.codes import FORFEIT

_STEP: Final = np.uint64(0x100000001B3)
_S29: Final = np.uint64(29)


@kernel
def hand_key(pairing: int, deal: int, half: int) -> np.uint64:
    """Start of a hand's hash: which hand of the run it is."""
    return fold(fold(mix(HAND_KEY), pairing), deal * 2 + half)


@kernel
def hash_hand(s: State, key: np.uint64) -> np.uint64:
    """Hash a finished hand: its key, every action with the seat that took it, winner and game points."""
    h = key
    for i in range(s.n_history):
        h = (h ^ np.uint64(s.history[i])) * _STEP
        h ^= h >> _S29
    return fold(h, (s.winner + 1) * 64 + s.game_points)


@kernel(signature=types.uint64(types.int64, types.int64, types.int64))
def hash_forfeit(pairing: int, hand: int, side: int) -> np.uint64:
    """Hash hand ``2 * deal + half``, which a side has forfeited: whatever was played until then does not count."""
    return fold(fold(hand_key(pairing, hand >> 1, hand & 1), FORFEIT), side)
