"""Counter-based randomness: SplitMix64 streams keyed by numbers, never a global generator.

A stream is one uint64 counter; it starts at a hash of what it belongs to, so that a deal is a function of
(seed, deal) alone and an agent's luck one of (seed, deal, seat, side). Source of the mixing function: Steele, Lea,
Flood, "Fast splittable pseudorandom number generators" (2014), with Stafford's variant 13 of the constants.
"""

from typing import Any, Final

import numpy as np

from harness.core.kernel import kernel

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_M1: Final = np.uint64(0xBF58476D1CE4E5B9)
_M2: Final = np.uint64(0x94D049BB133111EB)
_S27: Final = np.uint64(27)
_S30: Final = np.uint64(30)
_S31: Final = np.uint64(31)
_S32: Final = np.uint64(32)

# First words of all keys of the project, here together so that no two kinds ever share one.
DEAL_KEY: Final = np.uint64(1)
AGENT_KEY: Final = np.uint64(2)
HAND_KEY: Final = np.uint64(3)
DEALER_KEY: Final = np.uint64(4)


@kernel
def mix(x: np.uint64) -> np.uint64:
    """Scramble 64 bits: SplitMix64's output function."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@kernel
def fold(key: np.uint64, word: int) -> np.uint64:
    """Hash one more word into a key."""
    return mix((key ^ np.uint64(word)) + GOLDEN)


@kernel
def deal_stream(seed: int, deal: int) -> np.uint64:
    """Start of the stream that shuffles a deal."""
    return fold(fold(mix(DEAL_KEY), seed), deal)


@kernel
def agent_stream(seed: int, deal: int, seat: int, side: int) -> np.uint64:
    """Start of an agent's stream in one hand; `side` is 0 or 1, first or second agent of the pairing."""
    return fold(fold(fold(mix(AGENT_KEY), seed), deal), seat * 2 + side)


@kernel
def bounded(word: np.uint64, n: int) -> int:
    """Turn 64 random bits into a number 0..n-1 by multiply and shift; bias below n / 2**32."""
    return np.int64(((word >> _S32) * np.uint64(n)) >> _S32)  # type: ignore[return-value]


@kernel
def next_word(rng: Any) -> np.uint64:
    """Next 64 random bits of a stream held in ``rng[0]`` (uint64 array), which moves on."""
    rng[0] += GOLDEN
    return mix(rng[0])


@kernel
def next_below(rng: Any, n: int) -> int:
    """Next random number 0..n-1 of a stream held in ``rng[0]`` (uint64 array), which moves on."""
    return bounded(next_word(rng), n)


@kernel
def next_unit(rng: Any) -> float:
    """Next random float in [0, 1) of a stream held in ``rng[0]`` (uint64 array), which moves on."""
    return float(next_word(rng) >> np.uint64(11)) * 1.1102230246251565e-16
