"""Whole runs in small, and what they have come to."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harness.run.agents import load_agents
from harness.run.config import build_config
from harness.run.folder import claimed_folder, reopened_folder
from harness.run.manner import Manner
from harness.run.play import play_run
from harness.run.so_far import grow_config, read_so_far
from harness.store.reader import open_run


class Result(NamedTuple):
    """Everything that the result of a run is."""

    digest: int
    counts: bytes
    endings: bytes
    complete: bool
    codes: list[list[int]]
    faults: list[list[list[int]]]


def manner(
    n_workers: int = 1, method: str = "fork", chunk_deals: int | None = None, on_fault: str = "forfeit"
) -> Manner:
    return Manner(n_workers, is_quiet=True, start_method=method, chunk_deals=chunk_deals, on_fault=on_fault)


def play(
    folder: Path,
    agents: list[str],
    deals: int,
    n_workers: int = 1,
    method: str = "fork",
    chunk_deals: int | None = None,
    on_fault: str = "forfeit",
    **settings: Any,
) -> None:
    """Play a new run."""
    how = manner(n_workers, method, chunk_deals, on_fault)
    config = build_config({"agents": agents, "deals": deals, **settings})
    loaded = load_agents(config.agents, lambda text: None, config.limits)
    with claimed_folder(folder, replace=False) as lock:
        play_run(config, loaded, folder, how, lock)


def go_on(
    folder: Path,
    n_workers: int = 1,
    method: str = "fork",
    chunk_deals: int | None = None,
    on_fault: str = "forfeit",
    **settings: Any,
) -> None:
    """Play what a run lacks, or what it lacks with more agents or deals."""
    with reopened_folder(folder) as lock:
        so_far = read_so_far(folder)
        config = grow_config(so_far.config, settings)
        loaded = load_agents(config.agents, lambda text: None, config.limits)
        play_run(config, loaded, folder, manner(n_workers, method, chunk_deals, on_fault), lock, so_far)


def result(folder: Path) -> Result:
    with open_run(folder) as run:
        codes = np.concatenate(list(run.blocks()), axis=1)
        return Result(
            run.digest,
            run.counts.tobytes(),
            run.endings.tobytes(),
            run.complete,
            codes.tolist(),
            run.faults.tolist(),
        )
