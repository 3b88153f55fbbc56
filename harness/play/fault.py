"""What an agent did wrong in a hand."""

import shlex
from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.game.notation import action_text, is_action
from harness.game.presets import DEFAULT_PRESET, rules_text
from harness.game.rules import Rules


def is_action_number(value: object) -> bool:
    """Say whether what an agent returned is the number of an action at all, legal or not."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and is_action(int(value))


@dataclass(frozen=True)
class Fault:
    """An agent's fault: which hand, which side, and the illegal action or the traceback of the crash."""

    deal: int
    half: int
    side: int
    action: Any = None
    crash: str | None = None

    def describe(self) -> str:
        """Say in a few words what happened."""
        if self.crash is not None:
            return f"crashed: {self.crash.strip().splitlines()[-1]}"
        if is_action_number(self.action):
            return f"chose {action_text(int(self.action))}, which is not legal there"
        return f"returned {self.action!r}, which is no action"

    def sentence(self, first: str, second: str, seed: int, rules: Rules) -> str:
        """Tell the whole story, with the traceback of a crash and the command that plays the hand again."""
        name = second if self.side else first
        lines = [
            f"{name} {self.describe()} (deal {self.deal}, {'second' if self.half else 'first'} half, "
            f"as the {'second' if self.side else 'first'} agent of {first} against {second})",
            f"  see the hand: {self._show_command(first, second, seed, rules)}",
        ]
        if self.crash is not None:
            lines.append(self.crash.rstrip())
        return "\n".join(lines)

    def _show_command(self, first: str, second: str, seed: int, rules: Rules) -> str:
        words = ["sixtysix", "show", first, second, "--seed", str(seed)]
        words += ["--deal", str(self.deal), "--half", str(self.half)]
        preset, *changes = rules_text(rules).split()
        words += ["--rules", preset] if preset != DEFAULT_PRESET else []
        for change in changes:
            words += ["--rule", change]
        return shlex.join(words)
