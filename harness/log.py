"""Where log records go: warnings to the terminal, everything worth keeping to a run's log file."""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

_FILE_FORMAT = "%(asctime)s %(levelname)-7s %(processName)s %(name)s: %(message)s"


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
    """Write a line to stderr, at once."""
    print(text, file=sys.stderr, flush=True)


def file_handler(path: Path) -> logging.Handler:
    """Return a handler that appends records from INFO up to a file, with time and process; OSError if it cannot."""
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setLevel(logging.INFO)
    handler.setFormatter(logging.Formatter(_FILE_FORMAT))
    return handler


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
