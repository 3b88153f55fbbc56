"""Whole matches at a table, hand by hand, as the compiled loop plays them."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from harness.play.codes import MOST_HANDS
from harness.play.players import Player
from harness.play.pulse import ROUND
from harness.play.step import DECIDED, hash_match_hand, open_match, score_match_hand, write_finished_match
from harness.play.table import Table


@dataclass
class TableHand:
    """A hand as it was played: its deal, the side that led, score by seat and carry before it, actions so far."""

    deal: int
    leader: int
    score: tuple[int, int] = (0, 0)
    carry: int = 0
    actions: list[int] = field(default_factory=list)


class MatchTable(Table):
    """Where two agents of any kind play matches to the target of the rules; all else is as for `Table`.

    Attributes
    ----------
    hands
        The hands of the last match; after a fault the last of them ends there.

    """

    hands: list[TableHand]
    _leader: int
    _told: np.uint64

    def _play(self, sides: tuple[Player, Player], deal: int, half: int) -> None:
        """Play match number `deal`; in half h side h leads the first hand."""
        open_match(self._words)
        self._leader, self._told, self.hands = half, np.uint64(0), []
        for number in range(MOST_HANDS):
            self._pulse[ROUND] = number
            self._play_next(sides, deal * MOST_HANDS + number)
            self._told = hash_match_hand(self._words, self._told)
            following = score_match_hand(self._words, self._leader)
            self._leader = following % DECIDED
            if following >= DECIDED:
                return

    def _play_next(self, sides: tuple[Player, Player], deal: int) -> None:
        """Play the next hand, which is dealt as deal number `deal`."""
        leader, carry = self._leader, int(self._state["carry"][0])
        first, second = (int(points) for points in self._state["score"][0])
        hand = TableHand(deal, leader, (first, second), carry)
        self.hands.append(hand)
        sides[leader].join((first, second), carry)
        sides[1 - leader].join((second, first), carry)
        self._state["n_history"] = 0
        try:
            super()._play(sides, deal, leader)
        finally:
            hand.actions = self.actions()

    def write(self, pairing: int, hand: int, row: Any, history: Any) -> None:
        """Write the finished match, number `hand` of a pairing, into a HandRow (`row`, its two words)."""
        write_finished_match(self._words, pairing, hand, self._leader, self._told, row)
