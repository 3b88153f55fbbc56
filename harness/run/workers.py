"""A worker process: play the chunks that come through its pipe, send the results back."""

import logging
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection

from harness.agent_api.registry import LoadedAgent, load_agent
from harness.errors import AgentFaultError, WorkerError
from harness.game.rules import Rules
from harness.play.pairing import PairingPlayer
from harness.run.relay import WorkerLog
from harness.run.schedule import Chunk
from harness.store.rows import ChunkRow

log = logging.getLogger(__name__)


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


@dataclass(frozen=True)
class Failure:
    """What is sent instead of the results of a chunk."""

    number: int
    error: AgentFaultError | WorkerError


class Tables:
    """The pairings of a job, each made ready when its first chunk comes."""

    def __init__(self, job: Job, agents: Sequence[LoadedAgent]):
        self._job = job
        self._agents = agents
        self._players: dict[int, PairingPlayer] = {}

    def play(self, chunk: Chunk, worker: int) -> ChunkRow:
        """Play a chunk; AgentFaultError if an agent crashes or acts against the rules."""
        if chunk.pairing not in self._players:
            first, second = (self._agents[agent] for agent in self._job.pairings[chunk.pairing])
            self._players[chunk.pairing] = PairingPlayer(self._job.rules, first, second, self._job.seed, chunk.pairing)
        start = time.perf_counter()
        played = self._players[chunk.pairing].play(chunk.first_deal, chunk.n_deals)
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
        )


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
    for other in others:
        other.close()
    _keep_stdout_clean()
    worker_log.open()
    try:
        with suppress(EOFError, ConnectionError):
            _serve(worker, pipe, job, agents)
    finally:
        worker_log.close()


def _serve(worker: int, pipe: Connection, job: Job, agents: Sequence[LoadedAgent] | None) -> None:
    """Answer chunks until the pipe ends."""
    tables = Tables(job, agents or [load_agent(text) for text in job.agents])
    while True:
        pipe.send(_answer(worker, tables, pipe.recv()))


def _answer(worker: int, tables: Tables, chunk: Chunk) -> ChunkRow | Failure:
    try:
        return tables.play(chunk, worker)
    except AgentFaultError as error:
        return Failure(chunk.number, error)
    except Exception as error:
        log.exception("worker %d failed at %s", worker, chunk)
        return Failure(chunk.number, WorkerError(f"worker {worker} failed at {chunk}: {type(error).__name__}: {error}"))


def _keep_stdout_clean() -> None:
    """Turn what an agent prints to stderr: stdout is for results."""
    with suppress(OSError):
        os.dup2(2, 1)
    sys.stdout = sys.stderr
