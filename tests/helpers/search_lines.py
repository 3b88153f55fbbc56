"""Worlds and worth of some decisions of every preset, as a program too: ``python -m tests.helpers.search_lines``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from harness.core.records import STATE_DTYPE, records
from harness.search.clues import N_CLUES, read_clues
from harness.search.equity import fill_worth
from harness.search.worlds import first_hand, next_hand, place, sample_hand, shuffle_stock
from tests.helpers.possible_hands import random_pasts
from tests.helpers.reference_presets import PRESETS


def search_lines() -> Iterator[str]:
    """One line a decision: the clues, some hands, a world and what game points are worth."""
    clues, worth, rng = np.zeros(N_CLUES, np.int64), np.zeros(7), np.array([66], np.uint64)
    states = records(STATE_DTYPE)
    for name, rules in PRESETS.items():
        for past in islice(random_pasts(rules, seed=5), 0, 60, 4):
            view = past.views()[0]
            read_clues(view, past.rules, clues)
            first = first_hand(view, clues)
            hands = [int(hand) for hand in (first, next_hand(view, clues, first), sample_hand(view, clues, rng))]
            place(view, past.rules, hands[2], states[0])
            shuffle_stock(states[0], rng)
            fill_worth(view, past.rules, worth)
            stock = states[0].stock[: states[0].n_stock].tolist()
            yield f"{name} {clues.tolist()} {hands} {states[0].hand.tolist()} {stock} {worth.round(9).tolist()}"


if __name__ == "__main__":
    for line in search_lines():
        print(line)
