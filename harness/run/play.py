"""Play a run: config, schedule, workers, store."""

import logging
import multiprocessing
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite.binding

from harness.agent_api.registry import LoadedAgent
from harness.core.kernel import source_digest
from harness.errors import SixtySixError, WorkerError
from harness.game.rules import RULES_VERSION
from harness.log import LogFile, TerminalHandler
from harness.run.config import RunConfig
from harness.run.interrupt import Interrupt, noting_interrupts
from harness.run.manner import Manner, default_workers
from harness.run.progress import Progress, Standing, choose_progress
from harness.run.relay import relayed_to
from harness.run.schedule import Chunk, chunk_size, schedule
from harness.run.supervise import Crew
from harness.run.workers import Job
from harness.store.rows import LOG_FILE, AgentRow, PairingRow, RunHead

if TYPE_CHECKING:
    from harness.store.writer import RunWriter

log = logging.getLogger(__name__)

_RECORDED_PACKAGES = ("numba", "llvmlite", "numpy", "duckdb")


def play_run(config: RunConfig, agents: Sequence[LoadedAgent], folder: Path, manner: Manner) -> None:
    """Play a whole run into a folder that has been claimed for it (see `harness.run.folder`).

    Parameters
    ----------
    config
        What is played.
    agents
        The agents of the config, loaded.
    folder
        The run's folder, empty but for an empty log.
    manner
        How it is played.

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
        Crew(context, manner.n_workers, job_of(config), agents, worker_log) as crew,
    ):
        # The workers have been forked: only now may the database and the bar be loaded.
        from harness.store.writer import RunWriter

        log.info("%s: %s, seed %d, %d deals", config.title, config.rules_text, config.seed, config.deals)
        with (
            RunWriter(folder, run_head(config, agents, manner)) as writer,
            closing(choose_progress(total_hands(config), manner.is_quiet, terminal)) as progress,
        ):
            try:
                _keep(crew, _chunks(config, agents, manner), config, writer, progress, interrupt)
            except SixtySixError as error:
                log.info("the run has ended early: %s", error)
                if isinstance(error, WorkerError):
                    error.add_note(f"the log tells more: {folder / LOG_FILE}")
                error.add_note(f"what was played until then is kept in {folder}")
                raise


def total_hands(config: RunConfig) -> int:
    """Return how many hands a run has: every deal twice for each pairing."""
    return 2 * config.deals * len(config.pairings)


def job_of(config: RunConfig) -> Job:
    """Return what the workers of a run play."""
    return Job(config.rules, config.seed, config.agents, {p.number: (p.first, p.second) for p in config.pairings})


def run_head(config: RunConfig, agents: Sequence[LoadedAgent], manner: Manner) -> RunHead:
    """Return what is known of a run before its first hand."""
    kinds = ("compiled" if agent.is_compiled else "Python" for agent in agents)
    rows = zip(config.agent_names, config.agents, kinds, strict=True)
    return RunHead(
        name=config.title,
        config=config.content(),
        config_digest=config.digest(),
        versions={
            "sixtysix": version("sixtysix"),
            "rules": str(RULES_VERSION),
            "sources": source_digest(),
            "python": platform.python_version(),
            **{package: version(package) for package in _RECORDED_PACKAGES},
        },
        machine={
            "system": platform.platform(),
            "processor": llvmlite.binding.get_host_cpu_name(),
            "cores": default_workers(),
            "workers": manner.n_workers,
            "start_method": manner.start_method,
        },
        agents=tuple(AgentRow(number, *row) for number, row in enumerate(rows)),
        pairings=tuple(PairingRow(p.number, p.first, p.second) for p in config.pairings),
    )


def _chunks(config: RunConfig, agents: Sequence[LoadedAgent], manner: Manner) -> Iterator[Chunk]:
    sizes = {}
    for pairing in config.pairings:
        is_compiled = agents[pairing.first].is_compiled and agents[pairing.second].is_compiled
        sizes[pairing.number] = manner.chunk_deals or chunk_size(is_compiled, config.deals)
    return schedule(config.deals, sizes)


def _keep(
    crew: Crew,
    chunks: Iterator[Chunk],
    config: RunConfig,
    writer: "RunWriter",
    progress: Progress,
    interrupt: Interrupt,
) -> None:
    """Commit chunk after chunk until the schedule ends; InterruptedRunError after a signal to stop."""
    standing = Standing(config.agent_names, {p.number: (p.first, p.second) for p in config.pairings})
    start = time.perf_counter()
    n_hands = 0

    def stop_if_interrupted() -> None:
        if interrupt.is_set:
            raise interrupt.error(f"stopped after {n_hands:,} of {total_hands(config):,} hands")

    for row in crew.play(chunks, stop_if_interrupted):
        writer.add(row)
        standing.add(row)
        n_hands += 2 * row.n_deals
        progress.update(2 * row.n_deals, standing.describe())
    seconds = time.perf_counter() - start
    writer.finish(seconds)
    log.info("complete: %d hands in %.2f s", n_hands, seconds)
