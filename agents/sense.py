"""Card sense that the rule-playing bots share: what is free, what wins at once, which marriages can be led.

Kernels on a `harness.core.records.View`; they read it and change nothing.
"""

from harness.core.apply import beats
from harness.core.bits import lowest
from harness.core.cards import (
    CARDS_MASK,
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
    suit_cards,
    suit_of,
)
from harness.core.kernel import kernel
from harness.core.legal import may_announce
from harness.core.records import COUNTS_AFTER_TRICK, COUNTS_AT_ONCE, LEAD_KING, STOCK_ANY, RulesRecord, View

MELDS_MASK = 0xF << MELD


@kernel
def free_gain(v: View) -> int:
    """Return the action that costs nothing and gains something, or -1.

    66 declared when it is there, the exchange, the marriage of trumps, any other marriage.
    """
    if (v.legal >> DECLARE) & 1 and v.points[0] >= OUT:
        return DECLARE
    if (v.legal >> EXCHANGE) & 1:
        return EXCHANGE
    if (v.legal >> (MELD + v.trump)) & 1:
        return MELD + v.trump
    if v.legal & MELDS_MASK:
        return lowest(v.legal & MELDS_MASK)
    return -1


@kernel
def announcing_leads(v: View, r: RulesRecord) -> int:
    """Mask of the kings and queens that declare a marriage by being led: that of trumps if there is one, else all."""
    if v.led >= 0 or r.marriage_automatic == 0:
        return 0
    leads = 0
    cards = v.legal & CARDS_MASK
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if announced_by(v, r, card):
            leads |= 1 << card
    trumps = leads & suit_cards(v.trump)
    return trumps if trumps else leads


@kernel
def may_win_now(v: View, r: RulesRecord) -> bool:
    """Say whether any card could bring 66 at once: a cheap question before the cards are tried."""
    if v.led >= 0:
        return v.points[0] + v.pending[0] + card_points(v.led) + 11 >= OUT
    counts = r.marriage_counts == COUNTS_AT_ONCE or (r.marriage_counts == COUNTS_AFTER_TRICK and v.tricks[0] > 0)
    return counts and r.declare_automatic != 0 and r.marriage_automatic != 0


@kernel
def winning_cards(v: View, r: RulesRecord) -> int:
    """Mask of the cards that bring 66 at once: replies that take the trick, leads whose marriage ends the hand."""
    winning = 0
    cards = v.legal & CARDS_MASK if may_win_now(v, r) else 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if v.led >= 0:
            points = v.points[0] + v.pending[0] + card_points(card) + card_points(v.led)
            points = points if beats(card, v.led, v.trump) else 0
        else:
            points = v.points[0] + announced_by(v, r, card)
        if points >= OUT:
            winning |= 1 << card
    return winning


@kernel
def best_first(v: View, r: RulesRecord, marriages_wait: bool) -> int:
    """Mask of the cards to choose from: those that win at once, else those that lead a marriage, else all legal.

    With `marriages_wait` a marriage is one lead among others where a later lead can still declare it.
    """
    cards = winning_cards(v, r)
    if cards == 0 and not (marriages_wait and r.marriage_stock == STOCK_ANY):
        cards = announcing_leads(v, r)
    return cards if cards else v.legal & CARDS_MASK


@kernel
def is_strict(v: View) -> bool:
    """Say whether suit must be followed: the stock is closed or empty."""
    return v.closer >= 0 or v.n_stock == 0


@kernel
def partner_of(card: int) -> int:
    """Mask of the other card of a king's or queen's marriage; 0 for other ranks."""
    rank = rank_of(card)
    if rank != QUEEN and rank != KING:
        return 0
    return marriage_cards(suit_of(card)) & ~(1 << card)


@kernel
def announced_by(v: View, r: RulesRecord, card: int) -> int:
    """Points of the marriage that leading `card` declares by itself (``marriage.automatic``); 0 if none."""
    if r.marriage_automatic == 0 or v.hand & partner_of(card) == 0 or not may_announce(v, r):
        return 0
    if r.marriage_lead == LEAD_KING and rank_of(card) != KING:
        return 0
    return marriage_value(suit_of(card), v.trump)
