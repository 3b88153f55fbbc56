"""The cache of compiled code never serves old rules, and where it cannot be used all still works."""

import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from harness.core.kernel import COMPILED_ROOMS

TOP = Path(__file__).resolve().parents[2]

PROBE = """
from harness.core.kernel import kernel

@kernel
def read(numbers, place):
    return numbers[place]
"""
ASK_GRADE = """
from harness.core.score import grade
print(grade(40, 1), sum(grade.stats.cache_hits.values()))
"""
ASK_PROBE = """
import numpy as np
from harness.core.probe import read
print(sum(read.stats.cache_hits.values()))
read(np.arange(4), {place})
print(sum(read.stats.cache_hits.values()), "in range")
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the core, to be edited, and its own cache."""
    folder = tmp_path / "copy"
    shutil.copytree(TOP / "harness" / "core", folder / "harness" / "core", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(TOP / "harness" / "__init__.py", folder / "harness")
    return folder


def run(folder: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a new process that imports the core of this folder."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "SIXTYSIX_"))}
    settings = {"PYTHONPATH": str(folder), "SIXTYSIX_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=clean | settings | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def output(done: subprocess.CompletedProcess[str]) -> list[str]:
    """What a process printed that has ended well and without a word of warning."""
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split()


def test_a_changed_constant_in_another_file_gives_the_new_answer(copy: Path) -> None:
    """40 points are no schneider below 33, but below 50; `grade` is in score.py, the figure in cards.py."""
    assert output(run(copy, ASK_GRADE)) == ["1", "0"]
    assert output(run(copy, ASK_GRADE)) == ["1", "1"], "the second process finds it in the cache"
    cards = copy / "harness" / "core" / "cards.py"
    text = cards.read_text()
    assert text.count("SCHNEIDER: Final = 33") == 1
    cards.write_text(text.replace("SCHNEIDER: Final = 33", "SCHNEIDER: Final = 50"))
    assert output(run(copy, ASK_GRADE)) == ["2", "0"]
    cards.write_text(text)
    assert output(run(copy, ASK_GRADE)) == ["1", "1"], "the old rules have kept their own cache"


def test_a_changed_helper_in_another_file_gives_the_new_answer(copy: Path) -> None:
    """The kernel `mix` in rng.py is called by `fold`, and from other files still."""
    ask = "from harness.core.deal import shuffle; import numpy as np; p = np.zeros(24, np.int8); shuffle(1, 1, p); "
    ask += "print(*p)"
    before = output(run(copy, ask))
    rng = copy / "harness" / "core" / "rng.py"
    rng.write_text(rng.read_text().replace("return x ^ (x >> _S31)", "return x ^ (x >> _S30)"))
    after = output(run(copy, ask))
    assert before != after
    assert sorted(before) == sorted(after)


def test_bounds_are_checked_with_a_cache_that_was_warmed_without(copy: Path) -> None:
    (copy / "harness" / "core" / "probe.py").write_text(PROBE)
    assert output(run(copy, ASK_PROBE.format(place=2))) == ["0", "0", "in", "range"]
    assert output(run(copy, ASK_PROBE.format(place=2))) == ["0", "1", "in", "range"]
    assert output(run(copy, ASK_PROBE.format(place=4)))[-2:] == ["in", "range"], "unchecked, it reads what lies there"
    checked = run(copy, ASK_PROBE.format(place=4), NUMBA_BOUNDSCHECK="1")
    assert checked.returncode == 1
    assert "IndexError" in checked.stderr


def test_a_cache_folder_that_cannot_be_written_costs_a_warning_only(copy: Path) -> None:
    (copy / "file").write_text("no folder")
    done = run(copy, ASK_GRADE, SIXTYSIX_CACHE_DIR=str(copy / "file" / "cache"))
    assert (done.returncode, done.stdout.split()) == (0, ["1", "0"])
    assert done.stderr.count("\n") == 1
    assert "compiled code cannot be kept" in done.stderr
    assert "SIXTYSIX_CACHE_DIR" in done.stderr


def test_a_plug_in_is_compiled_without_a_cache(copy: Path) -> None:
    """Nothing tells when the sources it calls change, so nothing of it is kept, neither here nor beside it."""
    folder = copy / "elsewhere"
    folder.mkdir()
    (folder / "plug_in.py").write_text(PROBE)
    ask = "import sys; sys.path.append('elsewhere')\n" + ASK_PROBE.format(place=1).replace(
        "harness.core.probe", "plug_in"
    )
    for _ in range(2):
        assert output(run(copy, ask)) == ["0", "0", "in", "range"]
    kept = [path.name for path in copy.rglob("*.nb?")]
    assert not [name for name in kept if "plug_in" in name or "read" in name]
    assert [path.name for path in folder.iterdir()] == ["plug_in.py"]


def test_a_file_of_a_compiled_room_under_another_name_leaves_the_cache_alone(copy: Path) -> None:
    """What is kept tells its module's name: that of a plug-in, which a later process could not import."""
    path = copy / "harness" / "core" / "probe.py"
    path.write_text(PROBE)
    load = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("plug_in", {str(path)!r})
sys.modules["plug_in"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plug_in"])
"""
    ask = load + ASK_PROBE.format(place=1).replace("harness.core.probe", "plug_in")
    assert output(run(copy, ask)) == ["0", "0", "in", "range"]
    assert output(run(copy, ASK_PROBE.format(place=1))) == ["0", "0", "in", "range"], "nothing was kept"


# ------------------------------------------------------------------------------------- who may compile


def sources() -> list[Path]:
    """All Python files of the product."""
    return [path for room in ("harness", "agents", "configs") for path in sorted((TOP / room).rglob("*.py"))]


def decorators(path: Path) -> set[str]:
    """Names of the decorators in a file, without what stands before a dot."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                found.add(ast.unparse(called).rpartition(".")[2])
    return found


def test_every_kernel_lies_in_a_room_whose_sources_make_the_digest() -> None:
    with_kernels = [path for path in sources() if decorators(path) & {"kernel", "policy", "judgement"}]
    assert len(with_kernels) > 10
    rooms = [TOP / room for room in COMPILED_ROOMS]
    assert [path for path in with_kernels if not any(path.is_relative_to(room) for room in rooms)] == []


def test_nobody_else_compiles() -> None:
    """One module owns the decorator: numba's own appear there and nowhere else."""
    own = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "stencil", "jitclass"}
    assert [path for path in sources() if decorators(path) & own] == []
    calls = [path for path in sources() if "numba.njit" in path.read_text(encoding="utf-8")]
    assert calls == [TOP / "harness" / "core" / "kernel.py"]


def test_folders_unused_for_a_month_are_deleted(copy: Path) -> None:
    day = 24 * 3600
    kernels = copy / "cache" / "kernels"
    for name, days in (("old", 40), ("unfinished", 40), ("recent", 20)):
        (kernels / name).mkdir(parents=True)
        marker = kernels / name if name == "unfinished" else kernels / name / "ready"
        if marker.name == "ready":
            marker.touch()
        then = time.time() - days * day
        os.utime(marker, (then, then))
    output(run(copy, "from harness.core.kernel import mark_warm; mark_warm()"))
    left = {folder.name for folder in kernels.iterdir()}
    assert not left & {"old", "unfinished"}
    assert len(left) == 2, "the recent one and that of the running code"
