"""A worker process: play the chunks that come through its pipe, send the results back."""

import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Final, Protocol, TypeAlias

import numpy as np

from harness.agent_api.faults import FaultKind
from harness.agent_api.limits import Limits
from harness.agent_api.registry import LoadedAgent, load_agent
from harness.errors import WorkerError
from harness.game.rules import Rules
from harness.play.conduct import Conduct, MemorySpentError
from harness.play.fault import Fault
from harness.play.pairing import PairingPlayer, Played
from harness.play.pulse import BASE, CHUNK, HAND, moves, new_pulse, pulse_in
from harness.run.clean_stdout import StdoutCatch
from harness.run.memory import memory_now, most_memory
from harness.run.relay import WorkerLog
from harness.run.schedule import Chunk
from harness.store.rows import ChunkRow, FaultRow
from harness.texts import printable, shorten

RETIRED: Final = 75
"""Exit status of a worker that ends because its memory has passed the limit."""
_PIECE_SECONDS = 0.5
"""How long a worker plays, if hands are short enough, before it looks whether its parent is still there."""
_FACTS: Final = (FaultKind.MOVE_TIME, FaultKind.HAND_TIME, FaultKind.START, FaultKind.DIED, FaultKind.MEMORY)
"""Faults that need not come again when the hand is played again: they are told at once, ahead of their chunk."""
_STORIES = 10
"""How many faults of a chunk are told with their story."""
_MOST_WHAT, _MOST_STORY = 500, 20_000
"""Characters that are kept of a fault."""
_MEGABYTE = 1 << 20
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class Job:
    """What the workers of a run play; plain values that can be sent to a new process.

    Attributes
    ----------
    rules, seed
        The house rules; the seed of packs and agents' luck.
    agents
        Texts of the agents.
    pairings
        The two agents, by their place in the list, of each pairing number.
    limits
        Of each agent.
    record
        ``none``, ``hands`` or ``actions``: what is sent of each hand besides its game points.
    may_end_early
        The run may end within a chunk, so that the hands are needed anyway.
    match_play
        Whether whole matches are played.

    """

    rules: Rules
    seed: int
    agents: tuple[str, ...]
    pairings: Mapping[int, tuple[int, int]]
    limits: Limits = field(default_factory=Limits)
    record: str = "none"
    may_end_early: bool = False
    match_play: bool = False

    @property
    def sends_hands(self) -> bool:
        """Whether each chunk brings its hands."""
        return self.record != "none" or self.may_end_early

    def describe(self, chunk: Chunk) -> str:
        """Say which deals a chunk has, as in ``deals 0 to 124 of easy against normal``."""
        first, second = (self.agents[agent] for agent in self.pairings[chunk.pairing])
        last = chunk.first_deal + chunk.n_deals - 1
        deals = f"deal {last}" if chunk.n_deals == 1 else f"deals {chunk.first_deal} to {last}"
        return f"{deals} of {first} against {second}"


@dataclass(frozen=True)
class Failure:
    """What is sent instead of the results of a chunk; `story` is the traceback of an error that nobody expects."""

    number: int
    error: WorkerError
    story: str = ""


@dataclass(frozen=True)
class Facts:
    """Faults in one pairing that need not come again when their hands do, told ahead of the results of their chunk."""

    faults: tuple[FaultRow, ...]


Message: TypeAlias = ChunkRow | Facts | Failure
"""What a worker sends: the results of a chunk, faults ahead of them, or why there are none."""


class Lock(Protocol):
    """The lock of a run's folder."""

    def close(self) -> None:
        """Let it go in this process."""


@dataclass(frozen=True)
class Inheritance:
    """What a fork has brought: the agents, and copies of the parent's pipes and of its lock, which have to be closed.

    While a copy of a pipe is open here, its worker cannot see the parent go; while that of the lock is, it holds.
    """

    agents: Sequence[LoadedAgent]
    pipes: Sequence[Connection]
    lock: Lock | None

    def close(self) -> None:
        """Close what is not this process's own."""
        for pipe in self.pipes:
            pipe.close()
        if self.lock is not None:
            self.lock.close()


class _OrphanedError(BaseException):
    """The parent is gone, so nobody waits for results; no fault of an agent, whatever it plays just then."""


class _RetiredError(BaseException):
    """The memory has passed its limit: this process ends and another one takes its place."""


