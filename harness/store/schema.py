"""The tables of a run's database, and how to open one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb

from harness.errors import RunBusyError, RunFileError
from harness.store.rows import RUN_FILE, run_file

SCHEMA_VERSION: Final = 3
"""Version of the tables below and of the views; a reader refuses any other one."""

TABLES: Final = (
    """
    CREATE TABLE run (              -- one row
        schema_version INTEGER,
        name VARCHAR,
        config JSON,                -- every setting that the result depends on, the rules in whole
        config_digest VARCHAR,      -- SHA-256 of it
        record VARCHAR,             -- none, hands or actions: what is kept in the table hands
        stopped BIGINT,             -- deals after which the rule of the config has ended the run, NULL otherwise
        started TIMESTAMP           -- UTC
    )
    """,
    """
    CREATE TABLE sessions (         -- stretches of play: a start, a resume, a growth
        number INTEGER,
        started TIMESTAMP,          -- UTC
        versions JSON,
        machine JSON,
        sources JSON                -- SHA-256 of each agent's source file in this session, by its number
    )
    """,
    """
    CREATE TABLE agents (
        number INTEGER,             -- place in the list of agents, from 0
        name VARCHAR,               -- in tables and figures; different for each
        text VARCHAR,               -- as the command line takes it
        kind VARCHAR,               -- compiled, Python or program
        source VARCHAR              -- SHA-256 of its source file, empty where there is no one file
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
        session INTEGER,
        pairing INTEGER,
        first_deal BIGINT,
        n_deals INTEGER,
        endings BIGINT[112],        -- [half][winning side][how][game points] = [2][2][7][4]
        digest UBIGINT,             -- sum of the hands' hashes modulo 2^64
        worker INTEGER,
        seconds DOUBLE,             -- of play
        moves BIGINT[2],            -- actions that the first and the second agent were asked for in that time
        elapsed DOUBLE              -- seconds from the beginning of the session until the chunk was committed
    )
    """,
    # A list of numbers instead of the BLOB would take four times as long to write and twice the room: DuckDB
    # compresses the bytes as text, and the views read them as text, which they are, since all are below 128.
    """
    CREATE TABLE codes (            -- the results of all deals, written together with their chunk
        pairing INTEGER,
        first_deal BIGINT,
        codes BLOB                  -- a byte a deal: (r1 + 3) * 7 + (r2 + 3), the first agent's game points by half
    )
    """,
    """
    CREATE TABLE faults (           -- one row for a hand that a side has forfeited
        pairing INTEGER,
        deal BIGINT,
        half UTINYINT,
        side UTINYINT,              -- 0 the first agent, 1 the second one
        kind VARCHAR,
        what VARCHAR,               -- in a few words
        story VARCHAR               -- a traceback or the end of a program's stderr; may be empty
    )
    """,
    """
    CREATE TABLE hands (            -- one row a hand of a run that records hands, written together with their chunk
        pairing INTEGER,
        deal BIGINT,
        half UTINYINT,
        points TINYINT,             -- game points of the first agent, -3 to 3
        how UTINYINT,               -- place in the list of endings; 7 for a forfeit
        first_trick_points UTINYINT,
        second_trick_points UTINYINT,
        first_tricks UTINYINT,
        second_tricks UTINYINT,
        n_actions UTINYINT,
        closer TINYINT,             -- side that closed, -1 for nobody
        actions BLOB                -- a byte for each public action, action + 64 * seat; NULL unless recorded
    )
    """,
)
DEALS_A_ROW: Final = 2048
"""The most deals in a row of `codes`. DuckDB takes 2048 rows into memory at a time, so that it grows with this."""

_SETTINGS: Final[dict[str, str | bool | int | float | list[str]]] = {
    "threads": 1,
    "temp_directory": "",
    # A path is the path of a file, and nothing is ever fetched to read it as anything else.
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
_READING_MEMORY: Final = "64MB"


@dataclass(frozen=True)
class _Writing:
    """How much memory DuckDB may take, and how many rows make a group.

    A checkpoint writes the last group of each table again, and has all of it in memory: 4 MB of codes with 2,048 rows,
    32 MB with 16,384. But every group takes memory while the file is open for writing, and hands have many rows: in
    groups of 2,048, ten millions take 120 MB more than in groups of 16,384.
    """

    memory: str
    group: int


_WITHOUT_HANDS: Final = _Writing("64MB", 2_048)
_WITH_HANDS: Final = _Writing("128MB", 16_384)


def make_database(path: Path, record: str) -> duckdb.DuckDBPyConnection:
    """Make an empty database file for a run that records so much of hands; RunFileError if it cannot be made."""
    return _attach(path, record, f"{path} cannot be made")


def reopen_database(folder: Path) -> duckdb.DuckDBPyConnection:
    """Open a run's database for writing; UsageError or RunFileError says why it cannot be."""
    path = folder / RUN_FILE
    with open_database(folder) as database:
        try:
            ((record,),) = database.execute("SELECT record FROM run").fetchall()
        except duckdb.Error as error:
            raise unreadable(path, error) from error
    return _attach(path, record, _no_run(path))


