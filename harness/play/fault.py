"""What an agent did wrong in a hand."""

from dataclasses import dataclass

from harness.core.cards import N_ACTION_CODES
from harness.game.notation import action_text


@dataclass(frozen=True)
class Fault:
    """An agent's fault: which hand, which side, and the illegal action or the traceback of the crash."""

    deal: int
    half: int
    side: int
    action: object = None
    crash: str | None = None

    def describe(self) -> str:
        """Say in a few words what happened."""
        if self.crash is not None:
            return f"crashed: {self.crash.strip().splitlines()[-1]}"
        if isinstance(self.action, int) and 0 <= self.action < N_ACTION_CODES:
            return f"chose {action_text(self.action)}, which is not legal there"
        return f"returned {self.action!r}, which is no action"

    def sentence(self, first: str, second: str, seed: int) -> str:
        """Tell the whole story, with the traceback of a crash and the command that plays the hand again."""
        name = second if self.side else first
        lines = [
            f"{name} {self.describe()} (deal {self.deal}, {'second' if self.half else 'first'} half, "
            f"as the {'second' if self.side else 'first'} agent of {first} against {second})",
            f"  see the hand: sixtysix show {first} {second} --seed {seed} --deal {self.deal} --half {self.half}",
        ]
        if self.crash is not None:
            lines.append(self.crash.rstrip())
        return "\n".join(lines)
