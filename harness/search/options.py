"""Judge the options of a decision in the same imagined worlds: which worlds, and what they say on average."""

from typing import Any

import numpy as np

from harness.core.bits import lowest
from harness.core.kernel import kernel
from harness.core.records import View
from harness.search.worlds import first_hand, n_hands, next_hand, sample_hand


@kernel
def is_told_by_hands(v: View) -> bool:
    """Say whether a world is the other hand and nothing else: no face-down order matters any more."""
    return v.closer >= 0 or v.n_stock <= 2


@kernel
def are_few(v: View, clues: Any, n_worlds: int) -> bool:
    """Say whether all worlds can be looked at, as there are no more than `n_worlds`."""
    return is_told_by_hands(v) and n_hands(clues) <= n_worlds


@kernel
def next_world(v: View, clues: Any, all_of_them: bool, i: int, hand: int, rng: Any) -> int:
    """Other hand of world number `i`: the one after `hand` if all are looked at (-1 after the last), else a sample."""
    if not all_of_them:
        return sample_hand(v, clues, rng)
    return first_hand(v, clues) if i == 0 else next_hand(v, clues, hand)


@kernel
def add_value(totals: Any, action: int, value: float) -> None:
    """Count one more value of an action in `totals` (float64, shape (2, 40)): its sum and sum of squares."""
    totals[0, action] += value
    totals[1, action] += value * value


@kernel
def write_means(totals: Any, options: int, n: int, is_exact: bool, means: Any, errors: Any) -> None:
    """Turn totals over `n` worlds into means and their standard errors: 0 over all worlds, nan over a sample of one."""
    while options:
        action = lowest(options)
        options &= options - 1
        mean = totals[0, action] / n
        means[action] = mean
        spread = max(0.0, totals[1, action] / n - mean * mean)
        errors[action] = 0.0 if is_exact else np.sqrt(spread / (n - 1)) if n > 1 else np.nan
