"""What a check finds."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What becomes of a check."""

    OK = "ok"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True)
class Place:
    """Where an agent went wrong.

    Attributes
    ----------
    seed, deal, half
        Which hand; the agent under check is the first of the pairing, so that it sits on the seat of this number.
    decision
        Which of its decisions, from 1.
    command
        The command that shows the whole hand; empty where none can, as in a match.
    hand
        The hand so far, as `harness.game.transcript` writes it.
    """

    seed: int
    deal: int
    half: int
    decision: int
    command: str
    hand: str


@dataclass(frozen=True)
class Verdict:
    """The outcome of a check.

    Attributes
    ----------
    check
        Name of the check.
    outcome
        What became of it.
    note
        What was seen, why it failed or why it was skipped.
    hint
        How to mend it.
    place
        Where it failed first.
    story
        A traceback, or the end of a program's stderr.
    rules
        The rule sets under which it failed.
    n_decisions
        How many decisions have been looked at, where it passed.
    """

    check: str
    outcome: Outcome
    note: str
    hint: str = ""
    place: Place | None = None
    story: str = ""
    rules: tuple[str, ...] = ()
    n_decisions: int = 0

    @property
    def is_failure(self) -> bool:
        """Whether the check failed."""
        return self.outcome is Outcome.FAIL


class CheckFailedError(Exception):
    """The agent does not do what a check asks for."""

    def __init__(self, note: str, hint: str, place: Place | None = None, story: str = ""):
        self.note = note
        self.hint = hint
        self.place = place
        self.story = story
        super().__init__(note, hint, place, story)


class CheckSkippedError(Exception):
    """A check that does not apply, or cannot tell; its text says why."""
