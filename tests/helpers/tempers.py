"""Ways of choosing actions at random, mixed so that what random play hardly ever does happens often enough.

Uniform play ends most hands by a false declaration, closes too early and never takes twelve tricks without a
trick for the other side. A `Temper` gives each special action its own probability and the cards a leaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from harness.core.cards import CLOSE, DECLARE, DRAW, EXCHANGE, MELD


@dataclass(frozen=True)
class Temper:
    """How likely each special action is wherever it is legal; `cards` is any, high or low."""

    exchange: float = 0.5
    meld: float = 0.7
    close: float = 0.02
    declare_truly: float = 0.7
    declare_falsely: float = 0.0
    cards: str = "any"

    def choose(self, legal: Sequence[int], points: int, rng: Random) -> int:
        """Choose one of the legal actions (rising numbers) of a side with these counted points."""
        for action in reversed(legal):
            if action < MELD:
                break
            if rng.random() < self._chance(action, points):
                return action
        cards = [action for action in legal if action < MELD or action == DRAW]
        if self.cards == "any" or rng.random() < 0.2:
            return rng.choice(cards)
        return (max if self.cards == "high" else min)(cards, key=lambda card: card & 7)

    def _chance(self, action: int, points: int) -> float:
        if action == CLOSE:
            return self.close
        if action == DECLARE:
            return self.declare_truly if points >= 66 else self.declare_falsely
        if action == DRAW:
            return 0.0
        return self.exchange if action == EXCHANGE else self.meld


TEMPERS = (
    Temper(),
    Temper(close=0.0, declare_truly=0.0),  # plays to the end, whatever it has
    Temper(close=0.0, declare_truly=0.0, cards="high"),
    Temper(close=0.6, declare_truly=0.9, cards="high"),
    Temper(close=0.2, declare_truly=0.2),
    Temper(exchange=0.3, meld=0.3, close=0.1, declare_falsely=0.1),
    Temper(meld=1.0, close=0.0, cards="low"),  # takes few tricks, if any
    Temper(exchange=1.0, meld=1.0, close=0.05, declare_truly=1.0, cards="high"),
)


def two_tempers(rng: Random) -> tuple[Temper, Temper]:
    """A temper for each seat."""
    return rng.choice(TEMPERS), rng.choice(TEMPERS)
