"""Stdout is for results: what an agent prints goes to stderr, or is caught."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import FileIO, TextIOWrapper
from typing import Any

_STDOUT, _STDERR = 1, 2
_MOST_CHARACTERS = 300
_UTF8_BYTES = 4
"""The most bytes that a character takes."""
_C_STDOUT = ("stdout", "__stdoutp")
"""What C's stdout is called on Linux and on macOS."""
_UNBUFFERED = 2
"""C's ``_IONBF``."""


def turn_stdout_away() -> None:
    """Let everything that this process prints from now on go to stderr, what its libraries print in C included."""
    _flush_c()
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
        _flush_c()
        os.dup2(kept, _STDOUT)
        os.close(kept)
        sys.stdout = printed


class StdoutCatch:
    """Catches what this process writes to stdout from now on, in an unnamed temporary file.

    Python's and C's stdout are unbuffered from then on, so that nothing is seen late; text that a stream from before
    still holds, however, is seen when its line ends.
    """

    def __init__(self) -> None:
        _flush_c()
        self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - open as long as the process is
        self._number = self._file.fileno()
        for stream in (sys.stdout, sys.__stdout__):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(line_buffering=True)
        os.dup2(self._number, _STDOUT)
        raw: Any = FileIO(_STDOUT, "w", closefd=False)  # no buffer between, as python -u has it
        sys.stdout = TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)
        _unbuffer_c()

    def taken(self) -> str:
        """Return what has been written since this was last called, and empty the file.

        Costs one call of the system where nothing was written.

        Returns
        -------
        str
            The first 300 characters and, if there are more, how many bytes there were.

        """
        size = os.lseek(self._number, 0, os.SEEK_END)
        return self._take(size) if size else ""

    def _take(self, size: int) -> str:
        os.lseek(self._number, 0, os.SEEK_SET)
        text = os.read(self._number, _UTF8_BYTES * (_MOST_CHARACTERS + 1)).decode(errors="replace")
        os.lseek(self._number, 0, os.SEEK_SET)
        os.ftruncate(self._number, 0)
        return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}… ({size:,} bytes)"


def _flush(stream: object) -> None:
    if hasattr(stream, "flush"):  # None if the shell has closed it
        with suppress(OSError):
            stream.flush()


def _c_library() -> Any:
    """Return the C library of this process; None where it cannot be had."""
    import ctypes

    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):
        return None


def _flush_c() -> None:
    """Write out what libraries have printed in C, which is buffered apart from Python's streams."""
    with suppress(AttributeError):
        _c_library().fflush(None)


def _unbuffer_c() -> None:
    """Let C's stdout write at once."""
    import ctypes

    library = _c_library()
    for name in _C_STDOUT:
        with suppress(AttributeError, TypeError, ValueError):
            library.setvbuf(ctypes.c_void_p.in_dll(library, name), None, _UNBUFFERED, ctypes.c_size_t(0))
