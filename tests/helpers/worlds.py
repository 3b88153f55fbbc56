"""Views of a core hand, other worlds in which the same seat would see the same, and agents asked about them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from harness.agent_api.registry import LoadedAgent
from harness.core.records import VIEW_DTYPE, records
from harness.core.view import clear_view, fill_view
from harness.game.rules import Rules
from harness.play.conformance import worlds
from harness.play.players import CompiledPlayer, Player, seat_player
from harness.play.step import VIEW_WORDS, VIEWS_AT, new_table
from tests.helpers.engine import CARDS, CoreHand


def view_of(hand: CoreHand, seat: int) -> Any:
    """What a seat may know: recarray of View, shape (1,)."""
    views = records(VIEW_DTYPE)
    clear_view(views[0])
    fill_view(hand.state, hand.rules, seat, views[0])
    return views


def hide_again(hand: CoreHand, seat: int, rng: Random) -> Any:
    """Deal the cards that `seat` cannot place anew to the other hand and the face-down stock.

    Changes the hand's records; returns them as they were.
    """
    before = hand.records.copy()
    worlds.hide_again(hand.state, seat, np.full(1, rng.getrandbits(64), np.uint64))
    return before


class Seated:
    """An agent sitting at a seat, asked about one view after another with the same luck each time."""

    def __init__(self, agent: LoadedAgent, rules: Rules, seat: int) -> None:
        self.player: Player = seat_player(agent, rules, side=0)
        self._table = new_table(rules.record())
        self._seat = seat

    def choose(self, views: Any, history: Sequence[tuple[int, int]]) -> int:
        """Choose on a view, from the start of the hand: a Python agent hears all that has happened."""
        at = VIEWS_AT + self._seat * VIEW_WORDS
        self._table[at : at + VIEW_WORDS] = views.view(np.int64)
        self.player.start(7, 7, self._seat)
        for seat, action in history:
            self.player.inform(seat, action)
        return int(self.player.choose(self._table))

    def spoil_scratch(self, rng: Random) -> None:
        """Fill a compiled agent's working memory with garbage."""
        if isinstance(self.player, CompiledPlayer):
            scratch = self.player._scratch
            scratch[:] = [rng.getrandbits(64) for _ in scratch]


def numbers(cards: Sequence[str]) -> set[int]:
    """Numbers of some cards."""
    return {CARDS[card] for card in cards}
