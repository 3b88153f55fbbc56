"""Where log records go: warnings to the terminal, everything worth keeping to a run's log file."""

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, TextIO

from harness.paths import why

_FILE_FORMAT = "%(asctime)s %(levelname)-7s %(processName)s %(name)s: %(message)s"
_MOST_BYTES: Final = 5_000_000
_N_OLD_LOGS: Final = 3
_MOST_CHARACTERS: Final = 100_000
"""Of one record."""


def log_names(name: str) -> tuple[str, ...]:
    """Return the names of all files that a log of this name may have: its own and, with numbers, those of its past."""
    return name, *(f"{name}.{number}" for number in range(1, _N_OLD_LOGS + 1))


class TerminalHandler(logging.Handler):
    """Writes warnings to stderr in one line each; whoever draws a progress bar there sets `write`."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.write: Callable[[str], None] = write_line

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            self.write(f"{record.levelname.lower()}: {record.getMessage()}")
        except Exception:
            self.handleError(record)


def write_line(text: str) -> None:
    """Write a line to stderr, at once; where that cannot be done, nobody can be told."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        give_up(sys.stderr)


def give_up(stream: TextIO | None) -> None:
    """Lead what is still buffered for a stream nowhere, or the interpreter would fail over it when it exits."""
    with suppress(OSError, AttributeError, ValueError):  # closed, or not a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[union-attr]


class LogFile(RotatingFileHandler):
    """Appends records from INFO up to a file, with time and process; OSError if there can be no such file.

    A file that has grown to 5 MB is put aside under the next name of `log_names`, and the oldest one deleted, so that
    an agent that logs without end does not fill the disk. A disk that is full later on costs the log, never the run:
    it is told once.
    """

    def __init__(self, path: Path, most_bytes: int = _MOST_BYTES):
        super().__init__(path, maxBytes=most_bytes, backupCount=_N_OLD_LOGS, encoding="utf-8", errors="replace")
        self.setLevel(logging.INFO)
        self.setFormatter(logging.Formatter(_FILE_FORMAT))
        self._path = path
        self._has_failed = False

    def format(self, record: logging.LogRecord) -> str:
        """Write a record, or the start of one that is far too long."""
        text = super().format(record)
        return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}… ({len(text):,} characters)"

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the name is logging's
        """Say once that the log is incomplete."""
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):
            super().handleError(record)
        elif not self._has_failed:
            self._has_failed = True
            write_line(f"warning: {self._path} cannot be written ({why(error)}): the log is incomplete")

    def close(self) -> None:
        """Close the file; what could not be written has been told."""
        with suppress(OSError):
            super().close()


@contextmanager
def logging_to(*handlers: logging.Handler) -> Iterator[None]:
    """Send the records of all loggers to these handlers, from INFO up, until the block ends."""
    root = logging.getLogger()
    level = root.level
    root.setLevel(logging.INFO)
    for handler in handlers:
        root.addHandler(handler)
    try:
        yield
    finally:
        root.setLevel(level)
        for handler in handlers:
            root.removeHandler(handler)
            handler.close()
