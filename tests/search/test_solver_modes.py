"""The solver compiled, uncompiled, with checked bounds, and loaded from a warm cache: the same values."""

import pytest

from tests.helpers.modes import MODES, lines_elsewhere
from tests.helpers.solved import N_OPEN, N_STRICT, solved_lines

SOLVED = "tests.helpers.solved"


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: next(iter(mode)))
def test_one_set_of_values_in_every_mode(mode: dict[str, str]) -> None:
    lines = list(solved_lines())
    assert len(lines) == N_STRICT + N_OPEN
    assert lines_elsewhere(SOLVED, mode) == lines


def test_recursive_kernels_can_be_loaded_again_and_again() -> None:
    """A recursive kernel that numba does not cache well crashes the second process that uses it."""
    lines = list(solved_lines())
    assert lines_elsewhere(SOLVED, {}) == lines
    assert lines_elsewhere(SOLVED, {}) == lines
