"""Play a run: config, schedule, workers, store."""

import logging
import multiprocessing
import platform
import shlex
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite.binding
import numpy as np

from harness.agent_api.registry import LoadedAgent
from harness.errors import SixtySixError, WorkerError
from harness.log import LogFile, TerminalHandler
from harness.run.config import RunConfig
from harness.run.faults import FaultDesk
from harness.run.interrupt import Interrupt, noting_interrupts
from harness.run.manner import Manner, default_workers
from harness.run.progress import Progress, choose_progress, standing_of
from harness.run.relay import relayed_to
from harness.run.schedule import Pace, schedule
from harness.run.so_far import SoFar
from harness.run.sources import source_of, versions
from harness.run.stop import Stopper
from harness.run.supervise import Crew
from harness.run.truncate import first_deals
from harness.run.workers import Facts, Job, Lock
from harness.store.rows import LOG_FILE, AgentRow, ChunkRow, PairingRow, RunHead, SessionRow

if TYPE_CHECKING:
    from harness.store.writer import RunWriter

log = logging.getLogger(__name__)


def play_run(
    config: RunConfig,
    agents: Sequence[LoadedAgent],
    folder: Path,
    manner: Manner,
    lock: Lock | None = None,
    so_far: SoFar | None = None,
) -> None:
    """Play all that a run lacks, into a folder that has been claimed or reopened (see `harness.run.folder`).

    Parameters
    ----------
    config
        What is played.
    agents
        The agents of the config, loaded.
    folder
        The run's folder.
    manner
        How it is played.
    lock
        The lock of the folder.
    so_far
        What has been played of it already; None for a new run, whose folder is empty.

    Raises
    ------
    AgentFaultError, WorkerError, RunFileError, InterruptedRunError
        The play has ended early; what was committed is kept.

    """
    terminal = TerminalHandler()
    context = multiprocessing.get_context(manner.start_method)
    with (
        noting_interrupts() as interrupt,
        relayed_to(context, terminal, LogFile(folder / LOG_FILE)) as worker_log,
        Crew(
            context, manner.n_workers, job_of(config), agents, worker_log, so_far.lost if so_far else (), lock
        ) as crew,
    ):
        # The workers have been forked: only now may the database and the bar be loaded.
        from harness.store.writer import RunWriter

        log.info("%s: %s, seed %d, %d deals", config.title, config.rules_text, config.seed, config.deals)
        head = run_head(config, agents)
        n_done = hands_done(config, so_far)
        stopper = _stopper(config, folder, so_far)
        with (
            RunWriter.reopen(folder) if so_far else RunWriter.create(folder, head) as writer,
            closing(choose_progress(total_hands(config), manner.is_quiet, terminal, n_done, config.play)) as progress,
        ):
            if so_far and so_far.config != config:
                writer.grow(head)
            writer.begin_session(session(manner, agents))
            play = _Play(config, manner, so_far, writer, progress, interrupt, stopper)
            try:
                play.through(crew)
            except SixtySixError as error:
                log.info("the run has ended early: %s", error)
                if isinstance(error, WorkerError):
                    error.add_note(f"the log tells more: {folder / LOG_FILE}")
                error.add_note(f"what was played until then is kept in {folder}; go on with: {resume_command(folder)}")
                raise


def resume_command(folder: Path) -> str:
    """Return the command that goes on with a run."""
    return shlex.join(["sixtysix", "resume", str(folder)])


def total_hands(config: RunConfig) -> int:
    """Return how many hands, or matches, a run has: two a deal for each pairing."""
    return 2 * config.deals * len(config.pairings)


def job_of(config: RunConfig) -> Job:
    """Return what the workers of a run play."""
    pairings = {p.number: (p.first, p.second) for p in config.pairings}
    return Job(
        rules=config.rules,
        seed=config.seed,
        agents=config.agents,
        pairings=pairings,
        limits=config.limits,
        record=config.record,
        may_end_early=config.stop is not None,
        match_play=config.plays_matches,
    )


def hands_done(config: RunConfig, so_far: SoFar | None) -> int:
    """Return how many of a run's hands have been played already."""
    done = so_far.done if so_far else {}
    return 2 * sum(done.get(pairing.number, 0) for pairing in config.pairings)


