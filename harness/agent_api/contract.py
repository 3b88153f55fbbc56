"""The two kinds of agent class, and what a Python agent is told around its decisions.

Both kinds only store their keyword parameters in the constructor; a dataclass does so by itself. Bounds belong into
``__post_init__``, which raises ValueError with a sentence. Compiled agents: `harness.agent_api.compiled`.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from harness.agent_api.seat_view import SeatView
from harness.game.rules import Rules

CRASHES = (Exception, SystemExit)
"""What an agent's own code may raise, when imported, built or asked, without harm to the program: exit() is one."""


@dataclass(frozen=True)
class HandInfo:
    """What is known before the first card: the rules, the seat (0 leads first), the match score (mine, theirs)."""

    rules: Rules
    seat: int
    score: tuple[int, int] = (0, 0)
    carry: int = 0


@dataclass(frozen=True)
class HandResult:
    """How a hand ended: my game points (negative when lost, 0 when nobody won) and the ending's name."""

    game_points: int
    how: str


class PythonAgent(Protocol):
    """An agent in plain Python. It may also have the methods of `OptionalHooks`."""

    def choose(self, view: SeatView) -> int:
        """Return one of ``view.legal``."""


class OptionalHooks(Protocol):
    """What a Python agent may have besides ``choose``; each is called only where it is there."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        """Begin a hand; `seed` (64 bits) is this agent's luck in it and the only randomness it should use."""

    def inform(self, seat: int, action: int) -> None:
        """Hear of a public action, one's own included."""

    def end_hand(self, result: HandResult) -> None:
        """Hear how the hand ended."""


def is_compiled(agent: Any) -> bool:
    """Say whether an agent object or class follows the compiled contract."""
    return hasattr(agent, "policy")


def is_python(agent: Any) -> bool:
    """Say whether an agent object or class follows the Python contract."""
    return callable(getattr(agent, "choose", None))
