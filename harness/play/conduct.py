"""What agents must not do besides acting against the rules: write to stdout, fill the memory.

Looking after every call would cost a quick agent a quarter of its speed. So one looks after every hand, and where
something has happened the hand is played again with a look after every call.
"""

from collections.abc import Callable
from typing import Any

from harness.agent_api.faults import FaultKind
from harness.play.players import AgentError, Player


class Conduct:
    """How the agents in this process behave.

    Parameters
    ----------
    printed
        Returns what has been written to stdout since it was last asked.
    memory
        Returns the memory of the process in bytes.
    most_memory
        Returns the most that it has ever been.
    memory_limit
        How much it may be, in bytes.

    """

    def __init__(
        self,
        printed: Callable[[], str],
        memory: Callable[[], int],
        most_memory: Callable[[], int],
        memory_limit: int,
    ):
        self.printed = printed
        self.memory = memory
        self._most_memory = most_memory
        self._memory_limit = memory_limit

    def is_broken(self) -> bool:
        """Say whether something has happened since this was last asked."""
        return self.printed() != "" or self.is_spent()

    def is_spent(self) -> bool:
        """Say whether the memory has passed its limit: this process had better end."""
        return self._most_memory() > self._memory_limit


class MemorySpentError(BaseException):
    """The memory has passed its limit in a hand; `side` is the one to blame, None if that cannot be said."""

    def __init__(self, side: int | None):
        self.side = side
        super().__init__(side)


class CarefulPlayer:
    """A player who is looked after at every call; `growth` is how much memory its calls have taken, in bytes."""

    def __init__(self, player: Player, side: int, conduct: Conduct):
        self._player = player
        self._side = side
        self._conduct = conduct
        self.growth = 0

    def join(self, score: tuple[int, int], carry: int) -> None:
        """Hear the score of the match and the carry; no code of the agent runs."""
        self._player.join(score, carry)

    def start(self, seed: int, deal: int, seat: int) -> None:
        """Sit down at `seat` for a hand."""
        self._call(self._player.start, seed, deal, seat)

    def choose(self, table: Any) -> int:
        """Return the action for the filled view of the seat."""
        return self._call(self._player.choose, table)  # type: ignore[no-any-return]

    def inform(self, seat: int, action: int) -> None:
        """Hear of a public action."""
        self._call(self._player.inform, seat, action)

    def end(self, game_points: int, how: int) -> None:
        """Hear how the hand ended."""
        self._call(self._player.end, game_points, how)

    def _call(self, method: Callable[..., Any], *arguments: object) -> Any:
        before = self._conduct.memory()
        try:
            return method(*arguments)
        finally:
            self.growth += self._conduct.memory() - before
            text = self._conduct.printed()
            if text:
                raise AgentError(self._side, FaultKind.STDOUT, f"wrote to stdout: {text!r}")
