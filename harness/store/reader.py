"""Read a run back: who played, the counts, and the deals block by block."""

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import duckdb
import numpy as np
import numpy.typing as npt

from harness.errors import RunFileError, UsageError
from harness.play.codes import ENDINGS_SHAPE, N_CODES, NOT_PLAYED
from harness.store.rows import RUN_FILE, AgentRow, PairingRow, check_place
from harness.store.schema import DEALS_A_ROW, SCHEMA_VERSION, open_database

_BLOCK_BYTES: Final = 1 << 22
_ROWS_AT_ONCE: Final = 1024
_DIGEST_MASK: Final = (1 << 64) - 1


class StoredRun:
    """A run as its database tells it; a context manager. Made by `open_run`.

    Attributes
    ----------
    folder
        Folder of the run.
    name, config, config_digest, versions, machine
        As in `harness.store.rows.RunHead`.
    seconds
        How long the play took; None for a run that is not complete.
    agent_rows, pairing_rows
        Agents and pairings in the order of their numbers; the arrays below have one row a pairing in this order.

    """

    name: str
    config: dict[str, Any]
    config_digest: str
    versions: dict[str, str]
    machine: dict[str, Any]
    seconds: float | None

    def __init__(self, folder: Path):
        self.folder = folder
        self._path = folder / RUN_FILE
        self._database = open_database(self._path)
        try:
            self._read_head()
        except BaseException:
            self.close()
            raise

    def _read_head(self) -> None:
        tables = {name for (name,) in self._rows("SELECT table_name FROM information_schema.tables")}
        if "run" not in tables:
            raise RunFileError(f"{self._path} is a database, but not one of a run")
        ((version,),) = self._rows("SELECT schema_version FROM run")
        if version > SCHEMA_VERSION:
            raise RunFileError(
                f"{self._path} was written by a newer sixtysix (schema {version}, this one reads up to "
                f"{SCHEMA_VERSION}): update the package sixtysix"
            )
        ((self.name, config, self.config_digest, versions, machine, self.seconds),) = self._rows(
            "SELECT name, config, config_digest, versions, machine, seconds FROM run"
        )
        self.config, self.versions, self.machine = json.loads(config), json.loads(versions), json.loads(machine)
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
        """Whether every deal of every pairing has been played."""
        return bool((self.counts.sum(axis=1) == self.config["deals"]).all())

    @cached_property
    def _totals(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
        counts = np.zeros((len(self._row_of), N_CODES), np.int64)
        endings = np.zeros((len(self._row_of), *ENDINGS_SHAPE), np.int64)
        digest = 0
        for pairing, codes in self._rows("SELECT pairing, codes FROM codes"):
            counts[self._row_of[pairing]] += np.bincount(np.frombuffer(codes, np.uint8), minlength=N_CODES)
        for pairing, ended, part in self._rows("SELECT pairing, endings, digest FROM chunks"):
            endings[self._row_of[pairing]] += np.frombuffer(ended, "<i8").reshape(ENDINGS_SHAPE)
            digest += part
        return counts, endings, digest & _DIGEST_MASK

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

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, of which only few are in memory."""
        try:
            result = self._database.cursor().execute(query, values)
            while rows := result.fetchmany(_ROWS_AT_ONCE):
                yield from rows
        except duckdb.Error as error:
            reason = str(error).partition("\n")[0]
            raise RunFileError(f"{self._path} cannot be read; it may be damaged or incomplete ({reason})") from error

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
    RunFileError
        The database is damaged, in use, or from a newer version.

    """
    if not (folder / RUN_FILE).is_file():
        problem = "is not the folder of a run" if folder.is_dir() else "is not a folder"
        raise UsageError(f"{folder} {problem}: it has no {RUN_FILE}; a run prints the path of its folder when it ends")
    check_place(folder)
    return StoredRun(folder)
