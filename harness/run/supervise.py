"""The workers of a run, seen from the parent: hand out chunks, take results, keep their order."""

import logging
import signal
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Self

from harness.agent_api.registry import LoadedAgent
from harness.errors import WorkerError
from harness.paths import why
from harness.run.relay import WorkerLog
from harness.run.schedule import Chunk
from harness.run.workers import Failure, Job, work
from harness.store.rows import ChunkRow

log = logging.getLogger(__name__)

_IN_FLIGHT = 2
"""Chunks that a worker has at a time: one that it plays, one that waits so that it never does."""
_AHEAD = 64
"""How many chunks may be handed out beyond one whose result is missing; what waits for it is kept in memory."""
_WAKE_SECONDS = 0.2
_STOP_SECONDS = 1.5


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    chunks: list[Chunk] = field(default_factory=list)


class Crew:
    """Worker processes that play the chunks of one job; a context manager.

    Parameters
    ----------
    context
        The multiprocessing context that makes them.
    n_workers
        How many.
    job
        What is played.
    agents
        The loaded agents; forked workers take them as they are.
    worker_log
        Where the workers' log records go.

    Raises
    ------
    WorkerError
        The machine cannot start so many.

    """

    def __init__(
        self, context: BaseContext, n_workers: int, job: Job, agents: Sequence[LoadedAgent], worker_log: WorkerLog
    ):
        self._job = job
        self._workers: list[_Worker] = []
        try:
            self._start(context, n_workers, agents, worker_log)
        except OSError as error:
            self.stop()
            raise WorkerError(
                f"this machine cannot start {n_workers} workers ({why(error)}): try fewer --workers"
            ) from error

    def _start(
        self, context: BaseContext, n_workers: int, agents: Sequence[LoadedAgent], worker_log: WorkerLog
    ) -> None:
        inherited = agents if context.get_start_method() == "fork" else None
        pipes = [context.Pipe() for _ in range(n_workers)]
        ours = [mine for mine, _ in pipes] if inherited else []
        for number, (mine, theirs) in enumerate(pipes):
            # A fork copies both ends of every pipe; each worker closes those that are not its own.
            others = [*ours, *(end for _, end in pipes[number + 1 :])] if inherited else []
            process: BaseProcess = context.Process(  # type: ignore[attr-defined]
                target=work,
                name=f"worker-{number}",
                args=(number, theirs, others, self._job, inherited, worker_log),
                daemon=True,
            )
            with warnings.catch_warnings():
                # Python warns of a fork beside threads; the only one is the log relay's, which holds no lock of ours.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            theirs.close()
            self._workers.append(_Worker(process, mine))

    def play(self, chunks: Iterator[Chunk], on_wake: Callable[[], None]) -> Iterator[ChunkRow]:
        """Yield the results of all chunks in the order of the schedule.

        Parameters
        ----------
        chunks
            The schedule, numbered from 0.
        on_wake
            Called several times a second; may raise to end the play.

        Raises
        ------
        AgentFaultError
            An agent crashed or acted against the rules; of several faults the first one of the schedule.
        WorkerError
            A worker died or failed.

        """
        waiting: dict[int, ChunkRow | Failure] = {}
        following = 0
        left: Chunk | None = next(chunks, None)
        while True:
            left = self._hand_out(left, chunks, following + _AHEAD + _IN_FLIGHT * len(self._workers))
            if left is None and not waiting and not any(worker.chunks for worker in self._workers):
                return
            try:
                waiting.update((answer.number, answer) for answer in self._take_in())
            except WorkerError:
                on_wake()  # a signal to all processes of the run ends its workers, too: then it is told, not they
                raise
            on_wake()
            while following in waiting:
                answer = waiting.pop(following)
                if isinstance(answer, Failure):
                    if answer.story:
                        log.info("%s\n%s", answer.error, answer.story)
                    raise answer.error
                yield answer
                following += 1

    def _hand_out(self, left: Chunk | None, chunks: Iterator[Chunk], limit: int) -> Chunk | None:
        """Fill up the workers' hands with chunks below number `limit`; returns the chunk that is next then."""
        for worker in self._workers * _IN_FLIGHT:
            if left is None or left.number >= limit:
                break
            if len(worker.chunks) < _IN_FLIGHT:
                with suppress(ConnectionError):  # a worker that has just died is noticed when its pipe is read
                    worker.pipe.send(left)
                worker.chunks.append(left)
                left = next(chunks, None)
        return left

    def _take_in(self) -> Iterator[ChunkRow | Failure]:
        """Wait a moment for answers, and yield those that came."""
        by_pipe = {worker.pipe: worker for worker in self._workers}
        for pipe in wait(list(by_pipe), _WAKE_SECONDS):
            worker = by_pipe[pipe]  # type: ignore[index]
            answer = self._receive(worker)
            worker.chunks = [chunk for chunk in worker.chunks if chunk.number != answer.number]
            yield answer

    def _receive(self, worker: _Worker) -> ChunkRow | Failure:
        """Return what a worker has sent; WorkerError if its end of the pipe is closed, as it is when it dies."""
        try:
            answer: ChunkRow | Failure = worker.pipe.recv()
            return answer
        except (EOFError, ConnectionError):
            worker.process.join(_STOP_SECONDS)
            code = worker.process.exitcode
            how = f"killed by signal {-code}" if code is not None and code < 0 else f"exit status {code}"
            playing = f" while it played {self._job.describe(worker.chunks[0])}" if worker.chunks else ""
            hint = (
                "; a machine that is short of memory kills processes: try fewer --workers"
                if code == -signal.SIGKILL
                else ""
            )
            raise WorkerError(f"{worker.process.name} died{playing} ({how}){hint}") from None

    def stop(self) -> None:
        """End the workers: those that are idle at once, those that play after their chunk, or by force."""
        for worker in self._workers:
            worker.pipe.close()
        deadline = time.monotonic() + _STOP_SECONDS
        try:
            for worker in self._workers:
                worker.process.join(max(0.0, deadline - time.monotonic()))
        finally:  # also when a second Ctrl-C will not wait
            for worker in self._workers:
                if worker.process.is_alive():
                    worker.process.kill()
                    worker.process.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()
