"""Judge options by the exact solver in each imagined world, as if both sides knew all cards from then on.

Right in strict play with the stock gone and for the reply before it; an estimate in closed play, where it flatters the
side that closes a little, because the closer's own choices are made with the hidden cards in sight.
"""

from typing import Any

import numpy as np

from harness.core.apply import apply
from harness.core.bits import lowest
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import STATE_DTYPE, RulesRecord, View
from harness.search.options import add_value, are_few, next_world, write_means
from harness.search.solver import action_values
from harness.search.worlds import place, shuffle_stock


@kernel
def solve_options(
    v: View,
    r: RulesRecord,
    first: int,
    clues: Any,
    n_worlds: int,
    worth: Any,
    work: Any,
    rng: Any,
    means: Any,
    errors: Any,
) -> int:
    """Solve every option in the same worlds, `n_worlds` samples, or all if they are no more; returns their mask.

    With an action `first` (else -1) it is carried out before, and the options are those of my next decision. Writes the
    mean worth (`worth`: float64, shape (7,), by game points -3..3) and the standard error of each into `means` and
    `errors` (float64, shape (40,)). `work` is the memory of the solver.
    """
    states, values, totals = np.zeros(1, STATE_DTYPE), np.zeros(40, np.int64), np.zeros((2, 40))
    s = states[0]
    all_of_them = are_few(v, clues, n_worlds)
    hand, i, options = 0, 0, 0
    while i < n_worlds:
        hand = next_world(v, clues, all_of_them, i, hand, rng)
        if hand < 0:
            break
        place(v, r, hand, s)
        if not all_of_them:
            shuffle_stock(s, rng)
        if first >= 0:
            apply(s, r, first)
        options = legal_mask(s, r)
        action_values(s, r, work, values)
        left = options
        while left:
            action = lowest(left)
            left &= left - 1
            add_value(totals, action, worth[values[action] + 3])
        i += 1
    write_means(totals, options, i, all_of_them, means, errors)
    return options
