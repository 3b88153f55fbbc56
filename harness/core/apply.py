"""Carry out one action: the fast door, which trusts that the action is legal (`harness.game.Hand` checks)."""

from harness.core.cards import (
    CLOSE,
    DECLARE,
    EXCHANGE,
    KING,
    MELD,
    OUT,
    QUEEN,
    card_points,
    marriage_cards,
    marriage_value,
    rank_of,
    suit_of,
)
from harness.core.kernel import kernel
from harness.core.legal import lowest_trump, may_announce, may_close_before_draw, stock_is_open
from harness.core.records import (
    CLOSED,
    COUNTS_AFTER_TRICK,
    COUNTS_AT_ONCE,
    DRAW_OR_CLOSE,
    FRESH,
    LEAD,
    LEAD_KING,
    MELDED,
    OVER,
    REPLY,
    RulesRecord,
    State,
)
from harness.core.score import declare, finish_played_out, go_out


@kernel
def apply(s: State, r: RulesRecord, action: int) -> None:
    """Carry out a legal `action` of ``s.to_move``: changes `s`, appends to its public history."""
    s.history[s.n_history] = action | (s.to_move << 6)
    s.n_history += 1
    if action < MELD:
        if s.phase == LEAD:
            lead_card(s, r, action)
        else:
            reply_card(s, r, action)
    elif action < EXCHANGE:
        s.lead_stage = MELDED
        announce(s, r, action - MELD)
    elif action == EXCHANGE:
        exchange(s, r)
    elif action == CLOSE:
        close(s)
    elif action == DECLARE:
        declare(s, r, s.to_move)
    else:
        draw(s)
        begin_lead(s)


@kernel
def begin_lead(s: State) -> None:
    """Start the lead of the last trick's winner."""
    s.phase = LEAD
    s.lead_stage = FRESH
    s.lead_open = 1 if stock_is_open(s) else 0


@kernel
def announce(s: State, r: RulesRecord, suit: int) -> None:
    """Show a marriage: its points are counted or wait for a trick; the hand may be won with it."""
    seat = s.to_move
    s.meld_suit = suit
    s.known[seat] |= marriage_cards(suit)
    value = marriage_value(suit, s.trump)
    if r.marriage_counts == COUNTS_AT_ONCE or (r.marriage_counts == COUNTS_AFTER_TRICK and s.tricks[seat] > 0):
        s.points[seat] += value
        if r.declare_automatic and s.points[seat] >= OUT:
            go_out(s, r, seat)
    else:
        s.pending[seat] += value


@kernel
def leads_marriage(s: State, r: RulesRecord, card: int) -> bool:
    """Say whether leading `card` declares a marriage by itself (``marriage.automatic``)."""
    rank = rank_of(card)
    if rank != KING and (rank != QUEEN or r.marriage_lead == LEAD_KING):
        return False
    both = marriage_cards(suit_of(card))
    return s.hand[s.to_move] & both == both and may_announce(s, r)


@kernel
def lead_card(s: State, r: RulesRecord, card: int) -> None:
    """Lead a card; the other seat has to reply unless a marriage led with it wins the hand."""
    seat = s.to_move
    if r.marriage_automatic and leads_marriage(s, r, card):
        announce(s, r, suit_of(card))
    s.hand[seat] &= ~(1 << card)
    s.known[seat] &= ~(1 << card)
    s.led = card
    if s.phase != OVER:
        s.to_move = 1 - seat
        s.phase = REPLY


@kernel
def beats(card: int, led: int, trump: int) -> bool:
    """Say whether a reply takes the trick."""
    if card >> 3 == led >> 3:
        return card > led
    return card >> 3 == trump


@kernel
def reply_card(s: State, r: RulesRecord, card: int) -> None:
    """Reply to the card led: the trick is taken, then the hand ends, or cards are drawn, or the next lead begins."""
    seat = s.to_move
    s.hand[seat] &= ~(1 << card)
    s.known[seat] &= ~(1 << card)
    s.gone |= (1 << card) | (1 << s.led)
    winner = seat if beats(card, s.led, s.trump) else 1 - seat
    s.points[winner] += card_points(card) + card_points(s.led) + s.pending[winner]
    s.pending[winner] = 0
    s.tricks[winner] += 1
    s.leader = winner
    s.to_move = winner
    s.led = -1
    s.meld_suit = -1
    if s.hand[0] | s.hand[1] == 0:
        finish_played_out(s, r)
    elif r.declare_automatic and s.points[winner] >= OUT:
        go_out(s, r, winner)
    elif not stock_is_open(s):
        begin_lead(s)
    elif may_close_before_draw(s, r):
        s.phase = DRAW_OR_CLOSE
    else:
        draw(s)
        begin_lead(s)


@kernel
def draw(s: State) -> None:
    """Draw a card each from the open stock, the trick's winner first; the turned-up card is seen being drawn."""
    top = s.stock_top
    s.hand[s.leader] |= 1 << int(s.stock[top])  # an int8 would overflow in the shift when compilation is off
    s.hand[1 - s.leader] |= 1 << int(s.stock[top + 1])
    s.stock_top = top + 2
    s.n_stock -= 2
    if s.n_stock == 0:
        s.known[1 - s.leader] |= 1 << s.turned_up
        s.turned_up = -1


@kernel
def exchange(s: State, r: RulesRecord) -> None:
    """Swap the lowest trump for the turned-up card, which the other seat has seen."""
    seat = s.to_move
    low = lowest_trump(s, r)
    s.hand[seat] ^= (1 << low) | (1 << s.turned_up)
    s.known[seat] |= 1 << s.turned_up
    s.turned_up = low
    s.stock[s.stock_top + s.n_stock - 1] = low


@kernel
def close(s: State) -> None:
    """Close the stock, on a lead or instead of drawing; what the other side has now may decide the price."""
    seat = s.to_move
    if s.phase == DRAW_OR_CLOSE:
        begin_lead(s)  # the stock is still open here, so this counts as a lead begun with it
    else:
        s.lead_stage = CLOSED
    s.closer = seat
    s.closed_points = s.points[1 - seat]
    s.closed_tricks = s.tricks[1 - seat]
