"""A run's database: what is written is read back, and what is damaged is refused with a clear error."""

import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import numpy.typing as npt
import pytest

from harness.errors import RunFileError, UsageError
from harness.store import reader
from harness.store.reader import open_run
from harness.store.rows import RUN_FILE, AgentRow, ChunkRow, PairingRow, RunHead
from harness.store.schema import SCHEMA_VERSION
from harness.store.writer import RunWriter

N_DEALS = 1000
NUMBERS = (0, 1, 3)
HEAD = RunHead(
    name="a test",
    config={"deals": N_DEALS, "anchor": "b", "rules": {"nines": True}},
    config_digest="ab" * 32,
    versions={"sixtysix": "0.1.0"},
    machine={"cores": 2, "system": "here"},
    agents=(AgentRow(0, "a", "a:x=1", "compiled"), AgentRow(1, "b", "b", "Python"), AgentRow(2, "c", "c", "Python")),
    pairings=(PairingRow(0, 0, 1), PairingRow(1, 0, 2), PairingRow(3, 0, 1)),
)


def deal_codes() -> npt.NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 49, (len(NUMBERS), N_DEALS)).astype(np.uint8)


def chunks_of(codes: npt.NDArray[np.uint8], sizes: tuple[int, ...]) -> list[ChunkRow]:
    """Cut codes into chunks of one size for each pairing; the endings and digests tell the chunks apart."""
    chunks: list[ChunkRow] = []
    for row, size in enumerate(sizes):
        for first_deal in range(0, codes.shape[1], size):
            part = codes[row, first_deal : first_deal + size]
            endings = np.arange(112, dtype="<i8") * (row + 1)
            number = len(chunks)
            chunks.append(
                ChunkRow(
                    number,
                    NUMBERS[row],
                    first_deal,
                    len(part),
                    part.tobytes(),
                    endings.tobytes(),
                    2**62 + number,
                    0,
                    0.5,
                )
            )
    return chunks


def write(folder: Path, chunks: list[ChunkRow], seconds: float | None = None) -> None:
    folder.mkdir(exist_ok=True)
    with RunWriter(folder, HEAD) as writer:
        for chunk in chunks:
            writer.add(chunk)
        if seconds is not None:
            writer.finish(seconds)


def test_a_run_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    codes = deal_codes()
    chunks = chunks_of(codes, (1000, 300, 7))
    write(tmp_path, chunks, seconds=1.5)
    with open_run(tmp_path) as run:
        assert (run.name, run.config, run.config_digest) == (HEAD.name, HEAD.config, HEAD.config_digest)
        assert (run.versions, run.machine, run.seconds) == (HEAD.versions, HEAD.machine, 1.5)
        assert (run.agent_rows, run.pairing_rows) == (HEAD.agents, HEAD.pairings)
        assert (run.agents, run.pairings, run.anchor) == (("a", "b", "c"), ((0, 1), (0, 2), (0, 1)), "b")
        assert run.complete
        assert run.digest == sum(chunk.digest for chunk in chunks) % 2**64
        assert run.counts.tolist() == [np.bincount(row, minlength=49).tolist() for row in codes]
        n_chunks = [1, 4, 143]
        for row in range(3):
            assert run.endings[row].ravel().tolist() == [i * (row + 1) * n_chunks[row] for i in range(112)]
        assert np.array_equal(np.concatenate(list(run.blocks()), axis=1), codes)


