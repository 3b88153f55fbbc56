"""When to close the stock: enough points in sight, for what a close may win and what it may cost."""

from typing import Any

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
from agents.weights import CLOSE_AT, CLOSE_GAIN, CLOSE_PRICE, CLOSE_RACE, CLOSE_SOFT
from harness.core.bits import lowest
from harness.core.cards import KING, OUT, card_points, suit_cards
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View
from harness.core.score import grade


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
def close_from(v: View, r: RulesRecord, params: Any) -> float:
    """Points that must be in sight for a close: fewer if it wins much, more if its failure costs much.

    More than the match still needs is neither won nor lost.
    """
    gain = min(grade(v.points[1], v.tricks[1]), v.target - v.score[0])
    price = min(r.close_failed if v.tricks[1] else r.close_failed_trickless, v.target - v.score[1])
    least: float = params[CLOSE_AT] - params[CLOSE_RACE] * v.points[1]
    least += params[CLOSE_PRICE] * (price - 2) - params[CLOSE_GAIN] * (gain - 1)
    return least


@kernel
def must_lead_loser(v: View) -> bool:
    """Say whether a plain marriage has been announced whose king may be beaten: then a trick is lost at once."""
    return v.meld_suit >= 0 and v.meld_suit != v.trump and higher_cards(out_there(v), (v.meld_suit << 3) + KING) != 0


@kernel
def should_close(v: View, r: RulesRecord, params: Any) -> bool:
    """Say whether to close: 66 is in sight, but neither there yet nor one card away."""
    if v.points[0] >= OUT or must_lead_loser(v):
        return False
    sure = sure_cards(v)
    seen: float = points_in_sight(v, r, sure) + params[CLOSE_SOFT] * hoped_points(v, v.hand & ~sure)
    return sure != 0 and seen >= close_from(v, r, params) and winning_cards(v, r) == 0
