"""Options played out to the end of the hand by `normal` on both sides, in imagined worlds.

It lies here, with its policy by name, and not in `harness.search` with the policy as an argument: numba does not keep
the machine code of a function that another function is handed to.
"""

from typing import Any

import numpy as np

from agents.normal import DEFAULTS, play_normal
from harness.core.apply import apply
from harness.core.bits import lowest
from harness.core.kernel import kernel
from harness.core.records import OVER, STATE_DTYPE, VIEW_DTYPE, RulesRecord, State, View
from harness.core.score import result_for
from harness.core.view import fill_view
from harness.search.options import add_value, are_few, next_world, write_means
from harness.search.worlds import place, shuffle_stock


@kernel
def play_on(s: State, r: RulesRecord, views: Any, rng: Any) -> None:
    """Play on to the end of the hand as `normal` on both seats, each by its own view.

    Changes `s` and `views` (View, shape (2,)), whose history must be that of `s` as far as it goes.
    """
    while s.phase != OVER:
        v = views[s.to_move]
        fill_view(s, r, s.to_move, v)
        apply(s, r, play_normal(v, r, DEFAULTS, rng))


@kernel
def play_out_options(
    v: View,
    r: RulesRecord,
    options: int,
    clues: Any,
    n_worlds: int,
    worth: Any,
    rng: Any,
    means: Any,
    errors: Any,
) -> None:
    """Play every option out by `normal` in the same worlds, `n_worlds` samples, or all if they are no more.

    Writes for each action of the mask `options` its mean worth (`worth`: float64, shape (7,), by game points -3..3)
    and the standard error into `means` and `errors` (float64, shape (40,)).
    """
    states, views = np.zeros(2, STATE_DTYPE), np.zeros(2, VIEW_DTYPE)
    for seat in range(2):
        views[seat].history[:] = v.history
    world, s = states[0], states[1]
    totals = np.zeros((2, 40))
    all_of_them = are_few(v, clues, n_worlds)
    hand, i = 0, 0
    while i < n_worlds:
        hand = next_world(v, clues, all_of_them, i, hand, rng)
        if hand < 0:
            break
        place(v, r, hand, world)
        if not all_of_them:
            shuffle_stock(world, rng)
        left = options
        while left:
            action = lowest(left)
            left &= left - 1
            states[1] = states[0]
            views[0].n_history = v.n_history
            views[1].n_history = v.n_history
            apply(s, r, action)
            play_on(s, r, views, rng)
            add_value(totals, action, worth[result_for(s, v.seat) + 3])
        i += 1
    write_means(totals, options, i, all_of_them, means, errors)
