"""`easy`: sensible cards, frequent slips, no memory of what has gone, and the stock is never closed."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from agents.sense import best_first, free_gain, is_strict, partner_of
from harness.agent_api.compiled import Compiled, parameter, policy
from harness.core.apply import beats
from harness.core.bits import lowest, nth_set_bit, popcount
from harness.core.cards import ACE, CARDS_MASK, DRAW, card_points, rank_of, suit_of
from harness.core.kernel import kernel
from harness.core.records import DRAW_OR_CLOSE, RulesRecord, View
from harness.core.rng import next_below, next_unit

SLIP = 0
"""Place of the parameter `slip`."""
TRUMP_KEEP = 9.0
"""Trick points that a trump is worth beyond its own."""
MARRIAGE_KEEP = 8.0
"""Trick points that half of a held marriage is worth beyond its own."""


@kernel
def keep(v: View, card: int) -> float:
    """Trick points that it is worth to have this card for later."""
    worth = 0.7 * card_points(card)
    if suit_of(card) == v.trump:
        worth += TRUMP_KEEP
    if v.hand & partner_of(card):
        worth += MARRIAGE_KEEP
    return worth


@kernel
def reply_worth(v: View, card: int) -> float:
    """Judge a reply: the trick won or lost, less what the card was worth keeping."""
    stake = card_points(card) + card_points(v.led)
    return (stake if beats(card, v.led, v.trump) else -stake) - keep(v, card)


@kernel
def lead_worth(v: View, card: int) -> float:
    """Judge a lead: aces once suit must be followed, else what is least worth keeping."""
    return (30.0 if is_strict(v) and rank_of(card) == ACE else 0.0) - keep(v, card)


@policy
def choose_easy(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Take what is free, slip now and then, else play the card that looks best at first sight."""
    action = free_gain(view)
    if action >= 0:
        return action
    if view.phase == DRAW_OR_CLOSE:
        return DRAW
    cards = best_first(view, rules, False)
    if cards == view.legal & CARDS_MASK and next_unit(rng) < params[SLIP]:
        return nth_set_bit(cards, next_below(rng, popcount(cards)))
    best = lowest(cards)
    best_worth = -np.inf
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth = reply_worth(view, card) if view.led >= 0 else lead_worth(view, card)
        if worth > best_worth:
            best_worth = worth
            best = card
    return best


@dataclass(frozen=True)
class Easy(Compiled):
    """Plays sensible cards but often slips, forgets which cards have gone and never closes the stock.

    It never slips away what is free or sure: 66 is declared, the nine exchanged, a marriage announced, and a card that
    brings 66 played whenever it can be. Over `random` it wins 1.66 game points a hand under `sixtysix` and 1.33 under
    `schnapsen`.

    Parameters
    ----------
    slip
        Chance, 0 to 1, to play any legal card instead of the sensible one.
    """

    policy: ClassVar[Any] = staticmethod(choose_easy)
    slip: float = parameter(0.18, 0, 1)
