"""The solver's values of some small positions, as a program too: ``python -m tests.helpers.solved``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from random import Random

import numpy as np

from harness.search.solver import SOLVER_WORDS, action_values, at_least, solve
from tests.helpers.endings import open_positions, strict_endings

N_STRICT, N_OPEN = 150, 30


def solved_lines() -> Iterator[str]:
    """One line for each position; a few milliseconds of compiled work, some seconds of uncompiled."""
    work = np.full(SOLVER_WORDS, 2**64 - 1, np.uint64)
    endings = chain(
        islice(strict_endings(Random(8), 1, 6), N_STRICT),
        islice((e for e in open_positions(Random(9)) if int(e.state.hand[0]).bit_count() < 3), N_OPEN),
    )
    for _, record, state in endings:
        values = np.full(40, -9, np.int64)
        action_values(state, record, work, values)
        wins = bool(at_least(state, record, work, 1))
        yield f"{solve(state, record, work):2} {wins:d} " + "".join(f"{value:3}" for value in values)


if __name__ == "__main__":
    for line in solved_lines():
        print(line)