@pytest.mark.parametrize("block_bytes", [1, 3 * 64, 3 * 333, 1 << 22])
@pytest.mark.parametrize("sizes", [(64, 64, 64), (100, 33, 7)])
def test_blocks_cover_every_deal_once_whatever_their_size(
    tmp_path: Path, block_bytes: int, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_BLOCK_BYTES", block_bytes)
    codes = deal_codes()
    write(tmp_path, chunks_of(codes, sizes))
    with open_run(tmp_path) as run:
        blocks = list(run.blocks())
    assert np.array_equal(np.concatenate(blocks, axis=1), codes)
    longest = max(block.shape[1] for block in blocks)
    assert longest == min(N_DEALS, max(1, block_bytes // 3))


def test_deals_that_a_pairing_has_not_played_are_255(tmp_path: Path) -> None:
    codes = deal_codes()
    chunks = [c for c in chunks_of(codes, (100, 100, 100)) if not (c.pairing == 1 and c.first_deal >= 200)]
    write(tmp_path, chunks)
    with open_run(tmp_path) as run:
        assert not run.complete
        assert run.seconds is None
        codes[1, 200:] = 255
        assert np.array_equal(np.concatenate(list(run.blocks()), axis=1), codes)
        assert run.counts.sum(axis=1).tolist() == [1000, 200, 1000]


@pytest.mark.slow
def test_a_long_run_is_written_and_read_in_little_memory(tmp_path: Path) -> None:
    """A hundred million deals; the process that writes and reads them stays below 200 MB."""
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "import numpy as np\n"
        "from harness.store.reader import open_run\n"
        "from harness.store.rows import ChunkRow\n"
        "from harness.store.writer import RunWriter\n"
        "from tests.store.test_run_file import HEAD\n"
        "folder, n = Path(sys.argv[1]), 32768\n"
        "codes = np.random.default_rng(1).integers(0, 49, n).astype(np.uint8).tobytes()\n"
        "with RunWriter(folder, HEAD) as writer:\n"
        "    for i in range(3000): writer.add(ChunkRow(i, 0, i * n, n, codes, bytes(896), i, 0, 0.1))\n"
        "with open_run(folder) as run:\n"
        "    print(run.counts.sum(), sum((block[0] != 255).sum() for block in run.blocks()))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    counted, streamed, kilobytes = map(int, run.stdout.split())
    assert counted == streamed == 3000 * 32768
    assert kilobytes < 200_000


def test_a_run_without_a_chunk_is_empty(tmp_path: Path) -> None:
    write(tmp_path, [])
    with open_run(tmp_path) as run:
        assert list(run.blocks()) == []
        assert (run.counts.sum(), run.endings.sum(), run.digest, run.complete) == (0, 0, 0, False)


def test_two_queries_may_be_read_at_the_same_time(tmp_path: Path) -> None:
    codes = deal_codes()
    write(tmp_path, chunks_of(codes, (5, 5, 5)))
    with open_run(tmp_path) as run:
        for _ in run.blocks():
            assert run.counts.sum() == codes.size


def test_what_is_committed_outlives_a_process_that_is_killed(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from tests.store.test_run_file import HEAD, chunks_of, deal_codes\n"
        "from harness.store.writer import RunWriter\n"
        "writer = RunWriter(Path(sys.argv[1]), HEAD)\n"
        "for chunk in chunks_of(deal_codes(), (100, 100, 100))[:12]: writer.add(chunk)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    with open_run(tmp_path) as run:
        assert run.counts.sum(axis=1).tolist() == [1000, 200, 0]


@pytest.mark.parametrize("kept", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_truncated_file_is_refused(tmp_path: Path, kept: float) -> None:
    write(tmp_path, chunks_of(deal_codes(), (7, 7, 7)), seconds=1.0)
    path = tmp_path / RUN_FILE
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * kept)])
    with pytest.raises(RunFileError, match="damaged") as caught, open_run(tmp_path) as run:
        run.counts.sum()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    write(tmp_path, [])
    with duckdb.connect(tmp_path / RUN_FILE) as database:
        database.execute(f"UPDATE run SET schema_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(RunFileError, match=r"newer sixtysix .* update the package"):
        open_run(tmp_path)


def test_another_database_is_refused(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / RUN_FILE) as database:
        database.execute("CREATE TABLE sheep (name VARCHAR)")
    with pytest.raises(RunFileError, match="not one of a run"):
        open_run(tmp_path)


def test_a_run_that_another_process_writes_is_refused(tmp_path: Path) -> None:
    write(tmp_path, [])
    code = (
        "import sys, duckdb\n"
        "database = duckdb.connect(sys.argv[1])\n"
        "database.execute('UPDATE run SET seconds = 1')\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    arguments = [sys.executable, "-c", code, str(tmp_path / RUN_FILE)]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(RunFileError, match="in use by another process"):
            open_run(tmp_path)
        other.communicate()
    open_run(tmp_path).close()


@pytest.mark.parametrize("name", ["nowhere", "empty", "file"])
def test_a_folder_without_a_run_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"run\.duckdb"):
        open_run(tmp_path / name)


def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="cannot be made"):
        RunWriter(tmp_path / "nowhere", HEAD)
