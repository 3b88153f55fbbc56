"""The command line called from tests, in this process or in one of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.cli.app import main

REPOSITORY = Path(__file__).parents[2]
SNAPSHOTS = REPOSITORY / "tests" / "data" / "cli"


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command in this process; return its exit status, stdout and stderr."""
    capsys.readouterr()
    status = main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def clean_environment(**variables: str) -> dict[str, str]:
    """Return this environment without what would change a command's settings or the interpreter's."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SIXTYSIX_", "PYTHON")) or name == "SIXTYSIX_CACHE_DIR"
    }
    return {**kept, "PYTHONPATH": str(REPOSITORY), **variables}


def start(*arguments: str, folder: Path, **variables: str) -> subprocess.Popen[str]:
    """Start the command in a process group of its own, so that it can be interrupted like one at a terminal."""
    return subprocess.Popen(
        [sys.executable, "-m", "harness", *arguments],
        cwd=folder,
        env=clean_environment(**variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
