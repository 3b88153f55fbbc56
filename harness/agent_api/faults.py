"""What an agent can do wrong while it plays; each kind is counted apart."""

from enum import StrEnum
from typing import Final


class FaultKind(StrEnum):
    """Kinds of faults; the values stand in databases and summaries."""

    CRASH = "crash"
    NONSENSE = "nonsense"
    ILLEGAL = "illegal"
    MOVE_TIME = "move-time"
    HAND_TIME = "hand-time"
    START = "start"
    DIED = "died"
    MEMORY = "memory"
    STDOUT = "stdout"


FAULT_KINDS: Final = tuple(FaultKind)
FAULT_WORDS: Final = {
    FaultKind.CRASH: "crashed",
    FaultKind.NONSENSE: "answered nonsense",
    FaultKind.ILLEGAL: "acted illegally",
    FaultKind.MOVE_TIME: "took too long for a move",
    FaultKind.HAND_TIME: "took too long for a hand",
    FaultKind.START: "did not start",
    FaultKind.DIED: "ended its process",
    FaultKind.MEMORY: "took too much memory",
    FaultKind.STDOUT: "wrote to stdout",
}
"""What an agent did, for tables and messages."""


class MisbehaviourError(Exception):
    """Raised by an agent object for a fault that is no plain crash.

    Parameters
    ----------
    kind
        Which kind.
    what
        In a few words what happened, to stand after the agent's name: ``sent "hello", which is not JSON``.
    story
        More to read: a traceback, the end of a program's stderr.

    """

    def __init__(self, kind: FaultKind, what: str, story: str = ""):
        self.kind = kind
        self.what = what
        self.story = story
        super().__init__(kind, what, story)