def run_head(config: RunConfig, agents: Sequence[LoadedAgent]) -> RunHead:
    """Return what is known of a run before its first hand."""
    rows = zip(config.agent_names, config.agents, agents, strict=True)
    return RunHead(
        name=config.title,
        config=config.content(),
        config_digest=config.digest(),
        record=config.record,
        agents=tuple(
            AgentRow(number, name, text, agent.kind, source_of(agent))
            for number, (name, text, agent) in enumerate(rows)
        ),
        pairings=tuple(PairingRow(p.number, p.first, p.second) for p in config.pairings),
    )


def session(manner: Manner, agents: Sequence[LoadedAgent]) -> SessionRow:
    """Return what is known of a stretch of play before it begins."""
    return SessionRow(
        versions=versions(),
        machine={
            "system": platform.platform(),
            "processor": llvmlite.binding.get_host_cpu_name(),
            "cores": default_workers(),
            "workers": manner.n_workers,
            "start_method": manner.start_method,
        },
        sources=tuple(source_of(agent) for agent in agents),
    )


def _stopper(config: RunConfig, folder: Path, so_far: SoFar | None) -> Stopper | None:
    """Return what ends the run early, told of what has been played already; None if nothing does."""
    if config.stop is None:
        return None
    stopper = Stopper(config.stop, config.deals, config.rules)
    if so_far:
        from harness.store.reader import open_run

        with open_run(folder) as run:
            for block in run.blocks():
                stopper.feed(block[0])
    return stopper


class _Play:
    """One stretch of play, from the first chunk that a run lacks to the last one."""

    def __init__(
        self,
        config: RunConfig,
        manner: Manner,
        so_far: SoFar | None,
        writer: "RunWriter",
        progress: Progress,
        interrupt: Interrupt,
        stopper: Stopper | None,
    ):
        self._stopper = stopper
        self._config = config
        self._writer = writer
        self._progress = progress
        self._interrupt = interrupt
        self._desk = FaultDesk(config, manner.on_fault)
        self._standing = standing_of(config.agent_names, {p.number: (p.first, p.second) for p in config.pairings})
        numbers = [pairing.number for pairing in config.pairings]
        self._pace = Pace(numbers, config.deals)
        sizes = dict.fromkeys(numbers, manner.chunk_deals) if manner.chunk_deals else self._pace.sizes
        done, first_number = (so_far.done, so_far.next_chunk) if so_far else ({}, 0)
        self._chunks = schedule(config.deals, sizes, done, first_number)
        self._n_hands = hands_done(config, so_far)
        self._start = time.perf_counter()

    def through(self, crew: Crew) -> None:
        """Commit chunk after chunk until the schedule ends; InterruptedRunError after a signal to stop."""
        for message in () if self._is_over else crew.play(self._chunks, self._on_wake):
            if isinstance(message, Facts):
                for fault in message.faults:
                    self._desk.hear(fault)
                self._writer.add_faults(message.faults)
                continue
            self._pace.heard(message.pairing, message.n_deals, message.seconds)
            self._keep(self._belonging(message))
            if self._is_over:
                break
        if self._stopper is not None and self._is_over:
            self._writer.stop(self._stopper.n_deals)
        log.info("complete: %d %s in %.2f s", self._n_hands, self._config.play, time.perf_counter() - self._start)

    @property
    def _is_over(self) -> bool:
        return self._stopper is not None and self._stopper.is_over

    def _belonging(self, chunk: ChunkRow) -> ChunkRow:
        """Return what belongs to the run of a chunk: its first deals only if the run ends with them."""
        if self._stopper is None:
            return chunk
        return first_deals(chunk, self._stopper.feed(np.frombuffer(chunk.codes, np.uint8)), self._config.record)

    def _keep(self, chunk: ChunkRow) -> None:
        for fault in chunk.faults:
            self._desk.hear(fault)
        self._writer.add(chunk, time.perf_counter() - self._start)
        self._standing.add(chunk)
        self._n_hands += 2 * chunk.n_deals
        self._progress.update(2 * chunk.n_deals, self._describe())

    def _describe(self) -> str:
        return self._stopper.describe() if self._stopper else self._standing.describe()

    def _on_wake(self) -> None:
        if self._interrupt.is_set:
            total = total_hands(self._config)
            raise self._interrupt.error(f"stopped after {self._n_hands:,} of {total:,} {self._config.play}")
        self._progress.update(0, self._describe())
