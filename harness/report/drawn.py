"""What only a report with figures has: the figures as files, and the page that shows them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harness.report.analysis import Analysis
from harness.report.figures.kinds import Chart
from harness.report.results import RunResults
from harness.store.rows import FIGURES_FOLDER, PAGE_FILE


def draw_report(run: RunResults, analysis: Analysis, summary: Mapping[str, Any], folder: Path) -> None:
    """Draw the figures of a run and its page into its report folder, which is there; its files are replaced.

    Parameters
    ----------
    run, analysis
        The run and its statistics.
    summary
        These as ``summary.json`` has them.
    folder
        That of the report.

    """
    # Imported late: a report without figures needs none of it.
    from harness.report.figures.of_run import run_figures
    from harness.report.page.run_page import run_page

    charts, missing = run_figures(run, analysis)
    page = run_page(run, analysis, summary, charts, missing, draw_figures(charts, folder))
    (folder / PAGE_FILE).write_text(page, encoding="utf-8")


def draw_figures(charts: Sequence[Chart], folder: Path) -> dict[str, str]:
    """Draw figures into a report folder, and return the SVG files by the names of the figures."""
    if not charts:
        return {}
    # Imported late: matplotlib takes most of a second.
    from harness.report.drawing.save import save

    drawn = save(charts, folder / FIGURES_FOLDER)
    return {name: svg.read_text(encoding="utf-8") for name, (_, svg) in drawn.items()}


def remove_old(folder: Path, files: Iterable[str]) -> None:
    """Delete these files of an earlier report, so that no old picture or table stands beside new numbers."""
    for name in files:
        (folder / name).unlink(missing_ok=True)
    figures = folder / FIGURES_FOLDER
    if figures.is_dir() and not any(figures.iterdir()):
        figures.rmdir()
