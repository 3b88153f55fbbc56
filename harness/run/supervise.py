"""The workers of a run, seen from the parent: hand out chunks, take results, keep their order, replace the dead."""

import logging
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext
from types import TracebackType
from typing import Any, Self, TypeAlias

from harness.agent_api.faults import FaultKind
from harness.agent_api.registry import LoadedAgent
from harness.errors import WorkerError
from harness.paths import why
from harness.play.pulse import NOBODY
from harness.run.processes import WorkerProcess
from harness.run.relay import WorkerLog
from harness.run.schedule import Chunk
from harness.run.workers import Facts, Failure, Job, Lock, Message
from harness.store.rows import ChunkRow, FaultRow

log = logging.getLogger(__name__)

_IN_FLIGHT = 2
"""Chunks that a worker has at a time: one that it plays, one that waits so that it never does."""
_AHEAD = 64
"""How many chunks may be handed out beyond one whose result is missing; what waits for it is kept in memory."""
_MOST_LOST = 500
"""A chunk with more forfeited hands than this is given to an idle worker only: one that is just sending its results
would not read, and this process would wait for it, and it for this process."""
_WAKE_SECONDS = 0.2
_LONGEST_LOOK = 1.0
"""Seconds that count between two looks at a worker: after more this process has slept, and its workers too."""
_STOP_SECONDS = 1.5
_DEATHS_A_HAND = 2
_DEATHS_A_CHUNK = 5
"""After so many deaths in the same hand, or chunk, nobody but an agent can be to blame."""

