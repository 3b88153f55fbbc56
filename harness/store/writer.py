"""Write a run: its head once, then one transaction a chunk."""

import json
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb

from harness.errors import RunFileError
from harness.store.rows import RUN_FILE, ChunkRow, RunHead
from harness.store.schema import DEALS_A_ROW, SCHEMA_VERSION, TABLES, make_database

_INSERT_CODES = f"INSERT INTO codes SELECT ?, ? + {DEALS_A_ROW} * unnest(range(?)), unnest(?::BLOB[])"


class RunWriter:
    """The database of a run that is being played; a context manager.

    Parameters
    ----------
    folder
        Folder of the run, which has no database yet.
    head
        What is known before the first hand.

    Raises
    ------
    RunFileError
        Here and in every method: if the file cannot be written.

    """

    def __init__(self, folder: Path, head: RunHead):
        self._path = folder / RUN_FILE
        self._database = make_database(self._path)
        self._execute("BEGIN")
        for table in TABLES:
            self._execute(table)
        self._execute(
            "INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
            SCHEMA_VERSION,
            head.name,
            json.dumps(head.config),
            head.config_digest,
            json.dumps(head.versions),
            json.dumps(head.machine),
            datetime.now(UTC).replace(tzinfo=None),
        )
        for agent in head.agents:
            self._execute("INSERT INTO agents VALUES (?, ?, ?, ?)", agent.number, agent.name, agent.text, agent.kind)
        for pairing in head.pairings:
            self._execute(
                "INSERT INTO pairings VALUES (?, ?, ?)", pairing.number, pairing.first_agent, pairing.second_agent
            )
        self._execute("COMMIT")

    def add(self, chunk: ChunkRow) -> None:
        """Commit a chunk; once this returns it is kept, whatever happens to the run."""
        self._execute("BEGIN")
        self._execute(
            "INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            chunk.number,
            chunk.pairing,
            chunk.first_deal,
            chunk.n_deals,
            chunk.endings,
            chunk.digest,
            chunk.worker,
            chunk.seconds,
        )
        parts = [chunk.codes[at : at + DEALS_A_ROW] for at in range(0, chunk.n_deals, DEALS_A_ROW)]
        self._execute(_INSERT_CODES, chunk.pairing, chunk.first_deal, len(parts), parts)
        self._execute("COMMIT")

    def finish(self, seconds: float) -> None:
        """Note that every chunk of the schedule is there, and how long the play took."""
        self._execute("UPDATE run SET seconds = ?", seconds)

    def _execute(self, statement: str, *values: object) -> None:
        try:
            self._database.execute(statement, values)
        except duckdb.Error as error:
            raise RunFileError(f"{self._path} cannot be written: {str(error).partition(chr(10))[0]}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._database.close()
