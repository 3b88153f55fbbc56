"""What can go wrong for a user, and the exit status of each kind."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from enum import IntEnum


class ExitStatus(IntEnum):
    """Exit statuses of the command line."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    AGENT_FAULT = 3
    RUN_FILE = 4
    WORKER = 5
    BUSY = 6
    INTERRUPTED = 130
    TERMINATED = 143


class SixtySixError(Exception):
    """Something a user can understand and mend; its text names the thing, the value and the way out."""

    status = ExitStatus.FAILED


class UsageError(SixtySixError):
    """A wrong option, name, value or file."""

    status = ExitStatus.USAGE


class FaultsError(UsageError):
    """Several faults of one input, all told at once; `faults` holds one sentence each."""

    def __init__(self, heading: str, faults: Sequence[str]):
        super().__init__(heading, faults)
        self.heading = heading
        self.faults = tuple(faults)

    def __str__(self) -> str:
        if len(self.faults) == 1 and not self.heading:
            return self.faults[0]
        return "\n".join([self.heading, *(f"  - {fault}" for fault in self.faults)])


class IllegalActionError(SixtySixError):
    """An action that the rules do not allow here."""

    status = ExitStatus.USAGE


class AgentFaultError(SixtySixError):
    """An agent crashed or chose an action that is not legal."""

    status = ExitStatus.AGENT_FAULT


class RunFileError(SixtySixError):
    """A run's files cannot be read or written."""

    status = ExitStatus.RUN_FILE


class RunBusyError(RunFileError):
    """Another process is writing the run."""

    status = ExitStatus.BUSY


class WorkerError(SixtySixError):
    """A worker process died, or failed in a way that is not the agent's fault."""

    status = ExitStatus.WORKER


class InterruptedRunError(SixtySixError):
    """Ctrl-C ended the run."""

    status = ExitStatus.INTERRUPTED


class TerminatedRunError(InterruptedRunError):
    """The signal to terminate, SIGTERM, ended the run."""

    status = ExitStatus.TERMINATED


def faults_of(error: UsageError) -> tuple[str, ...]:
    """Return the faults that an error tells of, one sentence each."""
    return error.faults if isinstance(error, FaultsError) else (str(error),)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint such as ``; did you mean "easy"?``, or nothing where no known word is near."""
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""
