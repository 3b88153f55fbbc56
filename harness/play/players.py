"""Agents at a table: the same calls for a compiled policy and for a Python agent."""

import signal
import traceback
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from harness.agent_api.compiled import policy_address
from harness.agent_api.contract import CRASHES, HandInfo, HandResult
from harness.agent_api.faults import FaultKind, MisbehaviourError
from harness.agent_api.registry import LoadedAgent
from harness.agent_api.seat_view import SeatView
from harness.core.records import ENDINGS
from harness.core.rng import agent_stream
from harness.game.rules import Rules
from harness.play.fault import crash_words
from harness.play.pulse import MOVES, NEWS, SIDE, new_pulse
from harness.play.step import VIEW_WORDS, VIEWS_AT, ask_policy


class AgentError(Exception):
    """An agent has done wrong; tells its side, and the kind, words and story of the fault."""

    def __init__(self, side: int, kind: FaultKind, what: str, story: str = ""):
        self.side = side
        self.kind = kind
        self.what = what
        self.story = story
        super().__init__(side, kind, what, story)


class Player(Protocol):
    """One side of a pairing while its hands are played."""

    def join(self, score: tuple[int, int], carry: int) -> None:
        """Hear the score of the match (mine, theirs) and the carry before a hand of it; outside a match, nothing."""

    def start(self, seed: int, deal: int, seat: int) -> None:
        """Sit down at `seat` for a hand."""

    def choose(self, table: Any) -> int:
        """Return the action for the filled view of the seat; raises, like all of these, AgentError."""

    def inform(self, seat: int, action: int) -> None:
        """Hear of a public action."""

    def end(self, game_points: int, how: int) -> None:
        """Hear how the hand ended."""


class CompiledPlayer:
    """A compiled policy at a table where the other side is not compiled."""

    def __init__(self, agent: Any, side: int, pulse: Any):
        self._agent = agent  # an address does not keep its policy alive
        self._policy = policy_address(agent.policy)
        self._params, self._scratch = policy_arrays(agent)
        self._rng = np.zeros(1, np.uint64)
        self._side = side
        self._pulse = memoryview(pulse)
        self._seat = 0

    def join(self, score: tuple[int, int], carry: int) -> None:
        """Nothing to hear: a policy finds score and carry in its view."""

    def start(self, seed: int, deal: int, seat: int) -> None:
        """Sit down at `seat` for a hand."""
        self._seat = seat
        self._rng[0] = agent_stream(seed, deal, seat, self._side)

    def choose(self, table: Any) -> int:
        """Return the action for the filled view of the seat."""
        self._pulse[SIDE] = self._side
        self._pulse[MOVES + self._side] += 1
        try:
            return ask_policy(table, self._seat, self._side, self._policy, self._params, self._rng, self._scratch)
        except CRASHES as error:
            raise crash(self._side, error) from error

    def inform(self, seat: int, action: int) -> None:
        """Nothing to hear: a policy finds the history in its view."""

    def end(self, game_points: int, how: int) -> None:
        """Nothing to hear: a policy keeps no memory."""


class PythonPlayer:
    """A Python agent; its optional hooks are called where it has them."""

    def __init__(self, agent: Any, rules: Rules, side: int, pulse: Any):
        self._choose = agent.choose
        self._start_hand = getattr(agent, "start_hand", None)
        self._inform = getattr(agent, "inform", None)
        self._end_hand = getattr(agent, "end_hand", None)
        self._rules = rules
        self._infos = (HandInfo(rules, 0), HandInfo(rules, 1))
        self._side = side
        self._pulse = memoryview(pulse)
        self._view = slice(0, 0)

    def join(self, score: tuple[int, int], carry: int) -> None:
        """Take the score (mine, theirs) and the carry of the hands to come."""
        self._infos = (HandInfo(self._rules, 0, score, carry), HandInfo(self._rules, 1, score, carry))

    def start(self, seed: int, deal: int, seat: int) -> None:
        """Sit down at `seat` for a hand."""
        self._view = slice(VIEWS_AT + seat * VIEW_WORDS, VIEWS_AT + (seat + 1) * VIEW_WORDS)
        if self._start_hand is not None:
            luck = int(agent_stream(seed, deal, seat, self._side))
            self._call(NEWS, self._start_hand, self._infos[seat], luck)

    def choose(self, table: Any) -> int:
        """Return the action for the filled view of the seat."""
        return self._call(MOVES + self._side, self._choose, SeatView(table[self._view].tolist()))  # type: ignore[no-any-return]

    def inform(self, seat: int, action: int) -> None:
        """Hear of a public action."""
        if self._inform is not None:
            self._call(NEWS, self._inform, seat, action)

    def end(self, game_points: int, how: int) -> None:
        """Hear how the hand ended."""
        if self._end_hand is not None:
            self._call(NEWS, self._end_hand, HandResult(game_points, ENDINGS[how]))

    def _call(self, counter: int, method: Callable[..., Any], *arguments: object) -> Any:
        self._pulse[SIDE] = self._side
        self._pulse[counter] += 1
        try:
            return method(*arguments)
        except MisbehaviourError as error:
            raise AgentError(self._side, error.kind, error.what, error.story) from error
        except BaseException as error:  # asyncio's CancelledError is one, too
            if isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
                raise  # else nobody can have pressed Ctrl-C
            raise crash(self._side, error) from error


def crash(side: int, error: BaseException) -> AgentError:
    """Return the fault of an agent whose own code raised."""
    try:
        story = "".join(traceback.format_exception(error))
    except Exception:  # an exception of its own class may do anything when it is printed
        story = f"{type(error).__name__}, which cannot be printed"
    return AgentError(side, FaultKind.CRASH, crash_words(story), story)


def policy_arrays(agent: Any) -> tuple[Any, Any]:
    """Make a compiled agent's parameters (float64) and its working memory (uint64)."""
    return np.array(agent.params(), np.float64), np.zeros(agent.n_scratch, np.uint64)


def seat_player(agent: LoadedAgent, rules: Rules, side: int, pulse: Any = None) -> Player:
    """Make the player of a side, 0 or 1, of a pairing; `pulse` is for those who watch it play."""
    pulse = new_pulse() if pulse is None else pulse
    if agent.is_compiled:
        return CompiledPlayer(agent.agent, side, pulse)
    return PythonPlayer(agent.agent, rules, side, pulse)