def open_database(folder: Path) -> duckdb.DuckDBPyConnection:
    """Open a run's database for reading; UsageError or RunFileError says why it cannot be."""
    path = run_file(folder)
    try:
        config = {**_SETTINGS, "memory_limit": _READING_MEMORY}
        database = duckdb.connect(path.absolute(), read_only=True, config=config)
    except duckdb.Error as error:
        raise _error(path, error, _no_run(path)) from error
    try:
        _check_run(database, path)
    except BaseException:
        database.close()
        raise
    return database


def first_line(error: duckdb.Error) -> str:
    """Return what DuckDB says in one line."""
    return str(error).partition("\n")[0]


def unreadable(path: Path, error: duckdb.Error) -> RunFileError:
    """Return the error of a query that should have worked."""
    return RunFileError(f"{path} cannot be read; it may be damaged or incomplete ({first_line(error)})")


def _no_run(path: Path) -> str:
    return f"{path} cannot be opened as a run's database; it is damaged or something else"


def _attach(path: Path, record: str, problem: str) -> duckdb.DuckDBPyConnection:
    place = str(path.absolute()).replace("'", "''")  # absolute, as DuckDB reads ``~`` and ``md:`` at the start
    writing = _WITHOUT_HANDS if record == "none" else _WITH_HANDS
    database = duckdb.connect(config={**_SETTINGS, "memory_limit": writing.memory})
    try:
        database.execute(f"ATTACH '{place}' AS run_file (TYPE duckdb, ROW_GROUP_SIZE {writing.group})")
        database.execute("USE run_file")
    except duckdb.Error as error:
        database.close()
        raise _error(path, error, problem) from error
    return database


def _check_run(database: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse a database that is no run, or one of another schema."""
    try:
        tables = {name for (name,) in database.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        if "run" not in tables:
            raise RunFileError(f"{path} is a database, but not one of a run")
        versions = database.execute("SELECT schema_version FROM run").fetchall()
    except duckdb.Error as error:
        raise unreadable(path, error) from error
    if len(versions) != 1:
        raise RunFileError(f"{path} is a database, but not one of a run: its table run has {len(versions)} rows")
    ((version,),) = versions
    if version > SCHEMA_VERSION:
        raise RunFileError(
            f"{path} was written by a newer sixtysix (schema {version}, this one reads {SCHEMA_VERSION}): update the "
            "package sixtysix"
        )
    if version < SCHEMA_VERSION:
        raise RunFileError(
            f"{path} was written by an older sixtysix (schema {version}, this one reads {SCHEMA_VERSION}): play the "
            "run again with --replace, or read it with the version that wrote it"
        )


def _error(path: Path, error: duckdb.Error, unknown: str) -> RunFileError:
    """Say why a file cannot be opened; `unknown` is for reasons of which only DuckDB's words tell."""
    text = str(error)
    if "lock on file" in text:
        return RunBusyError(
            f"{path} is in use by another process, which writes the run: wait until that one has ended, or stop it"
        )
    if "newer version" in text:
        return RunFileError(
            f"{path} was written by a newer DuckDB than this one ({duckdb.__version__}): update the package duckdb"
        )
    return RunFileError(f"{unknown} ({first_line(error)})")
