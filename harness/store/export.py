"""Write the tables of a run for other programs: CSV, Parquet, JSON, and the games in PGN."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from harness.errors import UsageError, did_you_mean
from harness.paths import shown, why
from harness.store.reader import StoredRun
from harness.store.rows import check_place

PGN: Final = "pgn"
FORMATS: Final = ("csv", "parquet", "json", PGN)
GAMES_FILE: Final = "games.pgn"

_TABLES: Final = ("deals", "hands", "faults", "endings", "pairings", "agents")
_QUERIES: Final = {"hands": "FROM hand_results", "faults": "FROM forfeits", "endings": "FROM endings ORDER BY ALL"}
_OPTIONS: Final = {
    "csv": "FORMAT csv, HEADER true",
    "parquet": "FORMAT parquet, ROW_GROUP_SIZE 122880",
    "json": "FORMAT json",
    # A game is one value, written as it is.
    PGN: "FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\x1f'",
}

_GAMES: Final = """
    SELECT
        '[Event "' || {event} || '"]\n[Round "' || deal || '.' || half || '"]\n[White "' || {white} || '"]\n[Black "'
        || {black} || '"]\n[Result "' || result || '"]\n\n' || result || '\n'
    FROM (
        SELECT *, CASE sign(points) WHEN 0 THEN '1/2-1/2' WHEN 1 THEN '1-0' ELSE '0-1' END AS result
        FROM (
            SELECT
                deal,
                unnest([0, 1]) AS half,
                unnest([first, second]) AS white,
                unnest([second, first]) AS black,
                unnest([half_0_points, -half_1_points]) AS points
            FROM deals
        )
    )
"""


@dataclass(frozen=True)
class ExportedFile:
    """A file that has been written, and how many rows or games it holds."""

    path: Path
    n_rows: int


def parse_formats(text: str) -> tuple[str, ...]:
    """Read the names of formats, separated by commas; UsageError for one that is none."""
    names = list(dict.fromkeys(word.strip().lower() for word in text.split(",")))
    for name in names:
        if name not in FORMATS:
            raise UsageError(
                f'there is no format "{shown(name)}"; the formats are {", ".join(FORMATS)}{did_you_mean(name, FORMATS)}'
            )
    return tuple(names)


def export_run(run: StoredRun, folder: Path, formats: Sequence[str], replace: bool) -> list[ExportedFile]:
    """Write a run's tables into a folder, a file for each table and format; rows stand in the order of play.

    Parameters
    ----------
    run
        The run, which need not be complete.
    folder
        Where the files go; it is made if need be.
    formats
        Some of FORMATS.
    replace
        Whether files that are there may be replaced.

    Raises
    ------
    UsageError
        The folder cannot be made, or files are there that may not be replaced; nothing has been written then.
    RunFileError
        A file cannot be written. Those before it are whole, and of this one nothing is left.

    """
    tables = [table for table in _TABLES if table != "hands" or run.record != "none"]
    jobs = []
    for name in formats:
        if name == PGN:
            jobs.append((folder / GAMES_FILE, _games(run.name), name))
        else:
            jobs += [(folder / f"{table}.{name}", _QUERIES.get(table, f"FROM {table}"), name) for table in tables]
    _make_folder(folder)
    there = [path.name for path, _, _ in jobs if path.exists() or path.is_symlink()]
    if there and not replace:
        raise UsageError(
            f"{shown(folder)} has {', '.join(there)} already: --replace writes them anew, --out DIR writes elsewhere"
        )
    return [ExportedFile(path, run.copy(query, path, _OPTIONS[name])) for path, query, name in jobs]


def _make_folder(folder: Path) -> None:
    check_place(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the folder {shown(folder)} cannot be made: {why(error)}; choose another one with --out"
        ) from error


def _games(event: str) -> str:
    r"""Return the query of all games; PGN writes ``\"`` and ``\\`` within quotes."""
    escaped = event.replace("\\", "\\\\").replace('"', '\\"').replace("'", "''")
    white, black = (f"""replace(replace({side}, '\\', '\\\\'), '"', '\\"')""" for side in ("white", "black"))
    return _GAMES.format(event=f"'{escaped}'", white=white, black=black)
