"""`normal`: counts the cards, trumps aces and tens, keeps marriages, closes when it can see 66."""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from agents.sense import announced_by, best_first, free_gain, is_strict, marriage_value, partner_of, winning_cards
from harness.agent_api.compiled import Compiled, parameter, policy
from harness.core.apply import beats
from harness.core.bits import highest, lowest, popcount
from harness.core.cards import (
    CLOSE,
    DRAW,
    OUT,
    card_points,
    suit_cards,
    suit_of,
)
from harness.core.kernel import kernel
from harness.core.legal import marriages, may_announce
from harness.core.records import DRAW_OR_CLOSE, RulesRecord, View

CLOSE_AT, KEEP_TRUMP, KEEP_MARRIAGE, KEEP_HALF, KEEP_HIGH = range(5)
"""Places of the parameters, in the order of the fields of `Normal`."""

TRICK_EXTRA = 2.5
"""Points that the other side adds, on average, to a trick that it cannot take."""
SURE = 1000.0


@kernel
def out_there(v: View) -> int:
    """Cards that may be in the other hand."""
    return v.unseen | v.known


@kernel
def higher_cards(cards: int, card: int) -> int:
    """Those of `cards` that beat `card` in its own suit."""
    return cards & suit_cards(suit_of(card)) & -(2 << card)


@kernel
def chance_of_any(v: View, cards: int) -> float:
    """Chance that the other hand holds at least one of `cards`, each unseen card being equally likely there."""
    if cards & v.known:
        return 1.0
    n_cards = popcount(cards & v.unseen)
    if n_cards == 0:
        return 0.0
    n_unseen = popcount(v.unseen)
    n_hidden = popcount(v.hand) - popcount(v.known)
    absent = 1.0
    for i in range(n_hidden):
        absent *= max(0.0, (n_unseen - n_cards - i) / (n_unseen - i))
    return 1.0 - absent


@kernel
def keep(v: View, params: Any, card: int) -> float:
    """Trick points that it is worth to have this card for later, while cards are still drawn."""
    worth: float = params[KEEP_HIGH] * card_points(card)
    suit = suit_of(card)
    if suit == v.trump:
        worth += params[KEEP_TRUMP]
    partner = partner_of(card)
    if partner & v.hand:
        worth += params[KEEP_MARRIAGE] * marriage_value(suit, v.trump)
    elif partner & v.unseen:
        worth += params[KEEP_HALF] * marriage_value(suit, v.trump)
    return worth


@kernel
def open_reply(v: View, params: Any, card: int) -> float:
    """Judge a reply with the stock open: the trick won or lost, less what the card was worth keeping."""
    stake = card_points(card) + card_points(v.led)
    return (stake if beats(card, v.led, v.trump) else -stake) - keep(v, params, card)


@kernel
def open_lead(v: View, r: RulesRecord, params: Any, card: int) -> float:
    """Judge a lead with the stock open: the chance that it is taken, what the card was worth keeping, a marriage."""
    points = card_points(card)
    taken = chance_of_any(v, higher_cards(out_there(v), card))
    if points >= 10 and suit_of(card) != v.trump:
        ruffed = chance_of_any(v, out_there(v) & suit_cards(v.trump))
        taken = 1.0 - (1.0 - taken) * (1.0 - ruffed)
    worth = (1.0 - 2.0 * taken) * (points + TRICK_EXTRA) - keep(v, params, card)
    return worth + announced_by(v, r, card)


@kernel
def strict_reply(v: View, card: int) -> float:
    """Judge a reply in strict play: take with the least that keeps the rest, lose as little as possible."""
    points = card_points(card)
    cost = 8.0 if suit_of(card) == v.trump else 0.0
    if beats(card, v.led, v.trump):
        # A card that nothing can beat will win later as well; one that can be beaten had better be brought home now.
        safe = higher_cards(out_there(v), card) == 0
        return 100.0 - cost + (-points if safe else points)
    partner = partner_of(card) & v.hand
    return -points - cost - (10.0 if partner else 0.0)


@kernel
def strict_lead(v: View, r: RulesRecord, card: int) -> float:
    """Judge a lead in strict play by the chance that the other hand has to take it."""
    points = card_points(card)
    suit = suit_of(card)
    against = out_there(v)
    taken = chance_of_any(v, higher_cards(against, card))
    if suit != v.trump:
        follows = chance_of_any(v, against & suit_cards(suit))
        taken += (1.0 - follows) * chance_of_any(v, against & suit_cards(v.trump))
    if taken == 0.0 and v.points[0] + v.pending[0] + points >= OUT:
        return SURE
    worth = (1.0 - taken) * (points + TRICK_EXTRA + 4.0) - taken * (points + 2.0 * TRICK_EXTRA)
    if suit == v.trump and taken == 0.0 and against & suit_cards(v.trump):
        worth += 6.0  # every trump pulled makes the side suits safe
    gain = announced_by(v, r, card)
    return worth + gain if gain or not partner_of(card) & v.hand else worth - 4.0


