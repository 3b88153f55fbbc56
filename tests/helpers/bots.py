"""Agents for tests of the play room: one that records what it is told, one that draws in plain Python, faulty ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from harness.agent_api.compiled import Compiled, policy
from harness.agent_api.contract import HandInfo, HandResult
from harness.agent_api.registry import LoadedAgent
from harness.agent_api.seat_view import SeatView
from harness.core.bits import lowest
from tests.helpers.splitmix import SplitMix, random_choice


def loaded(agent: Any, name: str = "bot") -> LoadedAgent:
    """An agent object as the registry hands it out."""
    return LoadedAgent(name, agent, hasattr(agent, "policy"))


def first_legal(view: SeatView) -> int:
    """The lowest legal action: a card while there is one."""
    return view.legal[0]


class PlainRandom:
    """The built-in random agent once more, in plain Python and with its own stream."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self._stream = SplitMix(seed)

    def choose(self, view: SeatView) -> int:
        return random_choice(view.legal, view.points[0], self._stream)


@dataclass
class Recorder:
    """Plays its lowest legal action and writes down every call."""

    calls: list[tuple[Any, ...]] = field(default_factory=list)

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self.calls.append(("start", info, seed))

    def choose(self, view: SeatView) -> int:
        self.calls.append(("choose", view.seat, view.legal, view.history))
        return first_legal(view)

    def inform(self, seat: int, action: int) -> None:
        self.calls.append(("inform", seat, action))

    def end_hand(self, result: HandResult) -> None:
        self.calls.append(("end", result))


@dataclass
class Odd:
    """Plays well-behaved until the public history has so many actions, then answers whatever `answer` returns."""

    answer: Callable[[SeatView], Any]
    after: int = 4

    def choose(self, view: SeatView) -> Any:
        return self.answer(view) if len(view.history) >= self.after else first_legal(view)


@dataclass
class CrashingHook:
    """Crashes in one of its hooks."""

    hook: str

    def _called(self, hook: str) -> None:
        if hook == self.hook:
            raise RuntimeError(f"no idea in {hook}")

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self._called("start_hand")

    def choose(self, view: SeatView) -> int:
        self._called("choose")
        return first_legal(view)

    def inform(self, seat: int, action: int) -> None:
        self._called("inform")

    def end_hand(self, result: HandResult) -> None:
        self._called("end_hand")


@policy
def choose_first(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Choose the lowest legal action."""
    return lowest(view.legal)


@policy
def choose_wrongly(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Choose the lowest legal action until the history has so many, then a fixed number, or crash at -99."""
    if view.n_history < params[1]:
        return lowest(view.legal)
    if params[0] == -99:
        raise ValueError("no idea in a policy")
    return int(params[0])


@dataclass(frozen=True)
class First(Compiled):
    """`Recorder`'s choices, compiled."""

    policy: ClassVar[Any] = staticmethod(choose_first)


@dataclass(frozen=True)
class Wrong(Compiled):
    """`Odd`, compiled: answers a number, or crashes at -99."""

    policy: ClassVar[Any] = staticmethod(choose_wrongly)
    answer: float = -99
    after: float = 4


@policy
def choose_moodily(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Choose the lowest legal action, but crash with some points and answer nonsense with some tricks."""
    if view.points[0] == 24:
        raise ValueError("24 points")
    return -1 if view.tricks[0] == 4 else lowest(view.legal)


@dataclass(frozen=True)
class Moody(Compiled):
    """`First`, but goes wrong in some hands."""

    policy: ClassVar[Any] = staticmethod(choose_moodily)


@policy
def choose_and_scribble(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Choose the lowest legal action and write over view and rules; with params[0], revoke in strict play."""
    legal = view.legal
    strict = view.n_stock == 0 or view.closer >= 0
    view.legal = -1
    view.n_history = -(10**9)
    view.points[0] = 66
    rules.strict_head = 0
    rules.declare_false_penalty = -3
    rules.nines = 0
    held = view.hand & ~legal
    return lowest(held) if params[0] > 0 and strict and view.led >= 0 and held else lowest(legal)


@dataclass(frozen=True)
class Scribbler(Compiled):
    """`First`, but writes over everything it is shown; with `revokes` it also plays cards that it may not play."""

    policy: ClassVar[Any] = staticmethod(choose_and_scribble)
    revokes: float = 0


@policy
def choose_by_rules(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Choose the lowest legal action, or crash if somebody has changed the rules."""
    if rules.nines == 0 or rules.declare_false_penalty < 0:
        raise ValueError("these rules are not those of the run")
    return lowest(view.legal)


@dataclass(frozen=True)
class RulesReader(Compiled):
    """`First`, but crashes when its rules were written over."""

    policy: ClassVar[Any] = staticmethod(choose_by_rules)
