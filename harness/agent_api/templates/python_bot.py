"""MyBot: a bot for Sixty-Six in plain Python."""

from dataclasses import dataclass

from harness.agent_api.bounds import check_bounds, parameter
from harness.agent_api.seat_view import SeatView
from harness.core.cards import CARD_POINTS, DECLARE, DRAW, EXCHANGE, MELD, OUT

POINTS: list[int] = CARD_POINTS.tolist()
"""Trick points by card number."""


@dataclass(frozen=True)
class MyBot:
    """Takes what is free, takes tricks that are worth it, else plays its cheapest card.

    Parameters
    ----------
    greed
        Points, 0 to 11, that a led card must be worth before a trump is spent on it.
    """

    greed: int = parameter(10, 0, 11)

    def __post_init__(self) -> None:
        """Refuse what is outside the bounds."""
        check_bounds(self)

    def choose(self, view: SeatView) -> int:
        """Return one of ``view.legal``."""
        free = self.free_action(view)
        if free is not None:
            return free
        cards = [action for action in view.legal if action < MELD]
        winners = self.worthy_winners(view, cards)
        return self.cheapest(winners or cards, view.trump)

    def free_action(self, view: SeatView) -> int | None:
        """Return 66 declared when it is there, the exchange, a marriage, or the draw; None if there is none."""
        others = [action for action in view.legal if action >= MELD]
        if DECLARE in others and view.points[0] >= OUT:
            return DECLARE
        if EXCHANGE in others:
            return EXCHANGE
        if MELD + view.trump in others:
            return MELD + view.trump
        return next((action for action in others if action < EXCHANGE or action == DRAW), None)

    def worthy_winners(self, view: SeatView, cards: list[int]) -> list[int]:
        """Return the cards that take the trick, a trump only if the led card is worth `greed` points."""
        led = view.led
        if led is None:
            return []
        suit = led >> 3
        winners = [card for card in cards if card >> 3 == suit and card > led]
        if suit != view.trump and POINTS[led] >= self.greed:
            winners += [card for card in cards if card >> 3 == view.trump]
        return winners

    def cheapest(self, cards: list[int], trump: int) -> int:
        """Return the card with the fewest points, trumps last."""
        return min(cards, key=lambda card: (card >> 3 == trump, POINTS[card], card))