@kernel
def tops(mine: int, against: int) -> int:
    """Those of my cards of a suit that beat all of `against`, cards of the same suit."""
    return mine & -(2 << highest(against)) if against else mine


@kernel
def total_points(cards: int) -> int:
    """Trick points of a set of cards."""
    total = 0
    while cards:
        total += card_points(lowest(cards))
        cards &= cards - 1
    return total


@kernel
def trumps_in_sight(mine: int, against: int) -> int:
    """Those of my trumps that win in a row: each takes one of theirs away, until none is left to beat the rest."""
    sure = tops(mine, against)
    return mine if popcount(sure) >= popcount(against) else sure


@kernel
def side_suit_in_sight(mine: int, against: int, n_trumps: int) -> int:
    """Those of my cards of a side suit that win: the tops, with trumps out only while the suit is likely followed."""
    sure = tops(mine, against)
    if n_trumps > 0:
        while sure and popcount(sure) > popcount(against) - 2:
            sure &= sure - 1
    return sure


@kernel
def sight(v: View, r: RulesRecord) -> float:
    """Points that can be seen from here if the stock is closed: those counted, a marriage, and tricks from the top.

    The other side is given every card that it might have. First the trumps are led, then the side suits.
    """
    against = out_there(v)
    points = float(v.points[0] + v.pending[0])
    if r.marriage_automatic and may_announce(v, r):
        suits = marriages(v.hand)
        if suits:  # one only: later leads find the stock closed; where that does not matter this is on the safe side
            points += 40.0 if (suits >> v.trump) & 1 else 20.0
    theirs = against & suit_cards(v.trump)
    sure = trumps_in_sight(v.hand & suit_cards(v.trump), theirs)
    n_left = popcount(theirs) - popcount(sure)
    for _ in range(popcount(sure)):
        points += card_points(lowest(theirs)) if theirs else TRICK_EXTRA
        theirs &= theirs - 1
    for suit in range(4):
        if suit != v.trump:
            held = side_suit_in_sight(v.hand & suit_cards(suit), against & suit_cards(suit), n_left)
            points += TRICK_EXTRA * popcount(held)
            sure |= held
    return points + total_points(sure) if sure else 0.0


@kernel
def should_close(v: View, r: RulesRecord, params: Any) -> bool:
    """Say whether to close: 66 is in sight, not there yet or one card away, and no plain marriage has to be led."""
    is_free_to_lead = v.meld_suit < 0 or v.meld_suit == v.trump
    is_there = v.points[0] >= OUT or winning_cards(v, r) != 0
    return is_free_to_lead and not is_there and sight(v, r) >= params[CLOSE_AT]


@kernel
def play_normal(v: View, r: RulesRecord, params: Any, rng: Any) -> int:
    """Take what is free, close when 66 is in sight, else play the card that is judged best.

    The whole of `normal` for kernels that play hands out by it; `params` is any array of its parameters. It needs no
    luck yet, and leaves the stream `rng` where it is.
    """
    action = free_gain(v)
    if action >= 0:
        return action
    if (v.legal >> CLOSE) & 1 and should_close(v, r, params):
        return CLOSE
    if v.phase == DRAW_OR_CLOSE:
        return DRAW
    strict = is_strict(v)
    cards = best_first(v, r, True)
    best = lowest(cards)
    best_worth = -np.inf
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if v.led >= 0:
            worth = strict_reply(v, card) if strict else open_reply(v, params, card)
        elif strict:
            worth = strict_lead(v, r, card)
        else:
            worth = open_lead(v, r, params, card)
        if worth > best_worth:
            best_worth = worth
            best = card
    return best


@policy
def choose_normal(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Choose what `play_normal` does."""
    return play_normal(view, rules, params, rng)


@dataclass(frozen=True)
class Normal(Compiled):
    """Counts the cards played, trumps aces and tens, keeps its marriages and closes when it can see 66.

    It looks one card ahead: every card is judged by the chance that the other hand, dealt at random from the cards
    not seen, takes the trick, and by what the card is worth keeping.

    Parameters
    ----------
    close_at
        Points in sight at which it closes, a cautious count of tricks from the top; at 200 it never does.
    keep_trump
        Trick points that a trump is worth beyond its own.
    keep_marriage
        Share of its value that half of a held marriage is worth.
    keep_half
        The same where the partner has not been seen yet.
    keep_high
        Share of its own points that a card is worth keeping for.
    """

    policy: ClassVar[Any] = staticmethod(choose_normal)
    close_at: float = parameter(63, 33, 200)
    keep_trump: float = parameter(13, 0, 100)
    keep_marriage: float = parameter(0.35, 0, 10)
    keep_half: float = parameter(0.15, 0, 10)
    keep_high: float = parameter(0.7, 0, 10)


DEFAULTS: Final = np.array(Normal().params())
"""The default parameters as numbers, float64, in the order of the fields: what rollouts by `play_normal` are given."""
