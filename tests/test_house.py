"""The habits of the house that a program can check: one way down through the rooms, short files, short functions."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
SOURCES = sorted(path for room in ("harness", "agents", "configs") for path in (TOP / room).rglob("*.py"))
MOST_LINES = 500
MOST_BODY_LINES = 40


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of every function's body, its docstring left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            yield node.name, (node.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_imports_go_one_way_down_through_the_rooms() -> None:
    """In a process of its own: import-linter switches off every logger that there is."""
    program = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--no-cache"], cwd=TOP, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(TOP).as_posix())
def test_files_and_functions_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES
    assert [name for name, n_lines in functions(path) if n_lines > MOST_BODY_LINES] == []
