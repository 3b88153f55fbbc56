"""What a player who counts the cards knows: which may be in the other hand, how likely, and which of mine are sure.

Kernels on a `harness.core.records.View`; they read it and change nothing.
"""

from typing import Any, Final

import numpy as np

from harness.core.bits import highest, lowest, popcount
from harness.core.cards import card_points, suit_cards, suit_of
from harness.core.kernel import kernel
from harness.core.legal import marriages, may_announce
from harness.core.records import RulesRecord, View

TRICK_EXTRA: Final = 2.5
"""Points that the other side adds, on average, to a trick that it cannot take."""
_MOST_UNSEEN: Final = 24
_MOST_HELD: Final = 7


def _chances_of_none() -> Any:
    """Chance that n hidden cards, drawn from u unseen ones, hold none of c of these, shape (u, n, c)."""
    chances = np.ones((_MOST_UNSEEN, _MOST_HELD, _MOST_UNSEEN))
    for n_unseen in range(_MOST_UNSEEN):
        for n_hidden in range(1, min(n_unseen + 1, _MOST_HELD)):
            for n_cards in range(_MOST_UNSEEN):
                missed = max(0.0, (n_unseen - n_hidden + 1 - n_cards) / (n_unseen - n_hidden + 1))
                chances[n_unseen, n_hidden, n_cards] = chances[n_unseen, n_hidden - 1, n_cards] * missed
    return chances


CHANCE_OF_NONE: Final = _chances_of_none()


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
    n_hidden = popcount(v.hand) - popcount(v.known)
    none: float = CHANCE_OF_NONE[popcount(v.unseen), n_hidden, popcount(cards & v.unseen)]
    return 1.0 - none


@kernel
def total_points(cards: int) -> int:
    """Trick points of a set of cards."""
    total = 0
    while cards:
        total += card_points(lowest(cards))
        cards &= cards - 1
    return total


@kernel
def tops(mine: int, against: int) -> int:
    """Those of my cards of a suit that beat all of `against`, cards of the same suit."""
    return mine & -(2 << highest(against)) if against else mine


@kernel
def sure_trumps(mine: int, against: int) -> int:
    """Those of my trumps that win in a row: each takes one of theirs away, until none is left to beat the rest."""
    sure = tops(mine, against)
    return mine if popcount(sure) >= popcount(against) else sure


@kernel
def sure_of_side_suit(mine: int, against: int, n_trumps: int) -> int:
    """Those of my cards of a side suit that win: the tops, with trumps out only while the suit is likely followed."""
    sure = tops(mine, against)
    if n_trumps > 0:
        while sure and popcount(sure) > popcount(against) - 2:
            sure &= sure - 1
    return sure


@kernel
def sure_cards(v: View) -> int:
    """Those of my cards that take tricks from the top, trumps first, were the stock closed.

    The other side is given every card that it might have.
    """
    against = out_there(v)
    theirs = against & suit_cards(v.trump)
    sure = sure_trumps(v.hand & suit_cards(v.trump), theirs)
    n_left = popcount(theirs) - popcount(sure)
    for suit in range(4):
        if suit != v.trump:
            sure |= sure_of_side_suit(v.hand & suit_cards(suit), against & suit_cards(suit), n_left)
    return sure


@kernel
def points_in_sight(v: View, r: RulesRecord, sure: int) -> float:
    """Points counted or announced, and those of tricks that the `sure` cards take, with what falls into them."""
    points = v.points[0] + v.pending[0] + total_points(sure)
    if r.marriage_automatic and may_announce(v, r):
        suits = marriages(v.hand)
        if suits:  # one only: later leads find the stock closed; where that does not matter this is on the safe side
            points += 40 if (suits >> v.trump) & 1 else 20
    theirs = out_there(v) & suit_cards(v.trump)
    mine = sure & suit_cards(v.trump)
    n_pulled = min(popcount(mine), popcount(theirs))
    for _ in range(n_pulled):
        points += card_points(lowest(theirs))
        theirs &= theirs - 1
    return points + TRICK_EXTRA * (popcount(sure) - n_pulled)


@kernel
def chance_to_win(v: View, card: int, trumps: float) -> float:
    """Chance that a card, led in strict play, takes the trick; `trumps`: that the other hand holds a trump."""
    against = out_there(v)
    wins = 1.0 - chance_of_any(v, higher_cards(against, card))
    if suit_of(card) != v.trump:
        wins *= 1.0 - trumps * (1.0 - chance_of_any(v, against & suit_cards(suit_of(card))))
    return wins
