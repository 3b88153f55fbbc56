"""One hand after another between two agents of any kind."""

from typing import Any

from harness.agent_api.registry import LoadedAgent
from harness.core.records import STATE_DTYPE
from harness.game.rules import Rules
from harness.play.fault import Fault, is_action_number
from harness.play.players import CrashError, Player, seat_player
from harness.play.step import ILLEGAL, VIEWS_AT, count_hand, finished_hash, new_table, open_hand, take_action


class Table:
    """Where two agents of any kind play.

    Parameters
    ----------
    rules
        The house rules.
    agents
        Side 0 and side 1 of the pairing.
    seed
        Seed of the packs and of the agents' luck.
    """

    def __init__(self, rules: Rules, agents: tuple[LoadedAgent, LoadedAgent], seed: int):
        self._words = new_table(rules.record())
        self._state = self._words[:VIEWS_AT].view(STATE_DTYPE)
        self._sides = (seat_player(agents[0], rules, 0), seat_player(agents[1], rules, 1))
        self._seed = seed

    def play(self, deal: int, half: int) -> Fault | None:
        """Play one hand; in half 0 side 0 leads first, in half 1 side 1; returns an agent's fault, if any."""
        seats = (self._sides[1], self._sides[0]) if half else self._sides
        try:
            return self._play(seats, deal, half)
        except CrashError as crash:
            return Fault(deal, half, crash.side, crash=crash.story)

    def _play(self, seats: tuple[Player, Player], deal: int, half: int) -> Fault | None:
        for seat, player in enumerate(seats):
            player.start(self._seed, deal, seat)
        seat = open_hand(self._words, self._seed, deal)
        while seat >= 0:
            action = seats[seat].choose(self._words)
            following = take_action(self._words, action) if is_action_number(action) else ILLEGAL
            if following == ILLEGAL:
                return Fault(deal, half, seat ^ half, action=action)
            for player in seats:
                player.inform(seat, int(action))
            seat = following
        for seat, player in enumerate(seats):
            player.end(self.game_points(seat), int(self._state["how"][0]))
        return None

    def count(self, half: int, endings: Any) -> int:
        """Add the finished hand to `endings` (int64, ENDINGS_SHAPE); returns side 0's game points."""
        return count_hand(self._words, half, endings)

    def hash(self, pairing: int, deal: int, half: int) -> int:
        """Hash the finished hand."""
        return int(finished_hash(self._words, pairing, deal, half))

    def actions(self) -> list[int]:
        """Actions of the hand so far, oldest first."""
        history = self._state["history"][0][: int(self._state["n_history"][0])]
        return [int(entry) & 63 for entry in history]

    def game_points(self, seat: int) -> int:
        """Game points of a seat in the finished hand, negative when lost."""
        winner = int(self._state["winner"][0])
        points = int(self._state["game_points"][0])
        return points if winner == seat else -points
