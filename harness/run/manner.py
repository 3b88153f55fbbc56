"""How a run is played, as far as it changes nothing in the result."""

import multiprocessing
import os
import sys
from dataclasses import dataclass

from harness.errors import UsageError, did_you_mean

MAX_WORKERS = 1024
ON_FAULT = ("forfeit", "abort")


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
    on_fault
        What a fault of an agent costs: ``forfeit`` the hand, or ``abort`` the run, which can be resumed then.

    """

    n_workers: int
    is_quiet: bool = False
    start_method: str = start_method()
    chunk_deals: int | None = None
    on_fault: str = ON_FAULT[0]

    def __post_init__(self) -> None:
        if not 1 <= self.n_workers <= MAX_WORKERS:
            raise UsageError(f"workers = {self.n_workers}: must be a whole number from 1 to {MAX_WORKERS}")
        if self.on_fault not in ON_FAULT:
            hint = did_you_mean(self.on_fault, ON_FAULT)
            raise UsageError(f'on-fault = "{self.on_fault}": must be "forfeit" or "abort"{hint}')


def default_workers() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
