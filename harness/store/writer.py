"""Write a run: its head once, then one transaction a chunk."""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import duckdb
import numpy as np
import numpy.typing as npt

from harness.errors import RunFileError
from harness.paths import shown
from harness.play.codes import HAND_DTYPE
from harness.store.rows import RUN_FILE, WAL_FILE, ChunkRow, FaultRow, RunHead, SessionRow
from harness.store.schema import (
    DEALS_A_ROW,
    SCHEMA_VERSION,
    TABLES,
    first_line,
    make_database,
    reopen_database,
)
from harness.store.views import VIEWS

_Columns = Mapping[str, npt.NDArray[Any]]

_INSERT_CODES = f"INSERT INTO codes SELECT ?, ? + {DEALS_A_ROW} * unnest(range(?)), unnest(?::BLOB[])"
_INSERT_FAULTS = """
    INSERT INTO faults SELECT * FROM columns
    WHERE (pairing, deal, half) NOT IN (
        SELECT (pairing, deal, half) FROM faults WHERE pairing = ? AND deal BETWEEN ? AND ?
    )
"""
"""Only the deals at hand are looked at: a list of all faults of a long run would not fit into the memory."""
_FAULTS_IN_MEMORY = 20_000
_INSERT_HANDS = """
    INSERT INTO hands
    SELECT
        ?, deal, half, points, how, first_trick_points, second_trick_points, first_tricks, second_tricks, n_actions,
        closer, {actions}
    FROM columns
"""


