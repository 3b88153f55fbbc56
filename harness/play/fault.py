"""What an agent did wrong in a hand."""

import shlex
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from harness.agent_api.faults import FaultKind
from harness.game.notation import action_text, is_action
from harness.game.presets import DEFAULT_PRESET, rules_text
from harness.game.rules import Rules

_MOST_SHOWN = 100


@dataclass(frozen=True)
class Fault:
    """An agent's fault: in which hand, on which side of the pairing, of which kind, and what happened.

    ``what`` follows the agent's name in a sentence; ``story`` is a traceback or the end of a program's stderr.
    """

    deal: int
    half: int
    side: int
    kind: FaultKind
    what: str
    story: str = ""

    def sentence(self, first: str, second: str, seed: int, rules: Rules, *, match_play: bool = False) -> str:
        """Tell the whole story, with the traceback of a crash and the command that plays the hand or match again."""
        command = show_command(first, second, seed, rules, self.deal, self.half, match_play=match_play)
        name = second if self.side else first
        lines = [
            f"{name} {self.what} (deal {self.deal}, {'second' if self.half else 'first'} half, "
            f"as the {'second' if self.side else 'first'} agent of {first} against {second})",
            f"  see the {'match' if match_play else 'hand'}: {command}",
        ]
        if self.story:
            lines.append(self.story.rstrip())
        return "\n".join(lines)


def show_command(
    first: str, second: str, seed: int, rules: Rules, deal: int, half: int, *, match_play: bool = False
) -> str:
    """Return the command that plays a hand, or a match, again."""
    words = ["sixtysix", "show", first, second, "--seed", str(seed), "--deal", str(deal), "--half", str(half)]
    words += ["--match-play"] if match_play else []
    preset, *changes = rules_text(rules).split()
    words += ["--rules", preset] if preset != DEFAULT_PRESET else []
    for change in changes:
        words += ["--rule", change]
    return shlex.join(words)


def action_number(answer: object) -> int | None:
    """Return what an agent answered as a plain integer if it is the number of an action, legal or not; else None.

    An object is taken for what it is and not for what it says of itself: asked for its class, it may raise anything.
    """
    kind, value = type(answer), cast(Any, answer)
    if issubclass(kind, np.integer):
        number = int(np.generic.item(value))
    elif issubclass(kind, int) and kind is not bool:
        number = int.__add__(value, 0)
    else:
        return None
    return number if is_action(number) else None


def wrong_answer(answer: object) -> tuple[FaultKind, str]:
    """Say what is wrong with an answer that is not a legal action."""
    number = action_number(answer)
    if number is not None:
        return FaultKind.ILLEGAL, f"chose {action_text(number)}, which is not legal there"
    try:
        text = repr(answer)
    except Exception:  # an agent's object may do anything
        text = f"an object of the class {type(answer).__name__}"
    shown = text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"
    return FaultKind.NONSENSE, f"returned {shown}, which is no action"


def crash_words(story: str) -> str:
    """Say in a few words how an agent crashed, from its traceback."""
    return f"crashed: {story.strip().splitlines()[-1]}"