Lost: TypeAlias = Iterable[tuple[int, int, int, int]]
"""Hands that are known to be forfeited: pairing, deal, half, side."""


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
    lost
        Hands that are known to be forfeited.
    lock
        The lock of the run's folder, which forked workers let go.

    Raises
    ------
    WorkerError
        The machine cannot start so many.

    """

    def __init__(
        self,
        context: BaseContext,
        n_workers: int,
        job: Job,
        agents: Sequence[LoadedAgent],
        worker_log: WorkerLog,
        lost: Lost = (),
        lock: Lock | None = None,
    ):
        self._job = job
        self._start_arguments: tuple[Any, ...] = (agents, worker_log, lock)
        self._are_programs = [agent.kind == "program" for agent in agents]
        self._context = context
        self._workers: list[WorkerProcess] = []
        self._again: list[Chunk] = []
        self._lost: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for pairing, deal, half, side in lost:
            self._lost[pairing][2 * deal + half] = side
        self._deaths: Counter[tuple[int, ...]] = Counter()
        self._looked = time.monotonic()
        try:
            for number in range(n_workers):
                self._workers.append(self._start(number))
        except OSError as error:
            self.stop()
            raise _cannot_start(n_workers, error) from error

    def _start(self, number: int) -> WorkerProcess:
        agents, worker_log, lock = self._start_arguments
        siblings = [worker for worker in self._workers if worker.number != number]
        return WorkerProcess(self._context, number, self._job, agents, worker_log, siblings, lock)

    def play(self, chunks: Iterator[Chunk], on_wake: Callable[[], None]) -> Iterator[ChunkRow | Facts]:
        """Yield the results of all chunks in the order of the schedule, and faults as soon as they are known.

        The hands of Facts count as forfeited from then on; their chunk comes later.

        Parameters
        ----------
        chunks
            The schedule, numbered without gaps.
        on_wake
            Called several times a second; may raise to end the play.

        Raises
        ------
        WorkerError
            A worker failed, or workers died again and again with no agent to blame.

        """
        waiting: dict[int, ChunkRow | Failure] = {}
        left: Chunk | None = next(chunks, None)
        following = left.number if left else 0
        while left or self._again or waiting or any(worker.chunks for worker in self._workers):
            left = self._hand_out(left, chunks, following + _AHEAD + _IN_FLIGHT * len(self._workers))
            for message in self._news(on_wake):
                if isinstance(message, Facts):
                    yield message
                else:
                    waiting[message.number] = message
            on_wake()
            while following in waiting:
                answer = waiting.pop(following)
                if isinstance(answer, Failure):
                    if answer.story:
                        log.info("%s\n%s", answer.error, answer.story)
                    raise answer.error
                self._forget(answer)
                yield answer
                following += 1

    def _hand_out(self, left: Chunk | None, chunks: Iterator[Chunk], limit: int) -> Chunk | None:
        """Fill up the workers' hands with chunks below number `limit`; returns the chunk that is next then."""
        for worker in self._workers * _IN_FLIGHT:
            if len(worker.chunks) >= _IN_FLIGHT:
                continue
            following = self._again[0] if self._again else left
            if following is None or (not self._again and following.number >= limit):
                break
            following = self._with_lost(following)
            if worker.chunks and len(following.lost) > _MOST_LOST:
                continue
            worker.give(following)
            if self._again:
                self._again.pop(0)
            else:
                left = next(chunks, None)
        return left

    def _with_lost(self, chunk: Chunk) -> Chunk:
        """Tell a chunk which of its hands are known to be forfeited."""
        known = self._lost.get(chunk.pairing, {})
        first, end = 2 * chunk.first_deal, 2 * (chunk.first_deal + chunk.n_deals)
        return replace(chunk, lost=tuple(item for item in known.items() if first <= item[0] < end)) if known else chunk

    def _forget(self, row: ChunkRow) -> None:
        """Forget what was known of the hands of a chunk that has been played."""
        known = self._lost.get(row.pairing, {})
        for hand in [hand for hand in known if hand < 2 * (row.first_deal + row.n_deals)]:
            del known[hand]

    def _news(self, on_wake: Callable[[], None]) -> Iterator[Message]:
        """Wait a moment for messages, yield those that came, and deal with workers that died or have to."""
        by_pipe = {worker.pipe: worker for worker in self._workers}
        for pipe in wait(list(by_pipe), _WAKE_SECONDS):
            worker = by_pipe[pipe]  # type: ignore[index]
            try:
                message = worker.pipe.recv()
            except Exception as error:  # what is no message has been written by an agent
                if isinstance(error, EOFError | OSError):
                    worker.join(_STOP_SECONDS)
                else:
                    worker.kill()
                on_wake()  # a signal to all processes of the run ends its workers, too: then it is told, not they
                yield from self._bury(worker)
            else:
                worker.received(message)
                yield from self._told(message)
        yield from self._look(on_wake)

    def _told(self, message: Message) -> Iterator[Message]:
        """Yield a message, and take note of faults; the first one of a hand stands, as in the database."""
        if not isinstance(message, Facts):
            yield message
            return
        new = []
        for fault in message.faults:
            known, hand = self._lost[fault.pairing], 2 * fault.deal + fault.half
            if hand not in known:
                known[hand] = fault.side
                new.append(fault)
        if new:
            yield Facts(tuple(new))

    def _look(self, on_wake: Callable[[], None]) -> Iterator[Message]:
        """Look, several times a second, for agents that take too long or too much memory; they lose their worker.

        And for workers that have died though their pipe is open: a process that an agent has forked holds it.
        """
        now = time.monotonic()
        if now - self._looked < _WAKE_SECONDS:
            return
        seconds, self._looked = min(now - self._looked, _LONGEST_LOOK), now
        for worker in list(self._workers):
            if not worker.process.is_alive():
                on_wake()
                yield from self._bury(worker)
            elif playing := worker.playing:
                first, second = self._job.pairings[playing.pairing]
                verdict = worker.watch.look(seconds, (self._are_programs[first], self._are_programs[second]))
                hand, side = worker.watch.hand, worker.watch.side
                if verdict is not None and playing.first_deal <= hand >> 1 < playing.first_deal + playing.n_deals:
                    worker.kill()
                    yield from self._bury(worker, (hand, side, *verdict))

    def _bury(self, worker: WorkerProcess, verdict: tuple[int, int, FaultKind, str] | None = None) -> Iterator[Message]:
        """Put another worker in the place of a dead one and let its chunks be played again.

        `verdict` tells for which fault it was killed: hand, side, kind, what.
        """
        playing = worker.playing or next(iter(worker.chunks), None)
        for message in worker.remaining():
            if verdict is None or isinstance(message, Facts) or message.number != (playing and playing.number):
                worker.received(message)
                yield from self._told(message)
        worker.kill()
        worker.pipe.close()
        if verdict is None and playing in worker.chunks:
            verdict = self._inquest(worker, playing)
        if playing is not None and verdict is not None:
            hand, side, kind, what = verdict
            fault = FaultRow(playing.pairing, hand >> 1, hand & 1, side, str(kind), what)
            yield from self._told(Facts((fault,)))
        self._again = sorted([*self._again, *worker.chunks], key=lambda chunk: chunk.number)
        self._replace(worker)

    def _inquest(self, worker: WorkerProcess, chunk: Chunk | None) -> tuple[int, int, FaultKind, str] | None:
        """Find out why a worker died: None as long as it can have been an accident."""
        assert chunk is not None
        hand, how = worker.hand, worker.end()
        side = worker.side if worker.playing is chunk else NOBODY
        was_told = worker.has_retired and side != NOBODY and hand in self._lost[chunk.pairing]
        if was_told:
            return None
        self._deaths[chunk.pairing, hand, side] += 1
        self._deaths[(chunk.number,)] += 1
        is_chronic = self._deaths[(chunk.number,)] >= _DEATHS_A_CHUNK
        is_to_blame = side != NOBODY and not worker.has_retired  # of memory nobody knows who took it but the worker
        if is_to_blame and (is_chronic or self._deaths[chunk.pairing, hand, side] >= _DEATHS_A_HAND):
            return hand, side, FaultKind.DIED, f"ended its process ({how})"
        hint = ""
        if worker.has_retired:
            how, hint = (
                f"its memory grew by more than {self._job.limits.memory_mb:g} MB",
                "; --memory-limit allows more",
            )
        elif worker.process.exitcode == -signal.SIGKILL:
            hint = "; a machine that is short of memory kills processes: try fewer --workers"
        text = f"{worker.process.name} died while it played {self._job.describe(chunk)} ({how})"
        if is_chronic:
            raise WorkerError(f"{text}, as {_DEATHS_A_CHUNK - 1} others have before it{hint}")
        log.warning("%s: another one plays them again%s", text, hint)
        return None

    def _replace(self, worker: WorkerProcess) -> None:
        self._workers.remove(worker)
        try:
            self._workers.append(self._start(worker.number))
        except OSError as error:
            raise _cannot_start(1, error) from error

    def stop(self) -> None:
        """End the workers: those that are idle at once, those that play after their chunk, or by force."""
        for worker in self._workers:
            worker.pipe.close()
        deadline = time.monotonic() + _STOP_SECONDS
        try:
            for worker in self._workers:
                worker.join(deadline - time.monotonic())
        finally:  # also when a second Ctrl-C will not wait
            for worker in self._workers:
                worker.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


def _cannot_start(n_workers: int, error: OSError) -> WorkerError:
    workers = "another worker" if n_workers == 1 else f"{n_workers} workers"
    return WorkerError(f"this machine cannot start {workers} ({why(error)}): try fewer --workers")
