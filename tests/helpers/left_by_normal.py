"""Positions as they come in play: leads that `normal` against itself leaves with so many cards in the stock."""

from typing import Any

import numpy as np

from agents.normal import DEFAULTS, play_normal
from harness.core.apply import apply
from harness.core.deal import deal_hand, shuffle
from harness.core.kernel import kernel
from harness.core.records import FRESH, LEAD, OVER, STATE_DTYPE, VIEW_DTYPE, RulesRecord, State, View, records
from harness.core.view import clear_view, fill_view
from tests.helpers.engine import rules_record
from tests.helpers.reference_presets import PRESETS

SEED = 66


@kernel
def is_lead_with_stock(s: State, n_stock: int) -> bool:
    """Say whether a lead begins with an unclosed stock of this size."""
    return s.closer < 0 and s.n_stock == n_stock and s.phase == LEAD and s.lead_stage == FRESH


@kernel
def fill_left_by_normal(states: Any, r: RulesRecord, n_stock: int, v: View, params: Any, rng: Any, pack: Any) -> None:
    """Fill `states` with leads with so much stock left, from deals that `normal` plays against itself."""
    i = deal = 0
    while i < len(states):
        s = states[i]
        shuffle(SEED, deal, pack)
        deal += 1
        deal_hand(s, r, pack)
        clear_view(v)
        while s.phase != OVER and not is_lead_with_stock(s, n_stock):
            fill_view(s, r, s.to_move, v)
            apply(s, r, play_normal(v, r, params, rng))
        if s.phase != OVER:
            i += 1


def left_by_normal(preset: str, n_stock: int, n: int) -> Any:
    """Return `n` such leads (recarray of State, shape (n,)) with `n_stock` cards left, from deal 0 on."""
    states, view = records(STATE_DTYPE, n), records(VIEW_DTYPE)[0]
    luck, pack = np.zeros(1, np.uint64), np.zeros(24, np.int8)
    fill_left_by_normal(states, rules_record(PRESETS[preset])[0], n_stock, view, np.array(DEFAULTS), luck, pack)
    return states
