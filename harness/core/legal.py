"""Which actions are legal: one int64 mask, bit `action` set for each."""

from harness.core.bits import lowest
from harness.core.cards import (
    CLOSE,
    DECLARE,
    DRAW,
    EXCHANGE,
    KING,
    MARRIAGE_MASK,
    MELD,
    QUEENS_MASK,
    SUIT_MASK,
    suit_cards,
)
from harness.core.kernel import kernel
from harness.core.records import (
    CLOSED,
    DRAW_OR_CLOSE,
    FRESH,
    LEAD,
    LEAD_KING,
    REPLY,
    STOCK_ANY,
    TURN_ANY,
    RulesRecord,
    State,
    View,
)


@kernel
def stock_is_open(s: State) -> bool:
    """Say whether cards are still drawn."""
    return s.closer < 0 and s.n_stock > 0


@kernel
def is_first_trick(s: State | View) -> bool:
    """Say whether no trick has been taken yet; a seat's view answers as well as the state."""
    return s.tricks[0] + s.tricks[1] == 0


@kernel
def lowest_trump(s: State, r: RulesRecord) -> int:
    """Card that exchanges: the nine of trumps, without nines the jack."""
    return (s.trump << 3) + (0 if r.nines else 1)


@kernel
def may_exchange(s: State, r: RulesRecord, seat: int) -> bool:
    """Say whether `seat`, on turn and in time, may take the turned-up card for the lowest trump."""
    return (
        (s.hand[seat] >> lowest_trump(s, r)) & 1 != 0
        and stock_is_open(s)
        and s.n_stock >= r.exchange_min_stock
        and (s.tricks[seat] > 0 or not r.exchange_after_trick)
        and (r.exchange_first_lead != 0 or not is_first_trick(s))
    )


@kernel
def may_announce(s: State | View, r: RulesRecord) -> bool:
    """Say whether a marriage, if held, may be announced on this lead; a seat's view answers as well as the state."""
    return (r.marriage_stock == STOCK_ANY or s.lead_open != 0) and (r.marriage_first_lead != 0 or not is_first_trick(s))


@kernel
def marriages(hand: int) -> int:
    """Return the mask of suits (bits 0..3) whose king and queen are both in `hand`."""
    queens = hand & (hand >> 1) & QUEENS_MASK
    suits = 0
    while queens:
        suits |= 1 << (lowest(queens) >> 3)
        queens &= queens - 1
    return suits


@kernel
def may_close(s: State, r: RulesRecord) -> bool:
    """Say whether the leader may close the stock."""
    return (
        r.close_allowed != 0
        and stock_is_open(s)
        and s.n_stock >= r.close_min_stock
        and (r.close_first_lead != 0 or not is_first_trick(s))
    )


@kernel
def may_close_before_draw(s: State, r: RulesRecord) -> bool:
    """Say whether the winner of a trick may close before the two cards are drawn."""
    return r.close_before_draw != 0 and r.close_allowed != 0 and s.n_stock - 2 >= r.close_min_stock


@kernel
def lead_mask(s: State, r: RulesRecord) -> int:
    """Legal actions on a lead."""
    seat = s.to_move
    hand = s.hand[seat]
    mask = hand
    if s.meld_suit >= 0:
        mask = MARRIAGE_MASK << (s.meld_suit << 3)
        if r.marriage_lead == LEAD_KING:
            mask = 1 << ((s.meld_suit << 3) + KING)
    if s.lead_stage == FRESH and may_exchange(s, r, seat):
        mask |= 1 << EXCHANGE
    if s.lead_stage == FRESH and r.marriage_automatic == 0 and may_announce(s, r):
        mask |= marriages(hand) << MELD
    if s.lead_stage != CLOSED and may_close(s, r):
        mask |= 1 << CLOSE
    if r.declare_automatic == 0 and s.tricks[seat] > 0:
        mask |= 1 << DECLARE
    return mask


@kernel
def strict_replies(s: State, r: RulesRecord) -> int:
    """Cards that strict play allows: follow suit and head the trick, else trump, else anything."""
    hand = s.hand[s.to_move]
    follow = hand & suit_cards(s.led >> 3)
    if follow:
        if r.strict_head:
            higher = follow & -(2 << s.led)
            if higher:
                return higher
        return follow
    trumps = hand & (SUIT_MASK << (s.trump << 3))
    return trumps if trumps and r.strict_trump else hand


@kernel
def reply_mask(s: State, r: RulesRecord) -> int:
    """Legal actions of the follower."""
    if not stock_is_open(s):
        return strict_replies(s, r)
    mask = s.hand[s.to_move]
    if r.exchange_turn == TURN_ANY and may_exchange(s, r, s.to_move):
        mask |= 1 << EXCHANGE
    return mask


@kernel
def legal_mask(s: State, r: RulesRecord) -> int:
    """Legal actions of ``s.to_move``; 0 when the hand is over. Reads only, trusts the state."""
    if s.phase == LEAD:
        return lead_mask(s, r)
    if s.phase == REPLY:
        return reply_mask(s, r)
    if s.phase == DRAW_OR_CLOSE:
        return (1 << DRAW) | (1 << CLOSE)
    return 0
