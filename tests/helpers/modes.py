"""Programs of the tests in a new process, whose numba may compile in another way."""

import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
MODES = [{"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}]
"""Environments of the other modes: uncompiled, and compiled with checked bounds."""


def lines_elsewhere(module: str, mode: dict[str, str]) -> list[str]:
    """What `module`, run as a program, says in a new process with the environment `mode` on top of this one's.

    Not a word on stderr: an overflow would be a warning there, an index out of range an error.
    """
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", module],
        cwd=TOP,
        env=os.environ | mode,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()