class Tables:
    """The pairings of a job, each made ready when its first chunk comes.

    Parameters
    ----------
    job
        What is played.
    agents
        The agents of the job.
    look_up
        Called about twice a second between two deals; may raise to end the play.
    tell
        Hears at once of faults that need not come again.
    pulse, conduct
        As for `harness.play.table.Table`.

    """

    def __init__(
        self,
        job: Job,
        agents: Sequence[LoadedAgent],
        look_up: Callable[[], None],
        tell: Callable[[Facts], None],
        pulse: Any = None,
        conduct: Conduct | None = None,
    ):
        self._job = job
        self._agents = agents
        self._look_up = look_up
        self._tell = tell
        self._pulse = new_pulse() if pulse is None else pulse
        self._conduct = conduct
        self._players: dict[int, PairingPlayer] = {}
        self._piece_deals: dict[int, int] = {}

    def play(self, chunk: Chunk, worker: int) -> ChunkRow:
        """Play a chunk."""
        self._pulse[CHUNK] = chunk.number
        start, asked_before = time.perf_counter(), moves(self._pulse)
        faults: list[FaultRow] = []
        pieces = []
        for piece in self._pieces(chunk):
            pieces.append(piece)
            facts: list[FaultRow] = []
            for fault in piece.faults:
                row = fault_row(chunk.pairing, fault, with_story=len(faults) + len(facts) < _STORIES)
                (facts if fault.kind in _FACTS else faults).append(row)
            if facts:
                self._tell(Facts(tuple(facts)))
        hands = np.concatenate([piece.hands for piece in pieces])
        played = Played(hands, np.concatenate([piece.histories for piece in pieces]))
        asked = moves(self._pulse)
        return ChunkRow(
            number=chunk.number,
            pairing=chunk.pairing,
            first_deal=chunk.first_deal,
            n_deals=chunk.n_deals,
            codes=played.codes.tobytes(),
            endings=played.endings.astype("<i8").tobytes(),
            digest=played.digest,
            worker=worker,
            seconds=time.perf_counter() - start,
            moves=(asked[0] - asked_before[0], asked[1] - asked_before[1]),
            faults=tuple(faults),
            hands=hands.tobytes() if self._job.sends_hands else b"",
            actions=played.packed_histories(),
        )

    def _pieces(self, chunk: Chunk) -> Iterator[Played]:
        """Play a chunk piece by piece, each as long as the speed of its agents allows."""
        player = self._player(chunk.pairing)
        lost = dict(chunk.lost)
        at, end = chunk.first_deal, chunk.first_deal + chunk.n_deals
        while at < end:
            self._look_up()
            n_deals = min(self._piece_deals.get(chunk.pairing, 1), end - at)
            start = time.perf_counter()
            yield player.play(at, n_deals, lost)
            seconds = time.perf_counter() - start
            if seconds > _PIECE_SECONDS:
                self._piece_deals[chunk.pairing] = max(1, n_deals // 2)
            elif seconds < _PIECE_SECONDS / 2:
                self._piece_deals[chunk.pairing] = 2 * n_deals
            at += n_deals

    def _player(self, pairing: int) -> PairingPlayer:
        if pairing not in self._players:
            first, second = (self._agents[agent] for agent in self._job.pairings[pairing])
            self._players[pairing] = PairingPlayer(
                self._job.rules,
                first,
                second,
                self._job.seed,
                pairing,
                keep_histories=self._job.record == "actions",
                match_play=self._job.match_play,
                pulse=self._pulse,
                conduct=self._conduct,
            )
        return self._players[pairing]


def fault_row(pairing: int, fault: Fault, with_story: bool = True) -> FaultRow:
    """Return a fault as it is stored: an agent's own words may be as long as it likes, and change a terminal."""
    what = shorten(printable(fault.what[:_MOST_STORY]), _MOST_WHAT)
    story = shorten(fault.story, _MOST_STORY) if with_story else ""
    return FaultRow(pairing, fault.deal, fault.half, fault.side, str(fault.kind), what, story)


def work(
    worker: int,
    pipe: Connection,
    shared: Any,
    job: Job,
    inheritance: Inheritance | None,
    worker_log: WorkerLog,
) -> None:
    """Be worker number `worker` until the parent closes its end of the pipe, or is gone.

    Sends a ChunkRow or a Failure for each chunk, and some FaultRows ahead of them.

    Parameters
    ----------
    pipe
        This worker's end.
    shared
        The words of its pulse, which the parent watches.
    job
        What is played.
    inheritance
        What a fork has brought; None where the agents are to be loaded here.
    worker_log
        Where log records go.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the parent's way to take note of it is not a worker's
    if inheritance is not None:
        inheritance.close()
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # so that the parent can end this worker together with the programs that it starts
    _die_with_parent()
    printed = StdoutCatch()
    worker_log.open()
    agents: Sequence[LoadedAgent] = ()
    has_retired = False
    try:
        with suppress(EOFError, ConnectionError, _OrphanedError):
            agents = inheritance.agents if inheritance else [load_agent(text, job.limits) for text in job.agents]
            pulse = pulse_in(shared)
            pulse[BASE] = most_memory()  # a fork has all that its parent had, which is no agent's doing
            limit = int(pulse[BASE]) + int(job.limits.memory_mb * _MEGABYTE)
            conduct = Conduct(printed.taken, memory_now, most_memory, limit)
            _serve(worker, pipe, pulse, job, agents, conduct)
    except _RetiredError:
        has_retired = True
    finally:
        for loaded in agents:
            with suppress(Exception):
                getattr(loaded.agent, "close", _nothing)()
        worker_log.close()
    if has_retired:
        os._exit(RETIRED)  # a thread that an agent has left behind would keep the process


def _nothing() -> None:
    pass


def _die_with_parent() -> None:
    """Ask Linux to end this process when its parent is gone: an agent that hangs would keep it for ever."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _serve(
    worker: int, pipe: Connection, pulse: Any, job: Job, agents: Sequence[LoadedAgent], conduct: Conduct
) -> None:
    """Answer chunks until the pipe ends or the parent is gone."""
    parent = os.getppid()

    def look_up() -> None:
        if os.getppid() != parent:
            raise _OrphanedError

    tables = Tables(job, agents, look_up, pipe.send, pulse, conduct)
    while True:
        chunk: Chunk = pipe.recv()
        try:
            answer: Message = tables.play(chunk, worker)
        except MemorySpentError as error:
            if error.side is not None:
                pipe.send(_memory_fault(chunk.pairing, int(pulse[HAND]), error.side, job.limits))
            raise _RetiredError from None
        except Exception as error:
            reason = f"worker {worker} failed at {job.describe(chunk)}: {type(error).__name__}: {error}"
            answer = Failure(chunk.number, WorkerError(reason), traceback.format_exc())
        pipe.send(answer)


def _memory_fault(pairing: int, hand: int, side: int, limits: Limits) -> Facts:
    what = f"took more than {limits.memory_mb:g} MB of memory"
    return Facts((FaultRow(pairing, hand >> 1, hand & 1, side, str(FaultKind.MEMORY), what),))
