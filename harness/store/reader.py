"""Read a run back: who played, the counts, and the deals block by block."""

import json
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import duckdb
import numpy as np
import numpy.typing as npt

from harness.agent_api.faults import FAULT_KINDS, FaultKind
from harness.errors import RunFileError
from harness.paths import why
from harness.play.codes import ENDINGS_SHAPE, N_CODES, NOT_PLAYED
from harness.store.rows import RUN_FILE, AgentRow, FaultRow, PairingRow, SessionRow
from harness.store.schema import DEALS_A_ROW, first_line, open_database, unreadable

_BLOCK_BYTES: Final = 1 << 22
_ROWS_AT_ONCE: Final = 1024
_COPY_MEMORY: Final = "512MB"
"""For columns of a file format, which are put together for a hundred thousand rows at a time."""
_REORDERING: Final = "join_order,build_side_probe_side"
"""What would turn the order of rows around where they are joined with names."""
_DIGEST_MASK: Final = (1 << 64) - 1
_FAULT: Final = "pairing, deal, half, side, kind, what, story"
_ENDINGS: Final = """
    SELECT pairing, cell, sum(n)::BIGINT
    FROM (SELECT pairing, unnest(range(112)) AS cell, unnest(endings) AS n FROM chunks)
    GROUP BY pairing, cell
"""
_FAULTS: Final = """
    faults f LEFT JOIN (
        SELECT pairing, max(first_deal + n_deals) AS n FROM chunks GROUP BY pairing
    ) p ON p.pairing = f.pairing, LATERAL (SELECT coalesce(p.n, 0) AS played)
"""


