"""One hand after another between two agents of any kind."""

from typing import Any

from harness.agent_api.registry import LoadedAgent
from harness.core.records import STATE_DTYPE
from harness.game.rules import Rules
from harness.play.conduct import CarefulPlayer, Conduct, MemorySpentError
from harness.play.fault import Fault, action_number, wrong_answer
from harness.play.players import AgentError, Player, seat_player
from harness.play.pulse import HAND, NOBODY, SIDE, new_pulse
from harness.play.step import ILLEGAL, VIEWS_AT, new_table, open_hand, take_action, write_finished


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
    pulse
        Where the play says how far it is (`harness.play.pulse`); None where nobody watches.
    conduct
        How the agents behave otherwise; None where nobody minds.
    """

    def __init__(
        self,
        rules: Rules,
        agents: tuple[LoadedAgent, LoadedAgent],
        seed: int,
        pulse: Any = None,
        conduct: Conduct | None = None,
    ):
        pulse = new_pulse() if pulse is None else pulse
        self._words = new_table(rules.record())
        self._state = self._words[:VIEWS_AT].view(STATE_DTYPE)
        self._sides = (seat_player(agents[0], rules, 0, pulse), seat_player(agents[1], rules, 1, pulse))
        self._seed = seed
        self._pulse = memoryview(pulse)
        self._conduct = conduct

    def play(self, deal: int, half: int) -> Fault | None:
        """Play one hand; in half 0 side 0 leads first, in half 1 side 1; returns an agent's fault, if any.

        Raises
        ------
        MemorySpentError
            The process has grown beyond its limit.
        """
        self._pulse[HAND] = 2 * deal + half
        fault = self._attempt(self._sides, deal, half)
        if fault is None and self._conduct is not None and self._conduct.is_broken():
            fault = self._look_closely(self._conduct, deal, half)
        self._pulse[SIDE] = NOBODY
        return fault

    def _attempt(self, sides: tuple[Player, Player], deal: int, half: int) -> Fault | None:
        try:
            self._play(sides, deal, half)
        except AgentError as error:
            return Fault(deal, half, error.side, error.kind, error.what, error.story)
        return None

    def _play(self, sides: tuple[Player, Player], deal: int, half: int) -> None:
        """Play one hand; side `half` sits on seat 0."""
        seats = (sides[1], sides[0]) if half else sides
        for seat, player in enumerate(seats):
            player.start(self._seed, deal, seat)
        seat = open_hand(self._words, self._seed, deal)
        while seat >= 0:
            answer = seats[seat].choose(self._words)
            action = action_number(answer)
            following = ILLEGAL if action is None else take_action(self._words, action)
            if action is None or following == ILLEGAL:
                raise AgentError(seat ^ half, *wrong_answer(answer))
            for player in seats:
                player.inform(seat, action)
            seat = following
        for seat, player in enumerate(seats):
            player.end(self.game_points(seat), int(self._state["how"][0]))

    def _look_closely(self, conduct: Conduct, deal: int, half: int) -> Fault | None:
        """Play a hand again in which something has happened, to see whose doing it was."""
        first, second = (CarefulPlayer(player, side, conduct) for side, player in enumerate(self._sides))
        fault = self._attempt((first, second), deal, half)
        if conduct.is_spent():
            growths = (first.growth, second.growth)
            raise MemorySpentError(growths.index(max(growths)) if max(growths) > 0 else None)
        return fault

    def write(self, pairing: int, hand: int, row: Any, history: Any) -> None:
        """Write the finished hand, number `hand` of a pairing, as `harness.play.step.write_finished` does."""
        write_finished(self._words, pairing, hand, row, history)

    def actions(self) -> list[int]:
        """Actions of the hand so far, oldest first."""
        history = self._state["history"][0][: int(self._state["n_history"][0])]
        return [int(entry) & 63 for entry in history]

    def game_points(self, seat: int) -> int:
        """Game points of a seat in the finished hand, negative when lost."""
        winner = int(self._state["winner"][0])
        points = int(self._state["game_points"][0])
        return points if winner == seat else -points
