"""Whether the other hand can have come together as the history shows: each card drawn in time and none too early.

The other side was dealt some cards and has drawn others, one at a time. A card that it has played came before that; the
partner of a king led without a marriage came after that, and of one led with a marriage before. Whether each card finds
a draw of its own is answered by giving every draw, from the first on, the card that has to come soonest.
"""

from typing import Any

import numpy as np

from harness.core.bits import lowest, popcount
from harness.core.cards import EXCHANGE, MELD, suit_cards
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View
from harness.search.past import ARRIVALS, EXCHANGED_AT, LED_AT, MELD_POINTS, N_ARRIVALS, partner

_NEVER = 64
"""Later than any place in a history."""


@kernel
def told_cards(v: View, past: Any) -> int:
    """Mask of the cards of which a lead of the other side told whether they were there."""
    told = 0
    for suit in range(4):
        if past[LED_AT + suit] >= 0:
            told |= 1 << partner(int(v.history[past[LED_AT + suit]]) & 63)
    return told


@kernel
def can_have_come(v: View, r: RulesRecord, past: Any, n_hidden: int, late: int, held: int) -> bool:
    """Say whether the other hand can hold, of the `late` cards (mask), those of the subset `held` and no others.

    Late cards are told cards that are unseen. Of other told cards, which it has played since or is known to hold, the
    history does not always say whether they made a marriage; only the points of all its marriages are known.
    """
    until = np.full(40, _NEVER)
    theirs = v.known
    for i in range(v.n_history):
        action = int(v.history[i]) & 63
        if v.history[i] >> 6 != v.seat and (action < MELD or action == EXCHANGE):
            card = action if action < MELD else lowest(suit_cards(v.trump)) + (0 if r.nines else 1)
            until[card] = i
            theirs |= 1 << card
    told = told_cards(v, past)
    doubtful = told & theirs
    theirs |= members_of(late, held)
    n_wild = n_hidden - popcount(held)
    for married in range(1 << popcount(doubtful)):
        if can_be_married(v, r, past, until, theirs, n_wild, told, members_of(doubtful, married)):
            return True
    return False


@kernel
def members_of(cards: int, subset: int) -> int:
    """Return those of the `cards` (mask) that are in a subset (bit j: the j-th lowest card)."""
    chosen = 0
    while cards:
        if subset & 1:
            chosen |= cards & -cards
        cards &= cards - 1
        subset >>= 1
    return chosen


@kernel
def can_be_married(
    v: View, r: RulesRecord, past: Any, until: Any, theirs: int, n_wild: int, told: int, married: int
) -> bool:
    """Say whether the `married` ones (mask) among the `told` cards can be those that were there when they were told.

    `theirs` are the cards that the other side has had and `n_wild` others, of which nothing else is known.
    """
    points = 0
    since = np.full(40, -1)
    last = until.copy()
    for suit in range(4):
        at = past[LED_AT + suit]
        cards = told & theirs & suit_cards(suit)
        if at >= 0 and cards & married:
            points += 40 if suit == v.trump else 20
            last[lowest(cards)] = min(at, until[lowest(cards)])
        elif at >= 0 and cards:
            since[lowest(cards)] = at
    if points != past[MELD_POINTS]:
        return False
    if past[EXCHANGED_AT] < 0:
        return v.known & ~married == 0 and finds_draws(past, since, last, theirs, n_wild)
    # The other side took the turned-up card, a trump; which one it was, the history does not say.
    taken = theirs & suit_cards(v.trump) & ~v.unseen
    while taken:
        card = lowest(taken)
        taken &= taken - 1
        in_time = since[card] < past[EXCHANGED_AT] < last[card] and v.known & ~married & ~(1 << card) == 0
        if in_time and finds_draws(past, since, last, theirs & ~(1 << card), n_wild):
            return True
    return False


@kernel
def finds_draws(past: Any, since: Any, until: Any, cards: int, n_wild: int) -> bool:
    """Say whether each of the `cards` finds a draw after `since` and before `until`, and `n_wild` more cards any draw.

    `since` and `until` (int64, by card) are places in the history, -1 before its beginning.
    """
    if popcount(cards) + n_wild != past[N_ARRIVALS]:
        return False
    for i in range(past[N_ARRIVALS]):
        at = past[ARRIVALS + i]
        soonest = -1
        rest = cards
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if since[card] <= at and (soonest < 0 or until[card] < until[soonest]):
                soonest = card
        if soonest < 0:
            n_wild -= 1
        elif until[soonest] <= at:
            return False
        else:
            cards &= ~(1 << soonest)
    return cards == 0 and n_wild == 0
