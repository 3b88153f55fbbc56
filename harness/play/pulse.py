"""What the play says of itself while it runs, in a few words of memory that another process may share.

int64 words, shape (PULSE_WORDS,): HAND is the number of the hand or match, ``2 * deal + half``; SIDE the side whose
agent has been asked, NOBODY between hands; MOVES, two words, counts how often each side has been asked for an action,
NEWS whatever else agents have been told; ACTION is the last answer of a compiled agent that was not legal; ROUND is the
number of the hand in its match, 0 outside one; CHUNK that of the chunk of its run, -1 before the first one; BASE the
memory of its process when it began, in bytes. Who watches them from outside sees a hand or a call that does not end,
and who is to blame.
"""

from typing import Any, Final

import numpy as np

HAND, SIDE, ACTION, ROUND, CHUNK, BASE, NEWS, MOVES = range(8)
PULSE_WORDS: Final = 9
NOBODY: Final = -1


def new_pulse() -> Any:
    """Make a pulse that nobody else sees."""
    return rested(np.zeros(PULSE_WORDS, np.int64))


def rested(pulse: Any) -> Any:
    """Return a pulse, made to say that nothing has begun."""
    pulse[SIDE] = NOBODY
    pulse[CHUNK] = -1
    return pulse


def calls(pulse: Any) -> int:
    """Count the calls of both sides' agents, whatever for."""
    return int(pulse[NEWS] + pulse[MOVES] + pulse[MOVES + 1])


def moves(pulse: Any) -> tuple[int, int]:
    """Count the actions that side 0 and side 1 have been asked for."""
    return int(pulse[MOVES]), int(pulse[MOVES + 1])


def pulse_in(memory: Any) -> Any:
    """Return the pulse that stands in memory which processes share."""
    return np.frombuffer(memory, np.int64, PULSE_WORDS)
