"""What the public history of a hand shows about the other hand, beyond the cards that are known.

Two things. In closed play a reply that does not follow, head or trump shows what was not there, and nothing is drawn
since. And where marriages are declared by leading (``marriage.automatic``), a king led without one shows that the queen
was absent then. That tells until the other side draws, and nothing after: each such lead is followed by a draw of its
own, in which its queen can have come, so that every hand is possible again, whatever else was played and shown.
"""

import numpy as np

from harness.core.apply import apply, beats
from harness.core.cards import CLOSE, DRAW, KING, MELD, QUEEN, rank_of, suit_cards, suit_of
from harness.core.deal import deal_unseen
from harness.core.kernel import kernel
from harness.core.legal import may_announce, stock_is_open
from harness.core.records import DRAW_OR_CLOSE, LEAD, LEAD_KING, OVER, STATE_DTYPE, RulesRecord, State, View


@kernel
def absent_cards(v: View, r: RulesRecord) -> int:
    """Mask of cards that the history of a view shows not to be in the other hand.

    0 if the history does not lead to the view, as in a hand that was set up in its middle.
    """
    states = np.zeros(1, STATE_DTYPE)
    s = states[0]
    deal_unseen(s, r, v.trump)
    absent, absent_until_drawn = 0, 0
    for i in range(v.n_history):
        action = int(v.history[i]) & 63  # an int8 would overflow in shifts when compilation is off
        seat = int(v.history[i]) >> 6
        if not can_follow(s, seat, action):
            return 0
        if seat != v.seat and action < MELD:
            if s.phase == LEAD:
                absent_until_drawn |= missing_in_lead(s, r, action)
            elif not stock_is_open(s):
                absent |= missing_in_reply(s, r, action)
        n_before = s.n_stock
        apply(s, r, action)
        if s.n_stock < n_before:
            absent_until_drawn = 0
    same_stock = s.n_stock == v.n_stock and (s.closer < 0) == (v.closer < 0)
    same_trick = s.phase == v.phase and s.led == v.led and s.gone == v.gone
    return absent | absent_until_drawn if same_stock and same_trick else 0


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
    return led_suit | (suit_cards(s.trump) if r.strict_trump and suit_of(card) != s.trump else 0)


@kernel
def missing_in_lead(s: State | View, r: RulesRecord, card: int) -> int:
    """Mask of the king or queen that the leader of `card` cannot hold, unless the lead declares their marriage."""
    rank = rank_of(card)
    if r.marriage_automatic == 0 or (rank != KING and (rank != QUEEN or r.marriage_lead == LEAD_KING)):
        return 0
    return 1 << (card ^ QUEEN ^ KING) if may_announce(s, r) else 0
