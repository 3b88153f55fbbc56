"""Stdout is for results: what an agent prints goes to stderr."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_STDOUT, _STDERR = 1, 2


def turn_stdout_away() -> None:
    """Let everything that this process prints from now on go to stderr, what its libraries print in C included."""
    with suppress(OSError):
        os.dup2(_STDERR, _STDOUT)
    sys.stdout = sys.stderr


@contextmanager
def clean_stdout() -> Iterator[None]:
    """Let everything that is printed in this block go to stderr: here agents are loaded, or play."""
    printed = sys.stdout
    _flush(printed)
    kept = os.dup(_STDOUT)
    try:
        turn_stdout_away()
        yield
    finally:
        _flush(printed)  # an agent may have kept it from before
        os.dup2(kept, _STDOUT)
        os.close(kept)
        sys.stdout = printed


def _flush(stream: object) -> None:
    if hasattr(stream, "flush"):  # None if the shell has closed it
        with suppress(OSError):
            stream.flush()
