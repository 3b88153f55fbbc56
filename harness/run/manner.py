"""How a run is played, as far as it changes nothing in the result."""

import multiprocessing
import os
import sys
from dataclasses import dataclass

from harness.errors import UsageError

MAX_WORKERS = 1024


def start_method() -> str:
    """Return how workers start here: fork where it is safe, so that they inherit compiled code, else spawn."""
    can_fork = "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"
    return "fork" if can_fork else "spawn"


@dataclass(frozen=True)
class Manner:
    """How a run is played: nothing of this changes its result.

    Attributes
    ----------
    n_workers
        Worker processes.
    is_quiet
        No progress on stderr.
    start_method
        ``fork`` or ``spawn``.
    chunk_deals
        Deals a chunk for all pairings; None for what suits their agents.

    """

    n_workers: int
    is_quiet: bool = False
    start_method: str = start_method()
    chunk_deals: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.n_workers <= MAX_WORKERS:
            raise UsageError(f"workers = {self.n_workers}: must be a whole number from 1 to {MAX_WORKERS}")


def default_workers() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