class StoredRun:
    """A run as its database tells it; a context manager. Made by `open_run`.

    Attributes
    ----------
    folder
        Folder of the run.
    name, config, config_digest, record
        As in `harness.store.rows.RunHead`.
    stopped
        Deals after which the rule of the config has ended the run; None if none has.
    started
        When the run was made, in UTC.
    sessions
        The stretches in which it was played, the last one last.
    agent_rows, pairing_rows
        Agents and pairings in the order of their numbers; the arrays below have one row a pairing in this order.

    """

    name: str
    config: dict[str, Any]
    config_digest: str
    record: str
    stopped: int | None
    started: datetime

    def __init__(self, folder: Path):
        self.folder = folder
        self._path = folder / RUN_FILE
        self._database = open_database(folder)
        try:
            self._read_head()
        except BaseException:
            self.close()
            raise

    def _read_head(self) -> None:
        ((self.name, config, self.config_digest, self.record, self.stopped, self.started),) = self._rows(
            "SELECT name, config, config_digest, record, stopped, started FROM run"
        )
        self.config = json.loads(config)
        self.sessions = tuple(
            SessionRow(json.loads(versions), json.loads(machine), tuple(json.loads(sources)))
            for versions, machine, sources in self._rows(
                "SELECT versions, machine, sources FROM sessions ORDER BY number"
            )
        )
        self.agent_rows = tuple(AgentRow(*row) for row in self._rows("SELECT * FROM agents ORDER BY number"))
        self.pairing_rows = tuple(PairingRow(*row) for row in self._rows("SELECT * FROM pairings ORDER BY number"))
        self._row_of = {pairing.number: row for row, pairing in enumerate(self.pairing_rows)}

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the agents, each a different one."""
        return tuple(agent.name for agent in self.agent_rows)

    @property
    def pairings(self) -> tuple[tuple[int, int], ...]:
        """First and second agent of each pairing, as places in `agents`."""
        return tuple((pairing.first_agent, pairing.second_agent) for pairing in self.pairing_rows)

    @property
    def anchor(self) -> str | None:
        """Name of the agent whose rating is fixed; None for the middle of the field."""
        anchor: str | None = self.config["anchor"]
        return anchor

    @property
    def versions(self) -> dict[str, str]:
        """Versions of what played the last session; empty before the first one."""
        return dict(self.sessions[-1].versions) if self.sessions else {}

    @property
    def machine(self) -> dict[str, str | int]:
        """Where the last session was played; empty before the first one."""
        return dict(self.sessions[-1].machine) if self.sessions else {}

    @property
    def changed_agents(self) -> tuple[str, ...]:
        """Names of the agents whose source file was not the same in all sessions."""
        return tuple(
            agent.name
            for agent in self.agent_rows
            if len({one.sources[agent.number] for one in self.sessions if agent.number < len(one.sources)}) > 1
        )

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often each deal code came, int64, shape (n_pairings, 49)."""
        return self._totals[0]

    @property
    def endings(self) -> npt.NDArray[np.int64]:
        """Hands by half, winning side, how they ended and game points, int64, shape (n_pairings, 2, 2, 7, 4)."""
        return self._totals[1]

    @property
    def digest(self) -> int:
        """Sum of all hands' hashes modulo 2**64: equal for equal play."""
        return self._totals[2]

    @property
    def complete(self) -> bool:
        """Whether every deal of every pairing has been played, or as many as the rule that ended the run wanted."""
        return self.stopped is not None or all(n == self.config["deals"] for n in self.done.values())

    @property
    def seconds(self) -> float | None:
        """How long the play took, all sessions together; None while the run is not complete."""
        if not self.complete:
            return None
        query = "SELECT coalesce(sum(s), 0) FROM (SELECT max(elapsed) AS s FROM chunks GROUP BY session)"
        ((seconds,),) = self._rows(query)
        return float(seconds)

    @property
    def work_seconds(self) -> float:
        """How long all workers together have played."""
        ((seconds,),) = self._rows("SELECT coalesce(sum(seconds), 0) FROM chunks")
        return float(seconds)

    @property
    def pairing_seconds(self) -> npt.NDArray[np.float64]:
        """How long all workers together have played each pairing, float64, shape (n_pairings,)."""
        seconds = np.zeros(len(self._row_of))
        for pairing, spent in self._rows("SELECT pairing, sum(seconds) FROM chunks GROUP BY pairing"):
            seconds[self._row_of[pairing]] = spent
        return seconds

    @property
    def pairing_moves(self) -> npt.NDArray[np.int64]:
        """Actions that the first and the second agent of each pairing were asked for, int64, shape (n_pairings, 2)."""
        moves = np.zeros((len(self._row_of), 2), np.int64)
        for pairing, *asked in self._rows("SELECT pairing, sum(moves[1]), sum(moves[2]) FROM chunks GROUP BY pairing"):
            moves[self._row_of[pairing]] = asked
        return moves

    @property
    def next_chunk(self) -> int:
        """Number of the first chunk that is still to be played."""
        ((number,),) = self._rows("SELECT coalesce(max(number) + 1, 0) FROM chunks")
        return int(number)

    @cached_property
    def done(self) -> dict[int, int]:
        """Deals that each pairing has played, by the pairing's number; they are the first ones, 0 to n - 1.

        Raises
        ------
        RunFileError
            Deals are missing in between, or are there twice.

        """
        done = dict.fromkeys(self._row_of, 0)
        for pairing, n, end in self._rows(
            "SELECT pairing, sum(n_deals)::BIGINT, max(first_deal + n_deals) FROM chunks GROUP BY pairing"
        ):
            if n != end or pairing not in done:
                raise RunFileError(f"{self._path} is damaged: of pairing {pairing} it has {n} deals of the first {end}")
            done[pairing] = n
        return done

    @cached_property
    def faults(self) -> npt.NDArray[np.int64]:
        """Forfeited hands among the deals that have been played, int64, shape (n_pairings, 2, len(FAULT_KINDS)).

        The second index is the side, the third one the kind's place in `harness.agent_api.faults.FAULT_KINDS`.
        """
        faults = np.zeros((len(self._row_of), 2, len(FAULT_KINDS)), np.int64)
        for pairing, side, kind, n in self._rows(
            f"SELECT f.pairing, side, kind, count(*) FROM {_FAULTS} WHERE deal < played GROUP BY ALL"
        ):
            faults[self._row_of[pairing], side, FAULT_KINDS.index(FaultKind(kind))] = n
        return faults

    @property
    def lost(self) -> list[tuple[int, int, int, int]]:
        """Faults of hands that are still to be played, known ahead: pairing, deal, half, side."""
        query = f"SELECT f.pairing, deal, half, side FROM {_FAULTS} WHERE deal >= played ORDER BY ALL"
        return [(pairing, deal, half, side) for pairing, deal, half, side in self._rows(query)]

    def fault_rows(self, limit: int) -> list[FaultRow]:
        """Return the first faults, by pairing, deal and half, at most `limit`; those known ahead are among them."""
        query = f"SELECT {_FAULT} FROM faults ORDER BY pairing, deal, half LIMIT ?::BIGINT"
        return [FaultRow(*row) for row in self._rows(query, limit)]

    def fault_of(self, pairing: int, deal: int, half: int) -> FaultRow | None:
        """Return the fault by which a hand was forfeited; None if it was not."""
        query = f"SELECT {_FAULT} FROM faults WHERE pairing = ? AND deal = ? AND half = ?"
        rows = [FaultRow(*row) for row in self._rows(query, pairing, deal, half)]
        return rows[0] if rows else None

    def hand_actions(self, pairing: int, deal: int, half: int) -> bytes | None:
        """Return the public history of a hand, a byte ``action | seat << 6`` each.

        Parameters
        ----------
        pairing, deal, half
            Number of the pairing, of the deal, and 0 or 1.

        Returns
        -------
        None where the run has not recorded it.

        """
        query = "SELECT actions FROM hands WHERE pairing = ? AND deal = ? AND half = ?"
        rows = list(self._rows(query, pairing, deal, half))
        return rows[0][0] if rows else None

    @cached_property
    def _totals(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
        counts = np.zeros((len(self._row_of), N_CODES), np.int64)
        endings = np.zeros((len(self._row_of), *ENDINGS_SHAPE), np.int64)
        for pairing, codes in self._rows("SELECT pairing, codes FROM codes"):
            counts[self._row_of[pairing]] += np.bincount(np.frombuffer(codes, np.uint8), minlength=N_CODES)
        for pairing, cell, hands in self._rows(_ENDINGS):
            endings[self._row_of[pairing]].flat[cell] = hands
        ((digest,),) = self._rows("SELECT coalesce(sum(digest), 0) FROM chunks")
        return counts, endings, digest & _DIGEST_MASK

    @cached_property
    def worker_counts(self) -> npt.NDArray[np.int64]:
        """How often each deal code came by the worker that played it, int64, shape (n_workers, n_pairings, 49).

        Workers of one number in several sessions are taken together.
        """
        query = "SELECT pairing, first_deal, worker FROM chunks ORDER BY pairing, first_deal"
        chunks = np.array(list(self._rows(query)), np.int64).reshape(-1, 3)
        workers, place = np.unique(chunks[:, 2], return_inverse=True)
        begins = {}
        for pairing in self._row_of:
            mine = slice(*np.searchsorted(chunks[:, 0], (pairing, pairing + 1)))
            begins[pairing] = (chunks[mine, 1], place[mine])
        counts = np.zeros((len(workers), len(self._row_of), N_CODES), np.int64)
        # No row of codes goes beyond the chunk that it was written with.
        for pairing, first_deal, codes in self._rows("SELECT pairing, first_deal, codes FROM codes"):
            first_deals, worker = begins[pairing]
            by = worker[np.searchsorted(first_deals, first_deal, side="right") - 1]
            counts[by, self._row_of[pairing]] += np.bincount(np.frombuffer(codes, np.uint8), minlength=N_CODES)
        return counts

    def blocks(self) -> Iterator[npt.NDArray[np.uint8]]:
        """Yield the deal codes of all pairings, block by block of consecutive deals.

        Yields
        ------
        uint8, shape (n_pairings, n)
            255 for a deal that a pairing has not played. However long the run is, a block holds a few million
            codes at most.

        """
        ((end,),) = self._rows("SELECT coalesce(max(first_deal + n_deals), 0) FROM chunks")
        step = max(1, _BLOCK_BYTES // len(self._row_of))
        for start in range(0, end, step):
            yield self._block(start, min(start + step, end))

    def _block(self, start: int, end: int) -> npt.NDArray[np.uint8]:
        """Return the codes of the deals `start` to `end` - 1."""
        block = np.full((len(self._row_of), end - start), NOT_PLAYED, np.uint8)
        rows = self._rows(
            "SELECT pairing, first_deal, codes FROM codes WHERE first_deal > ? AND first_deal < ?",
            start - DEALS_A_ROW,
            end,
        )
        for pairing, first_deal, codes in rows:
            inside = slice(max(start - first_deal, 0), end - first_deal)
            part = np.frombuffer(codes, np.uint8)[inside]
            at = max(first_deal - start, 0)
            block[self._row_of[pairing], at : at + len(part)] = part
        return block

    def copy(self, query: str, path: Path, options: str) -> int:
        """Write the rows of a query into a file, in their order and not all in memory; return how many there are.

        Parameters
        ----------
        query
            What is asked of the tables and views.
        path
            The file, which is replaced in one step when all rows are there.
        options
            Those of DuckDB's COPY.

        Raises
        ------
        RunFileError
            The file cannot be written, or the database cannot be read.

        """
        part = path.with_name(f"{path.name}.part")
        place = str(part.absolute()).replace("'", "''")
        try:
            cursor = self._database.cursor()
            cursor.execute(f"SET memory_limit = '{_COPY_MEMORY}'")
            cursor.execute(f"SET disabled_optimizers = '{_REORDERING}'")
            ((n_rows,),) = cursor.execute(f"COPY ({query}) TO '{place}' ({options}, USE_TMP_FILE false)").fetchall()
            part.replace(path)
        except duckdb.Error as error:
            raise RunFileError(f"{path} cannot be written from {self._path}: {first_line(error)}") from error
        except OSError as error:
            raise RunFileError(f"{path} cannot be written: {why(error)}") from error
        finally:
            part.unlink(missing_ok=True)
        return int(n_rows)

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, of which only few are in memory."""
        try:
            result = self._database.cursor().execute(query, values)
            while rows := result.fetchmany(_ROWS_AT_ONCE):
                yield from rows
        except duckdb.Error as error:
            raise unreadable(self._path, error) from error

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def open_run(folder: Path) -> StoredRun:
    """Open the run in a folder for reading.

    Raises
    ------
    UsageError
        The folder is not one of a run.
    RunBusyError
        Another process is writing it.
    RunFileError
        The database is damaged or from another version.

    """
    return StoredRun(folder)
