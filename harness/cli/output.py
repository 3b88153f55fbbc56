"""Where words go: results to stdout, everything else to stderr."""

import errno
import os
import sys
import textwrap
from collections.abc import Callable, Sequence

import typer

from harness.log import give_up, write_line

_STDERR = 2
_TIE = "\u00a0"
_COLUMNS = 80
_LEAST = 20
"""Narrowest last column of a table."""


def prepare_streams() -> None:
    """Make stdout and stderr fit to write to: any character, and no closed stream whose place a file would take."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (number := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
            pass
        os.close(number)
        sys.stderr = sys.stderr or open(_STDERR, "w", closefd=False)  # noqa: SIM115 - open as long as the process is
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ♠ shows a question mark


def show(text: str) -> None:
    """Print a result; a reader that has gone away, as in ``| head``, ends the command quietly.

    Raises
    ------
    OSError
        The result cannot be written; it names stdout as the file.

    """
    if sys.stdout is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "stdout")
    try:
        print(text.rstrip("\n"))
        sys.stdout.flush()
    except BrokenPipeError:
        give_up(sys.stdout)
        raise typer.Exit(0) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, "stdout") from error


def advise(text: str) -> None:
    """Print something that is not a result, such as an error or advice."""
    write_line(text)


def adviser(is_quiet: bool) -> Callable[[str], None]:
    """Return what prints advice, broken to fit a terminal; for a quiet command a function that keeps silent."""
    return (lambda text: None) if is_quiet else (lambda text: advise(folded(text)))


def folded(text: str) -> str:
    """Break lines that do not fit a terminal of 80 columns; the spaces of what is `unbroken` become plain ones."""
    return "\n".join(_folded(line) for line in text.split("\n")).replace(_TIE, " ")


def _folded(line: str) -> str:
    if len(line) <= _COLUMNS:
        return line
    return textwrap.fill(line, _COLUMNS, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def unbroken(command: str) -> str:
    """Tie the words of a command or a path in advice, so that it stays in one line and can be copied."""
    return command.replace(" ", _TIE)


def indented(text: str) -> list[str]:
    """Break a sentence into indented lines that fit a terminal of 80 columns."""
    return textwrap.wrap(text, _COLUMNS, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)


def wrapped(text: str) -> str:
    """Break a text into lines that fit a terminal of 80 columns."""
    return textwrap.fill(text, _COLUMNS, break_on_hyphens=False)


def refilled(text: str) -> str:
    """Break the paragraphs of a docstring anew where a line does not fit; headings, lists and indentation stay."""
    blocks: list[list[str]] = []
    for line in text.splitlines():
        goes_on = blocks and line.strip() and blocks[-1][-1].strip() and _indent(line) == _indent(blocks[-1][-1])
        if goes_on and not line.lstrip().startswith(("- ", "* ")):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return "\n".join(_fitting(block) for block in blocks)


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _fitting(block: list[str]) -> str:
    if max(map(len, block)) <= _COLUMNS:
        return "\n".join(block)
    indent = _indent(block[0])
    text = " ".join(line.strip() for line in block)
    return textwrap.fill(
        text, _COLUMNS, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Line up rows of texts in columns, two spaces apart.

    The last column is broken to fit a terminal of 80 columns. Where the others leave it no room, it stands below them.
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    beside = sum(widths) + 2 * len(widths)
    is_below = beside + min(_LEAST, max(len(row[-1]) for row in rows)) > _COLUMNS
    lines: list[str] = []
    for row in rows:
        head = "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        if is_below:
            lines += [head.rstrip(), *indented(row[-1])]
        else:
            room, below = _COLUMNS - beside, "\n" + " " * beside
            lines.append((head + below.join(textwrap.wrap(row[-1], room, break_on_hyphens=False))).rstrip())
    return "\n".join(lines)
