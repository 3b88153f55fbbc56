"""Card sense that the rule-playing bots share: what is always right, and what a card is worth keeping.

Kernels on a `harness.core.records.View`; they read it and change nothing.
"""

from harness.core.bits import lowest
from harness.core.cards import (
    DECLARE,
    EXCHANGE,
    KING,
    MELD,
    OUT,
    QUEEN,
    marriage_cards,
    rank_of,
    suit_of,
)
from harness.core.kernel import kernel
from harness.core.legal import may_announce
from harness.core.records import LEAD_KING, RulesRecord, View

CARDS_MASK = (1 << MELD) - 1
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
def marriage_value(suit: int, trump: int) -> int:
    """Points of a marriage."""
    return 40 if suit == trump else 20


@kernel
def announced_by(v: View, r: RulesRecord, card: int) -> int:
    """Points of the marriage that leading `card` declares by itself (``marriage.automatic``); 0 if none."""
    if r.marriage_automatic == 0 or v.hand & partner_of(card) == 0 or not may_announce(v, r):
        return 0
    if r.marriage_lead == LEAD_KING and rank_of(card) != KING:
        return 0
    return marriage_value(suit_of(card), v.trump)
