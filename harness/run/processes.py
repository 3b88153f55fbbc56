"""One worker process, seen from the parent: started, spoken to, ended."""

import mmap
import os
import signal
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from harness.agent_api.registry import LoadedAgent
from harness.play.pulse import CHUNK, HAND, PULSE_WORDS, SIDE, pulse_in, rested
from harness.run.relay import WorkerLog
from harness.run.schedule import Chunk
from harness.run.watch import Watch
from harness.run.workers import RETIRED, Inheritance, Job, Lock, Message, work

_STOP_SECONDS = 1.5


class WorkerProcess:
    """A worker process with its pipe, its pulse and the chunks that it has been given.

    Parameters
    ----------
    context
        The multiprocessing context that makes it.
    number
        Which worker.
    job
        What is played.
    agents
        The loaded agents; a forked worker takes them as they are.
    worker_log
        Where its log records go.
    siblings
        The workers that are there already, whose pipes a fork copies.
    lock
        The lock of the run's folder, which a forked worker lets go.

    Raises
    ------
    OSError
        The machine cannot start it.

    """

    def __init__(
        self,
        context: BaseContext,
        number: int,
        job: Job,
        agents: Sequence[LoadedAgent],
        worker_log: WorkerLog,
        siblings: Sequence["WorkerProcess"],
        lock: Lock | None,
    ):
        self.number = number
        self.chunks: list[Chunk] = []
        is_fork = context.get_start_method() == "fork"
        self.pipe, theirs = context.Pipe()
        # A fork shares anonymous memory; only a spawned worker needs a file for it, which a full disk may not have.
        shared: Any = mmap.mmap(-1, mmap.PAGESIZE) if is_fork else context.RawArray("q", PULSE_WORDS)
        self._pulse = rested(pulse_in(shared))
        inheritance = None
        if is_fork:
            inheritance = Inheritance(agents, [self.pipe, *(one.pipe for one in siblings)], lock)
        self.process: BaseProcess = context.Process(  # type: ignore[attr-defined]
            target=work,
            name=f"worker-{number}",
            args=(number, theirs, shared, job, inheritance, worker_log),
            daemon=True,
        )
        with warnings.catch_warnings():
            # Python warns of a fork beside threads; the only one is the log relay's, which holds no lock of ours.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.process.start()
        theirs.close()
        assert self.process.pid is not None
        self.watch = Watch(self._pulse, self.process.pid, job.limits)

    @property
    def hand(self) -> int:
        """The hand that it plays or has just played, ``2 * deal + half``."""
        return int(self._pulse[HAND])

    @property
    def side(self) -> int:
        """The side whose agent is being asked, -1 for none."""
        return int(self._pulse[SIDE])

    @property
    def playing(self) -> Chunk | None:
        """The chunk that it plays, as far as its result has not come; None before the first one and between chunks."""
        number = int(self._pulse[CHUNK])
        return next((chunk for chunk in self.chunks if chunk.number == number), None)

    def give(self, chunk: Chunk) -> None:
        """Hand a chunk over."""
        self.chunks.append(chunk)
        with suppress(ConnectionError):  # a worker that has just died is noticed when its pipe is read
            self.pipe.send(chunk)

    def received(self, message: Message) -> None:
        """Take note that a message about a chunk has come, and so that the chunk is no longer the worker's."""
        self.chunks = [chunk for chunk in self.chunks if chunk.number != getattr(message, "number", None)]

    def remaining(self) -> Iterator[Message]:
        """Yield what a dead worker had still sent."""
        with suppress(Exception):
            while self.pipe.poll():
                yield self.pipe.recv()

    def kill(self) -> None:
        """End it by force, with whatever programs it has started."""
        pid = self.process.pid
        with suppress(ProcessLookupError, PermissionError, AttributeError):  # no groups on this system, or it is gone
            os.killpg(pid, signal.SIGKILL)  # type: ignore[arg-type]
        self.process.kill()
        self.process.join()

    def join(self, seconds: float = _STOP_SECONDS) -> None:
        """Wait for its end."""
        self.process.join(max(0.0, seconds))

    @property
    def has_retired(self) -> bool:
        """Whether it has ended because its memory had passed the limit."""
        return self.process.exitcode == RETIRED

    def end(self) -> str:
        """Say how it has ended."""
        code = self.process.exitcode
        return f"killed by signal {-code}" if code is not None and code < 0 else f"exit status {code}"
