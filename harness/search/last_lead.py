"""The lead before the stock is gone: one face-down card is unknown, and the other side does not know it either.

Whoever wins the trick, both hands are known after it, so what follows is solved exactly. The reply in between is that
of a player who takes each card that she cannot place to be the face-down one with equal chance, as she would.
"""

from typing import Any

import numpy as np

from harness.core.apply import apply
from harness.core.bits import lowest
from harness.core.cards import CARDS_MASK
from harness.core.kernel import kernel
from harness.core.records import OVER, STATE_DTYPE, VIEW_DTYPE, RulesRecord, State, View
from harness.core.score import result_for
from harness.core.view import fill_view
from harness.search.clues import N_CLUES, read_clues
from harness.search.double_dummy import solve_options
from harness.search.options import add_value, write_means
from harness.search.solver import action_values
from harness.search.worlds import first_hand, next_hand, place

_MOST_WORLDS = 7
"""So many worlds there are at most when one card lies face down: all are looked at."""


@kernel
def reply_worth(s: State, r: RulesRecord, v: View, worth: Any, work: Any, rng: Any) -> float:
    """Worth to the leader of the trick in `s`, a world, of the reply that the follower finds best from her view.

    `v` is the leader's view before the lead; among equal replies she takes the one that is worst for the leader.
    """
    views, clues, hers = np.zeros(1, VIEW_DTYPE), np.zeros(N_CLUES, np.int64), np.zeros(7)
    means, errors, values = np.zeros(40), np.zeros(40), np.zeros(40, np.int64)
    view = views[0]
    view.history[:] = v.history
    view.n_history = v.n_history
    fill_view(s, r, s.to_move, view)
    read_clues(view, r, clues)
    for i in range(7):
        hers[i] = -worth[6 - i]
    options = solve_options(view, r, -1, clues, _MOST_WORLDS, hers, work, rng, means, errors)
    action_values(s, r, work, values)
    best, lowest_worth = -np.inf, np.inf
    while options:
        action = lowest(options)
        options &= options - 1
        mine = worth[3 - values[action]]
        if means[action] > best + 1e-9 or (means[action] > best - 1e-9 and mine < lowest_worth):
            best, lowest_worth = means[action], mine
    return lowest_worth


@kernel
def lead_means(v: View, r: RulesRecord, clues: Any, worth: Any, work: Any, rng: Any, means: Any, errors: Any) -> int:
    """Judge each card that can be led, in all worlds; returns their mask.

    Writes the mean worth of each into `means`, 0 into `errors`.
    """
    states, totals = np.zeros(2, STATE_DTYPE), np.zeros((2, 40))
    s, cards = states[1], v.legal & CARDS_MASK
    hand, n = first_hand(v, clues), 0
    while hand >= 0:
        place(v, r, hand, states[0])
        left = cards
        while left:
            card = lowest(left)
            left &= left - 1
            states[1] = states[0]
            apply(s, r, card)
            if s.phase == OVER:
                add_value(totals, card, worth[result_for(s, v.seat) + 3])
            else:
                add_value(totals, card, reply_worth(s, r, v, worth, work, rng))
        hand = next_hand(v, clues, hand)
        n += 1
    write_means(totals, cards, n, True, means, errors)
    return cards