class RunWriter:
    """The database of a run that is being played; a context manager, made by `create` or `reopen`.

    Every method raises RunFileError if the file cannot be written. What had been committed before is kept, and can be
    read and gone on with once the writer is closed.
    """

    def __init__(self, path: Path, database: duckdb.DuckDBPyConnection):
        self._path = path
        self._database = database
        self._session: int | None = None
        self._n_faults = 0

    @classmethod
    def create(cls, folder: Path, head: RunHead) -> Self:
        """Make the database of a new run in its folder, which has none yet.

        Raises
        ------
        RunFileError
            There is one, or it cannot be made; nothing is left of it then.

        """
        path = folder / RUN_FILE
        if path.exists():
            raise RunFileError(f"{path} exists already, so that no run can be made there")
        try:
            with ExitStack() as on_failure:
                writer = cls(path, make_database(path, head.record))
                on_failure.callback(writer.close)
                writer._write_head(head)
                on_failure.pop_all()
        except BaseException:
            for name in (RUN_FILE, WAL_FILE):
                (folder / name).unlink(missing_ok=True)
            raise
        return writer

    @classmethod
    def reopen(cls, folder: Path) -> Self:
        """Open the database of a run to go on with it.

        Raises
        ------
        UsageError
            The folder is not one of a run.
        RunBusyError
            Another process has it open.
        RunFileError
            The database is damaged, from another version, or cannot be written.

        """
        with ExitStack() as on_failure:
            writer = cls(folder / RUN_FILE, reopen_database(folder))
            on_failure.callback(writer.close)
            writer._execute("CHECKPOINT")  # what a killed process has left half written is gone after this
            on_failure.pop_all()
        return writer

    def begin_session(self, session: SessionRow) -> None:
        """Note that a stretch of play begins; the chunks that follow belong to it."""
        self._execute(
            "INSERT INTO sessions SELECT count(*), ?, ?, ?, ? FROM sessions",
            _now(),
            json.dumps(dict(session.versions)),
            json.dumps(dict(session.machine)),
            json.dumps(session.sources),
        )
        ((self._session,),) = self._execute("SELECT max(number) FROM sessions")

    def grow(self, head: RunHead) -> None:
        """Replace name and config by those of `head`, and add its agents and pairings whose numbers are new."""
        self._execute("BEGIN")
        self._execute(
            "UPDATE run SET name = ?, config = ?, config_digest = ?",
            head.name,
            json.dumps(head.config),
            head.config_digest,
        )
        self._add_players(head)
        self._execute("COMMIT")

    def add(self, chunk: ChunkRow, elapsed: float) -> None:
        """Commit a chunk; once this returns it is kept, whatever happens to the run.

        Parameters
        ----------
        chunk
            What has been played; of its faults those that `add_faults` has written are left out.
        elapsed
            Seconds since the session began.

        """
        self._execute("BEGIN")
        self._execute(
            f"INSERT INTO chunks VALUES ({', '.join('?' * 11)})",
            chunk.number,
            self._session,
            chunk.pairing,
            chunk.first_deal,
            chunk.n_deals,
            np.frombuffer(chunk.endings, "<i8").tolist(),
            chunk.digest,
            chunk.worker,
            chunk.seconds,
            chunk.moves,
            elapsed,
        )
        parts = [chunk.codes[at : at + DEALS_A_ROW] for at in range(0, chunk.n_deals, DEALS_A_ROW)]
        self._execute(_INSERT_CODES, chunk.pairing, chunk.first_deal, len(parts), parts)
        if chunk.faults:
            self._insert_faults(chunk.pairing, chunk.faults)
        if chunk.hands:
            columns = _hand_columns(chunk)
            actions = "actions" if "actions" in columns else "NULL"
            self._execute(_INSERT_HANDS.format(actions=actions), chunk.pairing, columns=columns)
        self._execute("COMMIT")
        self._make_room()

    def add_faults(self, faults: Sequence[FaultRow]) -> None:
        """Commit faults in one pairing before the chunk of their hands; once for a hand, however often it is told."""
        self._insert_faults(faults[0].pairing, faults)
        self._make_room()

    def stop(self, n_deals: int) -> None:
        """Note that the stop rule of the config has ended the run after so many deals."""
        self._execute("UPDATE run SET stopped = ?", n_deals)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _insert_faults(self, pairing: int, faults: Sequence[FaultRow]) -> None:
        """Add faults of a pairing but for those of hands that have one."""
        columns = _fault_columns(faults)
        first, last = int(columns["deal"].min()), int(columns["deal"].max())
        self._execute(_INSERT_FAULTS, pairing, first, last, columns=columns)
        self._n_faults += len(faults)

    def _make_room(self) -> None:
        """Write faults out of the memory, where DuckDB has no room for hundreds of thousands of small additions."""
        if self._n_faults >= _FAULTS_IN_MEMORY:
            self._execute("CHECKPOINT")
            self._n_faults = 0

    def _write_head(self, head: RunHead) -> None:
        self._execute("BEGIN")
        for statement in (*TABLES, *VIEWS):
            self._execute(statement)
        self._execute(
            "INSERT INTO run VALUES (?, ?, ?, ?, ?, NULL, ?)",
            SCHEMA_VERSION,
            head.name,
            json.dumps(head.config),
            head.config_digest,
            head.record,
            _now(),
        )
        self._add_players(head)
        self._execute("COMMIT")

    def _add_players(self, head: RunHead) -> None:
        """Add the agents and pairings that are not there, by their numbers."""
        agents = {number for (number,) in self._execute("SELECT number FROM agents")}
        for a in head.agents:
            if a.number not in agents:
                self._execute("INSERT INTO agents VALUES (?, ?, ?, ?, ?)", a.number, a.name, a.text, a.kind, a.source)
        pairings = {number for (number,) in self._execute("SELECT number FROM pairings")}
        for p in head.pairings:
            if p.number not in pairings:
                self._execute("INSERT INTO pairings VALUES (?, ?, ?)", p.number, p.first_agent, p.second_agent)

    def _execute(self, statement: str, *values: object, columns: _Columns | None = None) -> list[Any]:
        """Execute a statement, which finds `columns` as a table of that name."""
        try:
            return self._database.execute(statement, values).fetchall()
        except duckdb.Error as error:
            raise RunFileError(f"{self._path} cannot be written: {first_line(error)}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _fault_columns(faults: Sequence[FaultRow]) -> _Columns:
    return {
        "pairing": np.array([fault.pairing for fault in faults], np.int32),
        "deal": np.array([fault.deal for fault in faults], np.int64),
        "half": np.array([fault.half for fault in faults], np.uint8),
        "side": np.array([fault.side for fault in faults], np.uint8),
        "kind": np.array([str(fault.kind) for fault in faults], object),
        "what": np.array([shown(fault.what) for fault in faults], object),
        "story": np.array([shown(fault.story) for fault in faults], object),
    }


def _hand_columns(chunk: ChunkRow) -> _Columns:
    hands = np.frombuffer(chunk.hands, HAND_DTYPE)
    number = np.arange(len(hands))
    columns: dict[str, npt.NDArray[Any]] = {
        "deal": chunk.first_deal + (number >> 1),
        "half": (number & 1).astype(np.uint8),
        "first_trick_points": hands["trick_points"][:, 0],
        "second_trick_points": hands["trick_points"][:, 1],
        "first_tricks": hands["tricks"][:, 0],
        "second_tricks": hands["tricks"][:, 1],
        **{name: hands[name] for name in ("points", "how", "n_actions", "closer")},
    }
    if chunk.actions:
        ends = np.cumsum(hands["n_actions"], dtype=np.int64).tolist()
        histories = np.empty(len(hands), object)
        histories[:] = [chunk.actions[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        columns["actions"] = histories
    return {name: np.ascontiguousarray(column) for name, column in columns.items()}
