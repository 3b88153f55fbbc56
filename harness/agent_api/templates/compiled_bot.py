"""MyBot: a bot for Sixty-Six, compiled, which plays hundreds of thousands of hands a second."""

from dataclasses import dataclass
from typing import Any, ClassVar

from harness.agent_api.compiled import Compiled, parameter, policy
from harness.core.apply import beats
from harness.core.bits import lowest
from harness.core.cards import DECLARE, DRAW, EXCHANGE, MELD, OUT, card_points, suit_of
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View

GREED = 0
"""Place of the parameter `greed` among the fields of the class."""


@kernel
def free_action(view: View) -> int:
    """Return 66 declared when it is there, the exchange, a marriage, or the draw; -1 if there is none."""
    if (view.legal >> DECLARE) & 1 and view.points[0] >= OUT:
        return DECLARE
    if (view.legal >> EXCHANGE) & 1:
        return EXCHANGE
    if (view.legal >> (MELD + view.trump)) & 1:
        return MELD + view.trump
    for action in range(MELD, EXCHANGE):
        if (view.legal >> action) & 1:
            return action
    return DRAW if (view.legal >> DRAW) & 1 else -1


@kernel
def cost(card: int, trump: int) -> int:
    """Say how dear a card is: its points, and trumps above all others."""
    return card_points(card) + (100 if suit_of(card) == trump else 0)


@kernel
def is_worthy(view: View, card: int, greed: float) -> bool:
    """Say whether a card takes the trick, and is no trump on a card that is worth less than `greed` points."""
    if view.led < 0 or not beats(card, view.led, view.trump):
        return False
    return suit_of(card) == suit_of(view.led) or card_points(view.led) >= greed


@policy
def choose(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Take what is free, take tricks that are worth it, else play the cheapest card."""
    action = free_action(view)
    if action >= 0:
        return action
    best = -1
    best_cost = 10_000
    cards = view.legal & ((1 << MELD) - 1)
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        price = cost(card, view.trump) - (1_000 if is_worthy(view, card, params[GREED]) else 0)
        if price < best_cost:
            best_cost = price
            best = card
    return best


@dataclass(frozen=True)
class MyBot(Compiled):
    """Takes what is free, takes tricks that are worth it, else plays its cheapest card.

    Parameters
    ----------
    greed
        Points, 0 to 11, that a led card must be worth before a trump is spent on it.
    """

    policy: ClassVar[Any] = staticmethod(choose)
    greed: float = parameter(10, 0, 11)
