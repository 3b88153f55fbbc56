"""How `normal` judges a card, in trick points: what the trick is worth now, and the card for later."""

from typing import Any

from agents.counting import chance_of_any, higher_cards, out_there
from agents.sense import announced_by, partner_of
from agents.weights import (
    BRING_HOME,
    DANGER,
    HALF_WAY,
    KEEP_ACE,
    KEEP_EXCHANGE,
    KEEP_HALF,
    KEEP_LOW,
    KEEP_MARRIAGE,
    KEEP_TEN,
    KEEP_TRUMP,
    LAST_DRAW,
    LEAD_MARRIAGE,
    STRICT_FORCE,
    STRICT_PULL,
    STRICT_TRICK,
    STRICT_TRUMP,
    THROWN,
    TRUMP_POINTS,
)
from harness.core.apply import beats
from harness.core.cards import ACE, OUT, SCHNEIDER, TEN, card_points, marriage_value, rank_of, suit_cards, suit_of
from harness.core.kernel import kernel
from harness.core.legal import marriages
from harness.core.records import STOCK_ANY, RulesRecord, View

SURE = 1000.0
"""Worth of a lead that wins the hand."""
TAKEN = 100.0
"""Worth, in strict play, of taking a trick rather than leaving it, where there is a choice."""
MARRIAGE_BROKEN = 3.0
"""Points that breaking up a held marriage costs in strict play."""
LED_WITH = 4
"""Points that a card adds to a trick that is taken with it; a low guess, as a warning."""


@kernel
def keep_trump(v: View, r: RulesRecord, params: Any, card: int) -> float:
    """Points that it is worth to keep a trump: the one that exchanges above all, until it has done so."""
    worth: float = params[KEEP_TRUMP] + params[TRUMP_POINTS] * card_points(card)
    exchanges = rank_of(card) == (0 if r.nines else 1) and v.n_stock - 2 >= r.exchange_min_stock
    return worth + params[KEEP_EXCHANGE] if exchanges else worth


@kernel
def keep_plain(v: View, params: Any, card: int) -> float:
    """Points that it is worth to keep a card of a side suit; a ten is as good as an ace once that has gone."""
    rank = rank_of(card)
    worth: float = params[KEEP_LOW] * card_points(card)
    if rank >= TEN:
        is_top = rank == ACE or higher_cards(out_there(v), card) == 0
        worth = params[KEEP_ACE] if is_top else params[KEEP_TEN]
    return worth


@kernel
def keep(v: View, r: RulesRecord, params: Any, card: int) -> float:
    """Trick points that it is worth to have this card for later, while cards are still drawn."""
    suit = suit_of(card)
    worth = keep_trump(v, r, params, card) if suit == v.trump else keep_plain(v, params, card)
    partner = partner_of(card)
    if partner & v.hand:
        worth += params[KEEP_MARRIAGE] * marriage_value(suit, v.trump)
    elif partner & v.unseen:
        worth += params[KEEP_HALF] * marriage_value(suit, v.trump)
    return worth


@kernel
def lead_worth(v: View, r: RulesRecord, params: Any) -> float:
    """Points that taking a trick brings beyond its cards, with the stock open.

    A marriage waits for the trick, or for the lead; with two cards left, the loser draws the turned-up trump.
    """
    worth = 0.0 if v.tricks[0] else float(v.pending[0])
    if v.n_stock == 2:
        worth -= params[LAST_DRAW]
    if v.n_stock > 2 or r.marriage_stock == STOCK_ANY:
        suits = marriages(v.hand)
        if suits:
            worth += params[LEAD_MARRIAGE] * (2.0 if (suits >> v.trump) & 1 else 1.0)
    return worth


@kernel
def mark_passed(v: View, params: Any, side: int, gain: int) -> float:
    """Points beyond its own that a trick of `gain` is worth to a side (0 me, 1 them) that reaches 33 or 66 with it."""
    before = v.points[side]
    after = before + v.pending[side] + gain
    worth = 0.0
    if before < SCHNEIDER <= after:
        worth += params[HALF_WAY]
    if after >= OUT:
        worth += params[DANGER]
    return worth


@kernel
def open_reply(v: View, r: RulesRecord, params: Any, card: int, lead: float) -> float:
    """Judge a reply with the stock open: the trick won or lost, the `lead` that goes with it, the card kept."""
    stake = card_points(card) + card_points(v.led)
    worth = -keep(v, r, params, card)
    if beats(card, v.led, v.trump):
        return worth + stake + lead + mark_passed(v, params, 0, stake)
    return worth - stake - mark_passed(v, params, 1, stake)


@kernel
def open_lead(v: View, r: RulesRecord, params: Any, card: int, trumps: float, lead: float) -> float:
    """Judge a lead with the stock open; `trumps` is the chance that the other hand holds one.

    An ace or ten is trumped if it can be; a low card may bring their ten home.
    """
    points = card_points(card)
    suit = suit_of(card)
    against = out_there(v)
    kept = 1.0 - chance_of_any(v, higher_cards(against, card))
    lost = points + mark_passed(v, params, 1, points + LED_WITH)
    if suit != v.trump:
        if points >= 10:
            kept *= 1.0 - trumps
        elif (against >> ((suit << 3) + TEN)) & 1:
            lost += params[BRING_HOME]
    won: float = points + params[THROWN] + lead + mark_passed(v, params, 0, points)
    return kept * won - (1.0 - kept) * lost - keep(v, r, params, card) + announced_by(v, r, card)


@kernel
def strict_reply(v: View, params: Any, card: int) -> float:
    """Judge a reply in strict play: take with the least that keeps the rest, lose as little as possible."""
    points = card_points(card)
    cost: float = params[STRICT_TRUMP] if suit_of(card) == v.trump else 0.0
    if beats(card, v.led, v.trump):
        # A card that nothing can beat will win later as well; one that can be beaten had better be brought home now.
        safe = higher_cards(out_there(v), card) == 0
        return TAKEN - cost + (-points if safe else points)
    return -points - cost - (MARRIAGE_BROKEN if partner_of(card) & v.hand else 0.0)


@kernel
def strict_lead(v: View, r: RulesRecord, params: Any, card: int, trumps: float) -> float:
    """Judge a lead in strict play by the chance that the other hand has to take it.

    A trump that it must spend is worth something to me, whether it is pulled or forced out by a suit it lacks.
    """
    points = card_points(card)
    suit = suit_of(card)
    against = out_there(v)
    taken = chance_of_any(v, higher_cards(against, card))
    forced = 0.0
    if suit != v.trump:
        forced = (1.0 - chance_of_any(v, against & suit_cards(suit))) * trumps
        taken += forced
    if taken == 0.0 and v.points[0] + v.pending[0] + points >= OUT:
        return SURE
    worth: float = (1.0 - taken) * (points + params[STRICT_TRICK]) + forced * params[STRICT_FORCE]
    worth -= taken * (points + params[STRICT_TRICK] + mark_passed(v, params, 1, points + LED_WITH))
    if suit == v.trump and taken == 0.0 and against & suit_cards(suit):
        worth += params[STRICT_PULL]
    gain = announced_by(v, r, card)
    return worth + gain if gain or not partner_of(card) & v.hand else worth - MARRIAGE_BROKEN
