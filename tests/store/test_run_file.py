"""A run's database: what is written is read back."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.agent_api.faults import FAULT_KINDS, FaultKind
from harness.errors import RunFileError, UsageError
from harness.store import reader
from harness.store.reader import open_run
from harness.store.rows import RUN_FILE, AgentRow, ChunkRow, FaultRow, PairingRow, SessionRow
from harness.store.writer import RunWriter
from tests.store.made_up import HEAD, N_DEALS, SESSION, chunks_of, deal_codes, fault, hands_of, write


def test_a_run_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    codes = deal_codes()
    chunks = chunks_of(codes, (1000, 300, 7))
    write(tmp_path, chunks)
    with open_run(tmp_path) as run:
        assert (run.name, run.config, run.config_digest) == (HEAD.name, HEAD.config, HEAD.config_digest)
        assert (run.record, run.sessions) == ("none", (SESSION,))
        assert (run.versions, run.machine, run.seconds) == (SESSION.versions, SESSION.machine, 0.25 * 148)
        assert (run.agent_rows, run.pairing_rows) == (HEAD.agents, HEAD.pairings)
        assert (run.agents, run.pairings, run.anchor) == (("a", "b", "c"), ((0, 1), (0, 2), (0, 1)), "b")
        assert run.complete
        assert (run.done, run.next_chunk, run.lost) == ({0: N_DEALS, 1: N_DEALS, 3: N_DEALS}, 148, [])
        assert run.digest == sum(chunk.digest for chunk in chunks) % 2**64
        assert run.counts.tolist() == [np.bincount(row, minlength=49).tolist() for row in codes]
        n_chunks = [1, 4, 143]
        for row in range(3):
            assert run.endings[row].ravel().tolist() == [i * (row + 1) * n_chunks[row] for i in range(112)]
        assert np.array_equal(np.concatenate(list(run.blocks()), axis=1), codes)


def test_codes_are_counted_by_the_worker_that_played_them(tmp_path: Path) -> None:
    codes = deal_codes()
    chunks = [
        dataclasses.replace(chunk, worker=(0, 3, 1)[n % 3]) for n, chunk in enumerate(chunks_of(codes, (400, 300, 7)))
    ]
    write(tmp_path, chunks)
    with open_run(tmp_path) as run:
        assert run.worker_counts.shape == (3, 3, 49)
        assert np.array_equal(run.worker_counts.sum(axis=0), run.counts)
        for row, number in enumerate((0, 1, 3)):
            assert run.pairing_seconds[row] == pytest.approx(sum(c.seconds for c in chunks if c.pairing == number))
            assert run.pairing_moves[row].tolist() == [3 * codes.shape[1], 5 * codes.shape[1]]
        for place, worker in enumerate((0, 1, 3)):
            for row, number in enumerate((0, 1, 3)):
                mine = b"".join(c.codes for c in chunks if (c.worker, c.pairing) == (worker, number))
                assert run.worker_counts[place, row].tolist() == [mine.count(code) for code in range(49)]


def test_a_run_that_has_played_nothing_has_no_workers(tmp_path: Path) -> None:
    write(tmp_path, [])
    with open_run(tmp_path) as run:
        assert run.worker_counts.shape == (0, 3, 49)


def test_a_chunk_of_many_rows_of_codes_is_that_of_one_worker(tmp_path: Path) -> None:
    codes = np.random.default_rng(2).integers(0, 49, (3, 5000)).astype(np.uint8)
    chunks = [dataclasses.replace(chunk, worker=chunk.number % 2) for chunk in chunks_of(codes, (2500, 4999, 5000))]
    write(tmp_path, chunks)
    with open_run(tmp_path) as run:
        assert np.array_equal(run.worker_counts.sum(axis=0), run.counts)
        assert run.worker_counts[0, 0].tolist() == np.bincount(codes[0, :2500], minlength=49).tolist()


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
        assert (run.done, run.next_chunk) == ({0: 1000, 1: 200, 3: 1000}, 30)
        codes[1, 200:] = 255
        assert np.array_equal(np.concatenate(list(run.blocks()), axis=1), codes)
        assert run.counts.sum(axis=1).tolist() == [1000, 200, 1000]


def test_a_run_is_gone_on_with_in_sessions_whose_times_add_up(tmp_path: Path) -> None:
    codes = deal_codes()
    chunks = chunks_of(codes, (500, 500, 500))
    write(tmp_path, chunks[:2])
    later = SessionRow({"sixtysix": "0.2.0"}, {"cores": 8})
    for part in (chunks[2:5], chunks[5:]):
        with RunWriter.reopen(tmp_path) as writer:
            writer.begin_session(later)
            for number, chunk in enumerate(part):
                writer.add(chunk, elapsed=10.0 * (number + 1))
    with open_run(tmp_path) as run:
        assert run.sessions == (SESSION, later, later)
        assert (run.versions, run.machine) == (later.versions, later.machine)
        assert run.complete
        assert run.seconds == 0.5 + 30 + 10
        assert np.array_equal(np.concatenate(list(run.blocks()), axis=1), codes)


def test_a_session_without_a_chunk_and_a_run_without_a_session_are_no_trouble(tmp_path: Path) -> None:
    with RunWriter.create(tmp_path, HEAD):
        pass
    with open_run(tmp_path) as run:
        assert (run.sessions, run.versions, run.machine) == ((), {}, {})
    for _ in range(2):
        with RunWriter.reopen(tmp_path) as writer:
            writer.begin_session(SESSION)
    with open_run(tmp_path) as run:
        assert (run.sessions, run.next_chunk, run.seconds) == ((SESSION, SESSION), 0, None)


def test_a_run_grows_by_agents_and_deals_and_is_complete_when_these_are_played(tmp_path: Path) -> None:
    codes = deal_codes()
    chunks = chunks_of(codes, (500, 500, 500))
    write(tmp_path, chunks)
    grown = dataclasses.replace(
        HEAD,
        name="a longer test",
        config={**HEAD.config, "deals": 1500},
        config_digest="cd" * 32,
        agents=(*HEAD.agents, AgentRow(3, "d", "d", "compiled")),
        pairings=(*HEAD.pairings, PairingRow(4, 1, 3)),
    )
    with RunWriter.reopen(tmp_path) as writer:
        writer.grow(grown)
        writer.grow(grown)
    with open_run(tmp_path) as run:
        assert (run.name, run.config, run.config_digest) == (grown.name, grown.config, grown.config_digest)
        assert (run.agent_rows, run.pairing_rows) == (grown.agents, grown.pairings)
        assert (run.done, run.complete, run.record) == ({0: 1000, 1: 1000, 3: 1000, 4: 0}, False, "none")
    with RunWriter.reopen(tmp_path) as writer:
        writer.begin_session(SESSION)
        for number, (pairing, first_deal) in enumerate([(0, 1000), (1, 1000), (3, 1000), (4, 0), (4, 500), (4, 1000)]):
            more = dataclasses.replace(chunks[0], number=6 + number, pairing=pairing, first_deal=first_deal)
            writer.add(more, elapsed=1.0)
    with open_run(tmp_path) as run:
        assert run.complete
        assert (set(run.done.values()), run.next_chunk) == ({1500}, 12)


def test_faults_are_kept_with_their_chunk_and_counted_by_side_and_kind(tmp_path: Path) -> None:
    rows = (
        fault(3),
        fault(3, half=1, side=1),
        FaultRow(0, 4, 0, 0, "move-time", 'sent "\udcff\x00", and more\nof it', ""),
    )
    chunk = dataclasses.replace(chunks_of(deal_codes(), (1000, 1000, 1000))[0], faults=rows)
    write(tmp_path, [chunk])
    with open_run(tmp_path) as run:
        expected = np.zeros((3, 2, len(FAULT_KINDS)), np.int64)
        expected[0, 0, FAULT_KINDS.index(FaultKind.CRASH)] = 1
        expected[0, 1, FAULT_KINDS.index(FaultKind.CRASH)] = 1
        expected[0, 0, FAULT_KINDS.index(FaultKind.MOVE_TIME)] = 1
        assert np.array_equal(run.faults, expected)
        read = dataclasses.replace(rows[2], what='sent "?\x00", and more\nof it')
        assert run.fault_rows(10) == [rows[0], rows[1], read]
        assert run.fault_rows(1) == [rows[0]]
        assert run.fault_of(0, 3, 1) == rows[1]
        assert run.fault_of(0, 4, 1) is None


def test_a_fault_known_ahead_is_a_fact_that_is_kept_once(tmp_path: Path) -> None:
    chunks = chunks_of(deal_codes(), (500, 500, 500))
    ahead = fault(700, half=1, side=1)
    write(tmp_path, chunks[:1])
    with RunWriter.reopen(tmp_path) as writer:
        writer.add_faults([ahead])
        writer.add_faults([dataclasses.replace(ahead, what="again")])
    with open_run(tmp_path) as run:
        assert (run.lost, run.faults.sum(), run.fault_rows(9)) == ([(0, 700, 1, 1)], 0, [ahead])
    with RunWriter.reopen(tmp_path) as writer:
        writer.begin_session(SESSION)
        writer.add(dataclasses.replace(chunks[1], faults=(fault(600), ahead)), elapsed=1.0)
        writer.add_faults([ahead])
    with open_run(tmp_path) as run:
        assert (run.lost, run.faults.sum(), run.fault_rows(9)) == ([], 2, [fault(600), ahead])


@pytest.mark.parametrize("record", ["hands", "actions"])
def test_recorded_hands_are_kept_with_their_chunk(tmp_path: Path, record: str) -> None:
    generator = np.random.default_rng(2)
    (chunk, *_) = chunks_of(deal_codes(), (1000, 1000, 1000))
    histories = [generator.integers(0, 128, generator.integers(0, 48)).astype(np.uint8).tobytes() for _ in range(2000)]
    hands, actions = hands_of(chunk, histories)
    chunk = dataclasses.replace(chunk, hands=hands, actions=actions if record == "actions" else b"")
    write(tmp_path, [chunk], dataclasses.replace(HEAD, record=record))
    with open_run(tmp_path) as run:
        assert run.record == record
        for hand in (0, 1, 2, 777, 1999):
            kept = run.hand_actions(0, hand // 2, hand % 2)
            assert kept == (histories[hand] if record == "actions" else None)
        assert run.hand_actions(0, 1000, 0) is None
        assert run.hand_actions(1, 0, 0) is None


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the peak of memory")
def test_a_long_run_is_written_and_read_in_little_memory(tmp_path: Path) -> None:
    """A hundred million deals; the process that writes and reads them stays below 200 MB."""
    code = (
        "import re, sys\n"
        "from pathlib import Path\n"
        "import numpy as np\n"
        "from harness.store.reader import open_run\n"
        "from harness.store.rows import ChunkRow\n"
        "from harness.store.writer import RunWriter\n"
        "from tests.store.made_up import HEAD, SESSION\n"
        "folder, n = Path(sys.argv[1]), 32768\n"
        "codes = np.random.default_rng(1).integers(0, 49, n).astype(np.uint8).tobytes()\n"
        "with RunWriter.create(folder, HEAD) as writer:\n"
        "    writer.begin_session(SESSION)\n"
        "    for i in range(3000):\n"
        "        writer.add(ChunkRow(i, 0, i * n, n, codes, bytes(896), i, 0, 0.1, (n, n)), 0.1 * i)\n"
        "with open_run(folder) as run:\n"
        "    print(run.counts.sum(), sum((block[0] != 255).sum() for block in run.blocks()))\n"
        # getrusage would also count the process that this one was forked from
        "print(re.search(r'VmHWM:\\s+(\\d+)', Path('/proc/self/status').read_text())[1])\n"
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
        assert (run.next_chunk, run.faults.sum(), run.fault_rows(5), run.lost) == (0, 0, [], [])


def test_two_queries_may_be_read_at_the_same_time(tmp_path: Path) -> None:
    codes = deal_codes()
    write(tmp_path, chunks_of(codes, (5, 5, 5)))
    with open_run(tmp_path) as run:
        for _ in run.blocks():
            assert run.counts.sum() == codes.size


@pytest.mark.parametrize("name", ["nowhere", "empty", "file"])
def test_a_folder_without_a_run_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match=r"run\.duckdb"):
        open_run(tmp_path / name)
    with pytest.raises(UsageError, match=r"run\.duckdb"):
        RunWriter.reopen(tmp_path / name)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["empty", "file"]


def test_no_run_is_made_where_one_is_or_where_none_can_be(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="cannot be made"):
        RunWriter.create(tmp_path / "nowhere", HEAD)
    write(tmp_path, [])
    with pytest.raises(RunFileError, match="exists already"):
        RunWriter.create(tmp_path, HEAD)
    assert (tmp_path / RUN_FILE).is_file()


def test_hundreds_of_thousands_of_faults_in_small_chunks_fit_into_the_memory(tmp_path: Path) -> None:
    """As those of a compiled agent that never acts legally; the database had no room for them after 240,000."""
    n_chunks, n_deals = 260, 550
    with RunWriter.create(tmp_path, HEAD) as writer:
        writer.begin_session(SESSION)
        for number in range(n_chunks):
            deals = range(number * n_deals, (number + 1) * n_deals)
            faults = tuple(FaultRow(0, deal, half, 0, "illegal", "chose a card") for deal in deals for half in (0, 1))
            endings = bytes(8 * 112)
            writer.add(ChunkRow(number, 0, deals[0], n_deals, bytes(n_deals), endings, 1, 0, 0.1, (0, 0), faults), 0.1)
            writer.add_faults([faults[0]])
    with open_run(tmp_path) as run:
        assert run.faults.sum() == 2 * n_chunks * n_deals
