"""`example`: a complete bot in plain Python, meant to be copied. See agents/README.md for the steps."""

from dataclasses import dataclass

from harness.agent_api.seat_view import SeatView
from harness.core.cards import CARD_POINTS, DECLARE, DRAW, EXCHANGE, MELD

POINTS = CARD_POINTS.tolist()


@dataclass(frozen=True)
class Example:
    """Declares, exchanges and melds where it is asked to, takes tricks cheaply, else plays its cheapest card.

    Where marriages are announced by leading a king or queen, it does not look for them: a first thing to teach it.

    Parameters
    ----------
    greed
        Points that a card must be worth before a trump is spent on it.
    """

    greed: int = 10

    def choose(self, view: SeatView) -> int:
        """Return one of ``view.legal``."""
        legal = view.legal
        if legal[-1] >= MELD:
            if view.points[0] >= 66 and DECLARE in legal:
                return DECLARE
            if DRAW in legal:
                return DRAW
            if EXCHANGE in legal:
                return EXCHANGE
            for action in legal:
                if MELD <= action < EXCHANGE:
                    return action
        cards = [action for action in legal if action < MELD]
        trump = view.trump
        led = view.led
        if led is not None:
            winners = [card for card in cards if card > led and card >> 3 == led >> 3]
            if winners:
                return winners[-1]
            if led >> 3 != trump and POINTS[led] >= self.greed:
                trumps = [card for card in cards if card >> 3 == trump]
                if trumps:
                    return trumps[0]
        return min(cards, key=lambda card: (card >> 3 == trump, POINTS[card]))
