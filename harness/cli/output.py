"""Where words go: results to stdout, everything else to stderr."""

import os
import sys
from collections.abc import Callable, Sequence

import typer


def show(text: str) -> None:
    """Print a result; a reader that has gone away, as in ``| head``, ends the command quietly."""
    try:
        print(text.rstrip("\n"))
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered has nowhere to go; without this the interpreter would complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def advise(text: str) -> None:
    """Print something that is not a result, such as an error or advice."""
    print(text, file=sys.stderr, flush=True)


def adviser(is_quiet: bool) -> Callable[[str], None]:
    """Return `advise`, or for a quiet command a function that keeps silent."""
    return (lambda text: None) if is_quiet else advise


def table(rows: Sequence[tuple[str, ...]]) -> str:
    """Line up rows of texts in columns, two spaces apart; the last column is as long as it likes."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    return "\n".join(
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    )
