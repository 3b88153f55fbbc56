"""A worker process: play the chunks that come through its pipe, send the results back."""

import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from harness.agent_api.registry import LoadedAgent, load_agent
from harness.errors import AgentFaultError, WorkerError
from harness.game.rules import Rules
from harness.play.pairing import PairingPlayer, Played
from harness.run.clean_stdout import turn_stdout_away
from harness.run.relay import WorkerLog
from harness.run.schedule import Chunk
from harness.store.rows import ChunkRow

_PIECE_SECONDS = 0.5
"""How long a worker plays, if hands are short enough, before it looks whether its parent is still there."""


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

    """

    rules: Rules
    seed: int
    agents: tuple[str, ...]
    pairings: Mapping[int, tuple[int, int]]

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
    error: AgentFaultError | WorkerError
    story: str = ""


class _OrphanedError(BaseException):
    """The parent is gone, so nobody waits for results; no fault of an agent, whatever it plays just then."""


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

    """

    def __init__(self, job: Job, agents: Sequence[LoadedAgent], look_up: Callable[[], None]):
        self._job = job
        self._agents = agents
        self._look_up = look_up
        self._players: dict[int, PairingPlayer] = {}
        self._piece_deals: dict[int, int] = {}

    def play(self, chunk: Chunk, worker: int) -> ChunkRow:
        """Play a chunk; AgentFaultError if an agent crashes or acts against the rules."""
        if chunk.pairing not in self._players:
            first, second = (self._agents[agent] for agent in self._job.pairings[chunk.pairing])
            self._players[chunk.pairing] = PairingPlayer(self._job.rules, first, second, self._job.seed, chunk.pairing)
        start = time.perf_counter()
        pieces = list(self._pieces(chunk))
        return ChunkRow(
            number=chunk.number,
            pairing=chunk.pairing,
            first_deal=chunk.first_deal,
            n_deals=chunk.n_deals,
            codes=b"".join(piece.codes.tobytes() for piece in pieces),
            endings=sum(piece.endings for piece in pieces).astype("<i8").tobytes(),
            digest=sum(piece.digest for piece in pieces) % 2**64,
            worker=worker,
            seconds=time.perf_counter() - start,
        )

    def _pieces(self, chunk: Chunk) -> Iterator[Played]:
        """Play a chunk piece by piece, each as long as the speed of its agents allows."""
        at, end = chunk.first_deal, chunk.first_deal + chunk.n_deals
        while at < end:
            self._look_up()
            n_deals = min(self._piece_deals.get(chunk.pairing, 1), end - at)
            start = time.perf_counter()
            yield self._players[chunk.pairing].play(at, n_deals)
            seconds = time.perf_counter() - start
            if seconds > _PIECE_SECONDS:
                self._piece_deals[chunk.pairing] = max(1, n_deals // 2)
            elif seconds < _PIECE_SECONDS / 2:
                self._piece_deals[chunk.pairing] = 2 * n_deals
            at += n_deals


def work(
    worker: int,
    pipe: Connection,
    others: Sequence[Connection],
    job: Job,
    agents: Sequence[LoadedAgent] | None,
    worker_log: WorkerLog,
) -> None:
    """Be worker number `worker` until the parent closes its end of the pipe, or is gone.

    Sends a ChunkRow or a Failure for each chunk.

    Parameters
    ----------
    pipe
        This worker's end.
    others
        Ends of pipes that a fork has copied; while they are open here, their workers cannot see the parent go.
    job
        What is played.
    agents
        The agents, where a fork has brought them; None to load them here.
    worker_log
        Where log records go.

    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches every process of a terminal; the parent decides
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # the parent's way to take note of it is not a worker's
    for other in others:
        other.close()
    turn_stdout_away()
    worker_log.open()
    try:
        with suppress(EOFError, ConnectionError, _OrphanedError):
            _serve(worker, pipe, job, agents)
    finally:
        worker_log.close()


def _serve(worker: int, pipe: Connection, job: Job, agents: Sequence[LoadedAgent] | None) -> None:
    """Answer chunks until the pipe ends or the parent is gone."""
    parent = os.getppid()

    def look_up() -> None:
        if os.getppid() != parent:
            raise _OrphanedError

    tables = Tables(job, agents or [load_agent(text) for text in job.agents], look_up)
    while True:
        chunk = pipe.recv()
        try:
            answer: ChunkRow | Failure = tables.play(chunk, worker)
        except AgentFaultError as error:
            answer = Failure(chunk.number, error)
        except Exception as error:
            reason = f"worker {worker} failed at {job.describe(chunk)}: {type(error).__name__}: {error}"
            answer = Failure(chunk.number, WorkerError(reason), traceback.format_exc())
        pipe.send(answer)
