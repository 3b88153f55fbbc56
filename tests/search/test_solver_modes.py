"""The solver compiled, uncompiled, with checked bounds, and loaded from a warm cache: the same values."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.solved import N_OPEN, N_STRICT, solved_lines

TOP = Path(__file__).resolve().parents[2]


def solved_elsewhere(mode: dict[str, str]) -> list[str]:
    """What a new process says, which must be silent and sound."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.helpers.solved"],
        cwd=TOP,
        env=os.environ | mode,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "mode", [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}], ids=lambda mode: next(iter(mode))
)
def test_one_set_of_values_in_every_mode(mode: dict[str, str]) -> None:
    lines = list(solved_lines())
    assert len(lines) == N_STRICT + N_OPEN
    assert solved_elsewhere(mode) == lines


def test_recursive_kernels_can_be_loaded_again_and_again() -> None:
    """A recursive kernel that numba does not cache well crashes the second process that uses it."""
    lines = list(solved_lines())
    assert solved_elsewhere({}) == lines
    assert solved_elsewhere({}) == lines
