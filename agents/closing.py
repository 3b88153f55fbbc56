"""When to close the stock: enough points in sight, for what a close may win and what it may cost."""

import math
from typing import Any, Final

from agents.counting import (
    TRICK_EXTRA,
    chance_of_any,
    chance_to_win,
    higher_cards,
    out_there,
    points_in_sight,
    sure_cards,
)
from agents.sense import winning_cards
from agents.weights import CLOSE_AT, CLOSE_SOFT, CLOSE_SPREAD, CLOSE_TRUMPS, OPEN_CHANCE, OPEN_LATE
from harness.core.bits import lowest, popcount
from harness.core.cards import KING, OUT, card_points, suit_cards
from harness.core.kernel import kernel
from harness.core.records import GRADED_AT_CLOSING, RulesRecord, View
from harness.core.score import grade
from harness.search.equity import MOST_NEEDED, chance

USUAL: Final = 2
"""Game points that most hands pay."""


@kernel
def hoped_points(v: View, cards: int) -> float:
    """Points to be expected from `cards` in strict play, each taken for itself."""
    trumps = chance_of_any(v, out_there(v) & suit_cards(v.trump))
    points = 0.0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        points += chance_to_win(v, card, trumps) * (card_points(card) + TRICK_EXTRA)
    return points


@kernel
def chance_to_make(v: View, r: RulesRecord, params: Any, sure: int) -> float:
    """Chance to reach 66 after a close: even at so many points in sight, and rising with them along a logistic curve.

    `sure` are the cards that win from the top; all others are hoped for, and more trumps than theirs help them.
    """
    trumps = suit_cards(v.trump)
    theirs = out_there(v)
    seen = points_in_sight(v, r, sure) + params[CLOSE_SOFT] * hoped_points(v, v.hand & ~sure)
    their_trumps = popcount(theirs & trumps) * popcount(v.hand) / popcount(theirs)
    seen += params[CLOSE_TRUMPS] * (popcount(v.hand & trumps) - their_trumps)
    made: float = 1.0 / (1.0 + math.exp((params[CLOSE_AT] - seen) / params[CLOSE_SPREAD]))
    return made


@kernel
def chance_after(v: View, r: RulesRecord, game_points: int) -> float:
    """Chance to win the match after this hand, won (or lost, if negative) by `game_points` and the carry."""
    mine = min(v.target - v.score[0], MOST_NEEDED)
    theirs = min(v.target - v.score[1], MOST_NEEDED)
    if game_points > 0:
        return chance(r.nines, mine - game_points - v.carry, theirs)
    return chance(r.nines, mine, theirs + game_points - v.carry)


@kernel
def between(won: float, lost: float, chance_of_hand: float) -> float:
    """Chance to win the match: one after a hand that is won, and one after a hand that is lost."""
    return chance_of_hand * won + (1.0 - chance_of_hand) * lost


@kernel
def chance_if_closed(v: View, r: RulesRecord, made: float) -> float:
    """Chance to win the match with a close that is made with the chance `made`.

    What it pays is certain by now where it is graded at closing, else as usual.
    """
    pay = grade(v.points[1], v.tricks[1]) if r.close_graded == GRADED_AT_CLOSING else USUAL
    price = r.close_failed if v.tricks[1] else r.close_failed_trickless
    return between(chance_after(v, r, pay), chance_after(v, r, -price), made)


@kernel
def chance_if_open(v: View, r: RulesRecord, params: Any) -> float:
    """Chance to win the match if the stock stays open: a hand of so many game points as most, better when young."""
    won = params[OPEN_CHANCE] - params[OPEN_LATE] * (v.points[0] + v.points[1]) / OUT
    return between(chance_after(v, r, USUAL), chance_after(v, r, -USUAL), won)


@kernel
def must_lead_loser(v: View) -> bool:
    """Say whether a plain marriage has been announced whose king may be beaten: then a trick is lost at once."""
    return v.meld_suit >= 0 and v.meld_suit != v.trump and higher_cards(out_there(v), (v.meld_suit << 3) + KING) != 0


@kernel
def should_close(v: View, r: RulesRecord, params: Any) -> bool:
    """Say whether to close: 66 is in sight, likely enough for the match, but neither there yet nor one card away."""
    if v.points[0] >= OUT or must_lead_loser(v):
        return False
    sure = sure_cards(v)
    if sure == 0 or winning_cards(v, r):
        return False
    made = chance_to_make(v, r, params, sure)
    return chance_if_closed(v, r, made) > chance_if_open(v, r, params)
