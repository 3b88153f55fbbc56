"""The report of a comparison of rule sets, made from the databases of its runs and written as files."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from harness.report.compare_analysis import ComparedRules, analyse_comparison
from harness.report.compare_reading import read_runs
from harness.report.compare_summary import comparison_summary, table_rows
from harness.report.compare_tables import comparison_text
from harness.report.compare_words import compared_advice
from harness.report.drawn import draw_figures, remove_old
from harness.report.figures.of_comparison import FIGURES, comparison_figures
from harness.report.report import says, summary_text, write_rows
from harness.report.words import wrap
from harness.run.comparison import Comparison
from harness.store.rows import PAGE_FILE, REPORT_FOLDER, drawn_files
from harness.texts import count

SUMMARY_JSON: Final = "summary.json"
COMPARISON_CSV: Final = "comparison.csv"
COMPARISON_TXT: Final = "comparison.txt"


@dataclass(frozen=True)
class ComparisonReport:
    """What `write_comparison` has written, and the same in memory.

    Attributes
    ----------
    folder
        Where the report is.
    heading
        Who has played, and how much.
    summary, summary_json
        The summary, and its file.
    text
        The tables.
    advice
        What to know before trusting the numbers.
    n_forfeits
        Hands that were forfeited by faults in all.
    page
        None for a report without figures.

    """

    folder: Path
    heading: str
    summary: Mapping[str, Any]
    summary_json: Path
    text: str
    advice: tuple[str, ...]
    n_forfeits: int
    page: Path | None


def write_comparison(comparison: Comparison, plot: bool = False) -> ComparisonReport:
    """Compute the report of a comparison and write it into its folder, which is made if needed; its files are replaced.

    Parameters
    ----------
    comparison
        What is compared.
    plot
        Draw the figures and the page as well. Without it, those that are there are kept if they show the same numbers,
        and deleted if not.

    Raises
    ------
    UsageError
        The base or all the others have not been played to the end.
    RunFileError
        A run cannot be read, or is another one.

    """
    read = read_runs(comparison)
    compared = analyse_comparison(read.played, read.common, comparison.common["agents"])
    advice = compared_advice(compared, read.left_out)
    where = {"versions": dict(read.versions), "machine": dict(read.machine)}
    about = {"left_out": list(read.left_out), "advice": advice, **where}
    summary = comparison_summary(compared, comparison.common, read.about) | about
    config = comparison.common
    played = f"{count(config['deals'], 'deal')}, each twice, seed {config['seed']}"
    folder = comparison.folder / REPORT_FOLDER
    report = ComparisonReport(
        folder=folder,
        heading=wrap(f"{read.title} under {len(compared.names)} rule sets: {played}"),
        summary=summary,
        summary_json=folder / SUMMARY_JSON,
        text=comparison_text(compared),
        advice=tuple(advice),
        n_forfeits=compared.n_forfeits,
        page=folder / PAGE_FILE,
    )
    _write(report, compared, plot)
    return report if (folder / PAGE_FILE).exists() else replace(report, page=None)


def _write(report: ComparisonReport, compared: ComparedRules, plot: bool) -> None:
    folder, text = report.folder, summary_text(report.summary)
    folder.mkdir(parents=True, exist_ok=True)
    if plot or not says(report.summary_json, text):
        # Before the new numbers are written, so that they never stand beside old pictures.
        remove_old(folder, drawn_files(FIGURES))
    report.summary_json.write_text(text, encoding="utf-8")
    write_rows(folder / COMPARISON_CSV, list(table_rows(compared)))
    opening = "".join(f"{wrap(sentence)}\n\n" for sentence in report.advice)
    (folder / COMPARISON_TXT).write_text(opening + report.text, encoding="utf-8")
    if plot:
        _draw(report, compared)


def _draw(report: ComparisonReport, compared: ComparedRules) -> None:
    """Draw the figures, and the page that shows them."""
    # Imported late: a report without figures needs none of it.
    from harness.report.page.comparison_page import comparison_page

    charts, missing = comparison_figures(compared)
    svgs = draw_figures(charts, report.folder)
    page = comparison_page(compared, report.summary, charts, missing, svgs, report.folder.parent)
    (report.folder / PAGE_FILE).write_text(page, encoding="utf-8")
