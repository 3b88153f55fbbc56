"""The tables of a run's database, and how to open one."""

from pathlib import Path
from typing import Final

import duckdb

from harness.errors import RunFileError

SCHEMA_VERSION: Final = 1
"""Version of the tables below; a reader refuses a newer one."""

TABLES: Final = (
    """
    CREATE TABLE run (              -- one row
        schema_version INTEGER,
        name VARCHAR,
        config JSON,                -- every setting that the result depends on, the rules in whole
        config_digest VARCHAR,      -- SHA-256 of it
        versions JSON,
        machine JSON,
        started TIMESTAMP,          -- UTC
        seconds DOUBLE              -- of play, NULL until the run is complete
    )
    """,
    """
    CREATE TABLE agents (
        number INTEGER,             -- place in the list of agents, from 0
        name VARCHAR,               -- in tables and figures; different for each
        text VARCHAR,               -- as the command line takes it
        kind VARCHAR                -- compiled or Python
    )
    """,
    """
    CREATE TABLE pairings (
        number INTEGER,             -- j (j - 1) / 2 + i for agents i < j
        first_agent INTEGER,        -- side 0; on seat 0, which leads the hand, in half 0 of each deal
        second_agent INTEGER
    )
    """,
    """
    CREATE TABLE chunks (           -- in the order of the schedule, one transaction each
        number INTEGER,
        pairing INTEGER,
        first_deal BIGINT,
        n_deals INTEGER,
        endings BLOB,               -- int64, little-endian, [half][winning side][how][game points] = [2][2][7][4]
        digest UBIGINT,             -- sum of the hands' hashes modulo 2^64
        worker INTEGER,
        seconds DOUBLE              -- of play
    )
    """,
    """
    CREATE TABLE codes (            -- the results of all deals, written together with their chunk
        pairing INTEGER,
        first_deal BIGINT,
        codes BLOB                  -- a byte a deal: (r1 + 3) * 7 + (r2 + 3), the first agent's game points by half
    )
    """,
)
DEALS_A_ROW: Final = 2048
"""The most deals in a row of `codes`. DuckDB takes 2048 rows into memory at a time, so that it grows with this."""

_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "threads": 1,
    "memory_limit": "64MB",
    "temp_directory": "",
    # A path is the path of a file, and nothing is ever fetched to read it as anything else.
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_ROWS_A_GROUP: Final = 2048


def make_database(path: Path) -> duckdb.DuckDBPyConnection:
    """Make a database file, with small groups of rows so that a checkpoint is small; RunFileError if it cannot be."""
    place = str(path.absolute()).replace("'", "''")  # absolute, as DuckDB reads ``~`` and ``md:`` at the start
    try:
        database = duckdb.connect(config=_SETTINGS)
        database.execute(f"ATTACH '{place}' AS run_file (ROW_GROUP_SIZE {_ROWS_A_GROUP})")
        database.execute("USE run_file")
    except duckdb.Error as error:
        raise RunFileError(_reason(path, error) or f"{path} cannot be made: {_first_line(error)}") from error
    return database


def open_database(path: Path) -> duckdb.DuckDBPyConnection:
    """Open a database file for reading; RunFileError says why it cannot be."""
    try:
        return duckdb.connect(path.absolute(), read_only=True, config=_SETTINGS)
    except duckdb.Error as error:
        unknown = f"{path} cannot be opened as a run's database; it is damaged or something else ({_first_line(error)})"
        raise RunFileError(_reason(path, error) or unknown) from error


def _first_line(error: duckdb.Error) -> str:
    return str(error).partition("\n")[0]


def _reason(path: Path, error: duckdb.Error) -> str | None:
    text = str(error)
    if "lock on file" in text:
        return f"{path} is in use by another process: wait until that run has ended, or stop it"
    if "newer version" in text:
        return f"{path} was written by a newer DuckDB than this one ({duckdb.__version__}): update the package duckdb"
    return None
