"""What is committed outlives a full disk and a kill, and a file that is no readable run is refused in a sentence."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import numpy as np
import pytest

from harness.errors import ExitStatus, RunBusyError, RunFileError
from harness.store.reader import open_run
from harness.store.rows import RUN_FILE, WAL_FILE, ChunkRow
from harness.store.schema import SCHEMA_VERSION
from harness.store.writer import RunWriter
from tests.store.made_up import SESSION, chunks_of, deal_codes, write

WRITE = """
import os, sys
from pathlib import Path
from harness.errors import RunFileError
from harness.store.writer import RunWriter
from tests.store.made_up import HEAD, SESSION
from tests.store.test_damage import one_chunk

folder, file_size, size = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
if file_size:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
is_new = not (folder / "run.duckdb").exists()
number = 0 if is_new else int(sys.argv[4])
try:
    with RunWriter.create(folder, HEAD) if is_new else RunWriter.reopen(folder) as writer:
        writer.begin_session(SESSION)
        while True:
            writer.add(one_chunk(number, size), elapsed=1.0)
            number += 1
            print(number, flush=True)
except RunFileError as error:
    print(error, flush=True)
"""


def one_chunk(number: int, size: int) -> ChunkRow:
    codes = np.random.default_rng(number).integers(0, 49, size).astype(np.uint8)
    endings = np.full(112, number, "<i8")
    return ChunkRow(number, 0, number * size, size, codes.tobytes(), endings.tobytes(), number, 0, 0.5, (size, size))


def writing(folder: Path, file_size: int, size: int, number: int = 0) -> subprocess.Popen[str]:
    arguments = [str(folder), str(file_size), str(size), str(number)]
    return subprocess.Popen([sys.executable, "-c", WRITE, *arguments], stdout=subprocess.PIPE, text=True)


def check_run(folder: Path, size: int) -> int:
    """Compare a run with what was written into it; return how many chunks it has."""
    with open_run(folder) as run:
        n = run.next_chunk
        codes = np.concatenate([*(block[0] for block in run.blocks()), np.zeros(0, np.uint8)])
        assert run.done[0] == n * size
        assert run.endings[0].ravel().tolist() == [sum(range(n))] * 112
        assert run.digest == sum(range(n))
    assert codes.tobytes() == b"".join(one_chunk(number, size).codes for number in range(n))
    return n


@pytest.mark.skipif(sys.platform == "win32", reason="no limit for the size of a file")
@pytest.mark.parametrize("file_size", [2_000, 14_000, 100_000, 300_000, 1_000_000, 3_000_000])
def test_a_disk_that_is_full_is_told_in_a_line_and_what_was_committed_is_gone_on_with(
    tmp_path: Path, file_size: int
) -> None:
    size = 50_000
    with writing(tmp_path, file_size, size) as child:
        *numbers, message = child.communicate()[0].splitlines()
    assert "File too large" in message and str(tmp_path / RUN_FILE) in message
    if not numbers:
        assert list(tmp_path.iterdir()) == []  # a run that could not be made leaves nothing
        return
    n = check_run(tmp_path, size)
    assert n - len(numbers) in (0, 1)  # the last one may be kept although the file could not be tidied up after it
    with RunWriter.reopen(tmp_path) as writer:
        writer.begin_session(SESSION)
        for number in range(n, n + 3):
            writer.add(one_chunk(number, size), elapsed=1.0)
    assert check_run(tmp_path, size) == n + 3


@pytest.mark.parametrize("size", [10, 20_000])
def test_a_run_that_is_killed_at_any_moment_is_read_and_gone_on_with(tmp_path: Path, size: int) -> None:
    moments = random.Random(size)
    n = 0
    for _ in range(5):
        with writing(tmp_path, 0, size, n) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(moments.uniform(0, 0.3))
            child.kill()
            told = child.stdout.read().split()
        committed = check_run(tmp_path, size)
        assert committed > n
        assert not told or int(told[-1]) <= committed <= int(told[-1]) + 1
        n = committed


@pytest.mark.parametrize("kept", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(tmp_path: Path, kept: float) -> None:
    write(tmp_path, chunks_of(deal_codes(), (7, 7, 7)))
    path = tmp_path / RUN_FILE
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(RunFileError, match="damaged") as caught, open_run(tmp_path) as run:
        run.counts.sum()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + bytes(4096), bytes(100_000)])
def test_what_is_no_database_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / RUN_FILE).write_bytes(content)
    for opening in (open_run, RunWriter.reopen):
        with pytest.raises(RunFileError, match=r"damaged|not one of a run") as caught:
            opening(tmp_path)
        assert "\n" not in str(caught.value)


def test_a_run_in_which_deals_are_missing_is_damaged(tmp_path: Path) -> None:
    first, _, third, *_ = chunks_of(deal_codes(), (100, 100, 100))
    write(tmp_path, [first, third])
    with open_run(tmp_path) as run, pytest.raises(RunFileError, match="pairing 0 it has 200 deals of the first 300"):
        run.done  # noqa: B018 - reading it is the test


@pytest.mark.parametrize(
    ("version", "words"),
    [(SCHEMA_VERSION + 1, "newer sixtysix .* update the package"), (1, "older sixtysix .* --replace")],
)
def test_another_schema_is_refused(tmp_path: Path, version: int, words: str) -> None:
    write(tmp_path, [])
    with duckdb.connect(tmp_path / RUN_FILE) as database:
        database.execute("UPDATE run SET schema_version = ?", (version,))
        database.execute("ALTER TABLE run DROP COLUMN record")
    for opening in (open_run, RunWriter.reopen):
        with pytest.raises(RunFileError, match=words):
            opening(tmp_path)


def test_another_database_is_refused(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / RUN_FILE) as database:
        database.execute("CREATE TABLE sheep (name VARCHAR)")
    for opening in (open_run, RunWriter.reopen):
        with pytest.raises(RunFileError, match="not one of a run"):
            opening(tmp_path)


def test_a_run_that_another_process_writes_is_busy(tmp_path: Path) -> None:
    with writing(tmp_path, 0, 10) as other:
        assert other.stdout is not None
        other.stdout.readline()
        for opening in (open_run, RunWriter.reopen):
            with pytest.raises(RunBusyError, match=r"in use by another process, which .* wait .* or stop it") as caught:
                opening(tmp_path)
            assert caught.value.status is ExitStatus.BUSY
        other.kill()
        other.communicate()
    open_run(tmp_path).close()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    write(tmp_path, [])
    (tmp_path / RUN_FILE).chmod(0)
    with pytest.raises(RunFileError, match="Permission denied"):
        open_run(tmp_path)


def test_a_closed_run_is_one_file(tmp_path: Path) -> None:
    write(tmp_path, chunks_of(deal_codes(), (7, 7, 7)))
    assert not (tmp_path / WAL_FILE).exists()
