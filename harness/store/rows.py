"""What goes into a run's database, as plain values; workers use this without loading the database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from harness.errors import UsageError
from harness.paths import is_file, shown

RUN_FILE: Final = "run.duckdb"
WAL_FILE: Final = "run.duckdb.wal"
LOG_FILE: Final = "run.log"
REPORT_FOLDER: Final = "report"
PAGE_FILE: Final = "report.html"
FIGURES_FOLDER: Final = "figures"


class RunFigure(StrEnum):
    """Names of the figures that a run can have, and so of their files, without suffixes."""

    RATINGS = "ratings"
    HEAD_TO_HEAD = "head-to-head"
    RUNNING = "running"
    GAME_POINTS = "game-points"
    ENDINGS = "endings"
    SEAT = "seat"
    MATCH_EQUITY = "match-equity"
    SPEED = "speed"


def drawn_files(figures: Iterable[str]) -> tuple[str, ...]:
    """List the files that only a report with these figures has, by their paths in the report folder."""
    return (PAGE_FILE, *(f"{FIGURES_FOLDER}/{name}.{suffix}" for name in figures for suffix in ("png", "svg")))


DRAWN_FILES: Final = (
    *drawn_files(RunFigure),
    "ratings.png",  # where they were before there was a folder of figures
    "ratings.svg",
)
"""What only a report with figures has, by its path in the report folder."""
LADDER_FILES: Final = ("ladder.json", "ladder.csv", "ladder.txt")
"""What only a report of `sixtysix ladder` has; the times in it are measured and cannot be made again."""
REPORT_FILES: Final = (
    "summary.json",
    "ratings.csv",
    "pairings.csv",
    "faults.csv",
    "report.txt",
    *LADDER_FILES,
    *DRAWN_FILES,
)
"""All that is ever written into the report folder, and so all that is ever deleted from it."""
EXPORT_FOLDER: Final = "export"
"""Where tables for other programs go; never deleted."""


def check_place(folder: Path) -> None:
    """Refuse a folder whose path DuckDB would read as something else; UsageError says why."""
    path = str(folder.absolute())
    if "?" in path:
        raise UsageError(f'the folder {shown(path)} cannot hold a run: DuckDB takes what follows a "?" for an option')
    if shown(path) != path:
        raise UsageError(f"the folder {shown(path)} cannot hold a run: its path is not text in UTF-8")


def run_file(folder: Path) -> Path:
    """Return the database of the run in a folder; UsageError if it is not one of a run."""
    check_place(folder)
    if not is_file(folder / RUN_FILE):
        raise UsageError(
            f"{shown(folder)} is not {'the folder of a run' if folder.is_dir() else 'a folder'}: it has no {RUN_FILE}; "
            "a run prints the path of its folder when it ends"
        )
    return folder / RUN_FILE


@dataclass(frozen=True)
class AgentRow:
    """An agent of the run.

    Attributes
    ----------
    number
        Place in the list of agents.
    name, text
        What it is called in tables, and what the command line takes.
    kind
        ``compiled``, ``Python`` or ``program``.
    source
        SHA-256 of its source file in hexadecimal; empty where there is no one file.

    """

    number: int
    name: str
    text: str
    kind: str
    source: str = ""


@dataclass(frozen=True)
class PairingRow:
    """Two agents that meet, by their numbers; the first is side 0."""

    number: int
    first_agent: int
    second_agent: int


@dataclass(frozen=True)
class RunHead:
    """All that is known of a run before the first hand.

    Attributes
    ----------
    name
        What the run is called.
    config, config_digest
        The settings as plain values with the rules in whole, and their SHA-256.
    record
        What is kept of each hand besides its game points: ``none``, ``hands`` or ``actions``.
    agents, pairings
        Who takes part, and who meets whom.

    """

    name: str
    config: Mapping[str, Any]
    config_digest: str
    record: str
    agents: tuple[AgentRow, ...]
    pairings: tuple[PairingRow, ...]


@dataclass(frozen=True)
class SessionRow:
    """One stretch of play: the start of a run, a resume, a growth.

    Attributes
    ----------
    versions
        Of the package, the rules, the sources (their digest), Python and the libraries that matter for the result.
    machine
        System, processor, number of cores; how many workers and how they start.
    sources
        SHA-256 of each agent's source file then, by its number.

    """

    versions: Mapping[str, str]
    machine: Mapping[str, str | int]
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class FaultRow:
    """A hand that side `side` of a pairing has forfeited.

    Attributes
    ----------
    kind
        A value of `harness.agent_api.faults.FaultKind`.
    what, story
        What happened in a few words, and a traceback or the end of a program's stderr, which may be empty.

    """

    pairing: int
    deal: int
    half: int
    side: int
    kind: str
    what: str
    story: str = ""


@dataclass(frozen=True)
class ChunkRow:
    """Deals `first_deal` to `first_deal` + `n_deals` - 1 of a pairing, played.

    Attributes
    ----------
    number
        Place in the schedule of the run.
    codes
        One byte a deal.
    endings
        little-endian int64, shape `ENDINGS_SHAPE`.
    digest
        Sum of the hands' hashes modulo 2**64.
    worker, seconds
        Who played it, and how long that took.
    moves
        Actions that the first and the second agent were asked for in that time.
    faults
        Hands that were forfeited, but for those whose fault was known before the chunk was played.
    hands
        The hands in order, `harness.play.codes.HAND_DTYPE`; empty unless the run records hands.
    actions
        The hands' public histories one after another, a byte ``action | seat << 6`` each; empty unless recorded.

    """

    number: int
    pairing: int
    first_deal: int
    n_deals: int
    codes: bytes
    endings: bytes
    digest: int
    worker: int
    seconds: float
    moves: tuple[int, int]
    faults: tuple[FaultRow, ...] = ()
    hands: bytes = b""
    actions: bytes = b""
