"""How much memory this process has, and has ever had."""

import os
import sys
from functools import cache
from typing import Any

import psutil


@cache
def _process(process_id: int) -> Any:
    return psutil.Process(process_id)


def memory_now() -> int:
    """Return the resident memory of this process in bytes."""
    return int(_process(os.getpid()).memory_info().rss)


def most_memory() -> int:
    """Return the most resident memory that this process has ever had, in bytes; quicker than `memory_now`."""
    try:
        import resource
    except ImportError:  # not on this system
        return memory_now()
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
