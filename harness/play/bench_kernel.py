"""A fixed piece of work, compiled like everything else, to compare machines by."""

from typing import Any

import numpy as np
from numba import types

from harness.core.kernel import kernel
from harness.core.rng import next_word

REFERENCE_STEPS = 100_000_000


@kernel(signature=types.uint64(types.uint64[::1], types.int64))
def reference_loop(rng: Any, n: int) -> np.uint64:
    """Take `n` steps of the SplitMix64 stream in ``rng[0]``, each from where the last output has pushed it.

    The push makes every step wait for the one before, so that no compiler can do several at once.
    """
    word = np.uint64(0)
    for _ in range(n):
        rng[0] ^= word
        word = next_word(rng)
    return word
