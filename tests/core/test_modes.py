"""The same hands compiled, uncompiled and with checked bounds: three modes, one digest."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.digests import N_HANDS, digest_lines

TOP = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    "mode", [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}], ids=lambda mode: next(iter(mode))
)
def test_one_digest_in_every_mode(mode: dict[str, str]) -> None:
    """Not a word on stderr either: an overflow would be a warning there, an index out of range an error."""
    assert N_HANDS > 200
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.helpers.digests"],
        cwd=TOP,
        env=os.environ | mode,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == list(digest_lines())
