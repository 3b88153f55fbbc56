"""The report of a run as a folder of files, made again from the run whenever it is wanted."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.report.advice import advice
from harness.report.analysis import Analysis, analyse
from harness.report.drawn import draw_report, remove_old
from harness.report.results import RunResults
from harness.report.stopping import ending_of
from harness.report.summary import ESTIMATES_OF_PAIRINGS, summary_of
from harness.report.tables import report_text
from harness.report.words import wrap
from harness.store.rows import DRAWN_FILES, LADDER_FILES, PAGE_FILE

ESTIMATES_OF_AGENTS = ("game_points_rating", "elo", "game_points", "hands_won", "matches_won")
COLUMNS_OF_FAULTS = ("agent", "opponent", "kind", "forfeits", "hands")


@dataclass(frozen=True)
class ReportFiles:
    """What `write_report` has written, and the same in memory: ``summary``, the tables as ``text``, the ``advice``.

    ``page`` is None for a report without figures.
    """

    folder: Path
    summary_json: Path
    ratings_csv: Path
    pairings_csv: Path
    faults_csv: Path
    report_txt: Path
    page: Path | None
    summary: Mapping[str, Any]
    text: str
    advice: tuple[str, ...]


def write_report(run: RunResults, folder: Path, plot: bool = False) -> ReportFiles:
    """Compute the report of a run and write it to a folder, which is made if needed; its files are replaced.

    Parameters
    ----------
    run
        The run.
    folder
        Where the files go.
    plot
        Draw the figures and the page as well. Without it, those that are there are kept if they show the same numbers,
        and deleted if not, as are the tables of a ladder.

    """
    analysis = analyse(run)
    ending = ending_of(run)
    summary = summary_of(run, analysis) | {"stop": ending.summary() if ending else None}
    opening = wrap(ending.words) + "\n\n" if ending else ""
    files = ReportFiles(
        folder=folder,
        summary_json=folder / "summary.json",
        ratings_csv=folder / "ratings.csv",
        pairings_csv=folder / "pairings.csv",
        faults_csv=folder / "faults.csv",
        report_txt=folder / "report.txt",
        page=folder / PAGE_FILE,
        summary=summary,
        text=opening + report_text(analysis),
        advice=advice(analysis),
    )
    folder.mkdir(parents=True, exist_ok=True)
    # Before the new numbers are written, so that they never stand beside old ones.
    if not says(files.summary_json, summary_text(summary)):
        remove_old(folder, (*DRAWN_FILES, *LADDER_FILES))
    elif plot:
        remove_old(folder, DRAWN_FILES)
    _write_tables(files)
    files.report_txt.write_text(opening + full_text(analysis), encoding="utf-8")
    if plot:
        draw_report(run, analysis, summary, folder)
    return files if files.page and files.page.exists() else replace(files, page=None)


def says(path: Path, text: str) -> bool:
    """Say whether a file is there and has just this text."""
    return path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text


def _write_tables(files: ReportFiles) -> None:
    summary = files.summary
    files.summary_json.write_text(summary_text(summary), encoding="utf-8")
    agents = [
        {**agent, "rank_best": agent["ranks"]["best"], "rank_worst": agent["ranks"]["worst"]}
        for agent in summary["agents"]
    ]
    _write_csv(files.ratings_csv, agents, ("rank", "rank_best", "rank_worst", "name", "hands"), ESTIMATES_OF_AGENTS)
    _write_csv(files.pairings_csv, summary["pairings"], ("first", "second", "deals", "forfeits"), ESTIMATES_OF_PAIRINGS)
    write_rows(files.faults_csv, [COLUMNS_OF_FAULTS, *_fault_rows(summary["pairings"])])


def summary_text(summary: Mapping[str, Any]) -> str:
    """Write a summary as JSON."""
    return json.dumps(summary, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def full_text(analysis: Analysis) -> str:
    """Write the tables with the advice below them."""
    notes = "".join(wrap(sentence, indent="    ", first="  - ") + "\n" for sentence in advice(analysis))
    return report_text(analysis) + (f"\nWorth knowing\n{notes}" if notes else "")


def _write_csv(path: Path, rows: Sequence[Mapping[str, Any]], plain: Sequence[str], estimates: Sequence[str]) -> None:
    """Write rows of a summary: the plain columns, then value, low, high and note of each estimate; missing is empty."""
    parts = ("", "_low", "_high", "_note")
    lines: list[Sequence[object]] = [[*plain, *(name + part for name in estimates for part in parts)]]
    for row in rows:
        cells = [row[name][key] for name in estimates for key in ("value", "low", "high", "note")]
        lines.append([*(row[name] for name in plain), *cells])
    write_rows(path, lines)


def _fault_rows(pairings: Sequence[Mapping[str, Any]]) -> Iterator[Sequence[object]]:
    """Give a row for each agent, opponent and kind of fault that came, from the pairings of a summary."""
    for pairing in pairings:
        for agent, opponent, faults in (("first", "second", "first_faults"), ("second", "first", "second_faults")):
            for kind, n_hands in pairing[faults].items():
                if n_hands:
                    yield pairing[agent], pairing[opponent], kind, n_hands, pairing["hands"]


def write_rows(path: Path, rows: Sequence[Sequence[object]]) -> None:
    """Write a table as CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
