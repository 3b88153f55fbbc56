"""What the public history of a hand shows about the other hand, beyond the cards that are known.

Two things. In closed play a reply that does not follow, head or trump shows what was not there, and nothing is drawn
since. And where marriages are declared by leading (``marriage.automatic``), a king led without one shows that the queen
was absent then; she may have been drawn since.
"""

from typing import Any, Final

import numpy as np

from harness.core.apply import apply, beats
from harness.core.cards import CLOSE, DRAW, EXCHANGE, KING, MELD, QUEEN, SUIT_MASK, rank_of, suit_cards, suit_of
from harness.core.deal import clear
from harness.core.kernel import kernel
from harness.core.legal import may_announce, stock_is_open
from harness.core.records import DRAW_OR_CLOSE, LEAD, LEAD_KING, OVER, REPLY, STATE_DTYPE, RulesRecord, State, View

ABSENT: Final = 0
"""Word of a past: mask of the cards that are not in the other hand."""
EXCHANGED_AT: Final = 1
"""Word: place in the history of the other side's exchange, or -1."""
MELD_POINTS: Final = 2
"""Word: points of the marriages that the other side has declared by leading."""
LED_AT: Final = 3
"""First of four words by suit: place in the history of the lead that told whether its marriage was held, or -1."""
N_ARRIVALS: Final = 7
"""Word: how many cards the other side was dealt or has drawn."""
ARRIVALS: Final = 8
"""First of 12 words: when each of them came, -1 for the deal, else the place in the history of what led to the draw."""
N_PAST: Final = 20

_HOLDS_ON: Final = 1 << 40
"""A card that nobody ever plays, so that a replay of public actions never takes a hand to be played out."""


@kernel
def read_past(v: View, r: RulesRecord, past: Any) -> bool:
    """Fill `past` (int64, shape (N_PAST,)) from the history of a view whose stock is not used up.

    Returns False if the history does not lead to this view: that of a hand which was set up in its middle does not.
    """
    states = np.zeros(1, STATE_DTYPE)
    s = states[0]
    begin(s, v, r, past)
    other = 1 - v.seat
    for i in range(v.n_history):
        action = int(v.history[i]) & 63  # an int8 would overflow in shifts when compilation is off
        seat = v.history[i] >> 6
        if not can_follow(s, seat, action):
            return False
        if seat == other:
            if action == EXCHANGE:
                past[EXCHANGED_AT] = i
            elif action < MELD and s.phase == REPLY and not stock_is_open(s):
                past[ABSENT] |= missing_in_reply(s, r, action)
            elif action < MELD and s.phase == LEAD and tells_of_marriage(s, r, action):
                past[LED_AT + suit_of(action)] = i
        before = s.n_stock
        apply(s, r, action)
        if s.n_stock < before:
            past[ARRIVALS + past[N_ARRIVALS]] = i
            past[N_ARRIVALS] += 1
    past[MELD_POINTS] = v.points[1] + v.pending[1] - s.points[other] - s.pending[other]
    same_stock = s.n_stock == v.n_stock and (s.closer < 0) == (v.closer < 0)
    same_trick: bool = s.phase == v.phase and s.led == v.led and s.gone == v.gone
    return same_stock and same_trick


@kernel
def begin(s: State, v: View, r: RulesRecord, past: Any) -> None:
    """Set `s` to the start of a hand without cards, where public actions can be carried out, and clear `past`."""
    clear(s)
    s.hand[0] = _HOLDS_ON
    s.hand[1] = _HOLDS_ON
    s.trump = v.trump
    s.turned_up = v.trump << 3
    s.n_stock = 12 if r.nines else 10
    past[:] = -1
    past[ABSENT] = 0
    past[N_ARRIVALS] = 6 if r.nines else 5


@kernel
def can_follow(s: State, seat: int, action: int) -> bool:
    """Say whether it is the seat's turn, and an action of this kind has its place."""
    if s.phase == OVER or seat != s.to_move:
        return False
    if s.phase == DRAW_OR_CLOSE:
        return action in (DRAW, CLOSE)
    return action != DRAW


@kernel
def missing_in_reply(s: State, r: RulesRecord, card: int) -> int:
    """Mask of the cards that a seat which replies with `card` in strict play cannot hold."""
    led_suit = suit_cards(suit_of(s.led))
    if suit_of(card) == suit_of(s.led):
        return led_suit & -(2 << s.led) if r.strict_head and not beats(card, s.led, s.trump) else 0
    return led_suit | (SUIT_MASK << (s.trump << 3) if r.strict_trump and suit_of(card) != s.trump else 0)


@kernel
def partner(card: int) -> int:
    """Return the queen that marries a king, or the king that marries a queen."""
    return card ^ QUEEN ^ KING


@kernel
def tells_of_marriage(s: State, r: RulesRecord, card: int) -> bool:
    """Say whether the lead of `card` declares a marriage if its partner is in the hand too, as it still may be."""
    rank = rank_of(card)
    if r.marriage_automatic == 0 or (rank != KING and (rank != QUEEN or r.marriage_lead == LEAD_KING)):
        return False
    return (s.gone >> partner(card)) & 1 == 0 and may_announce(s, r)
