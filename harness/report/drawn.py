"""What only a report with figures has: the figures as files, and the page that shows them."""

from pathlib import Path

from harness.report.analysis import Analysis
from harness.report.figures.ratings import ratings_figure
from harness.store.rows import DRAWN_FILES, FIGURES_FOLDER


def draw_report(analysis: Analysis, folder: Path) -> None:
    """Draw the figures of a run into its report folder, which is there; its files are replaced.

    Parameters
    ----------
    analysis
        The statistics of the run.
    folder
        That of the report.

    """
    # Imported late: matplotlib takes most of a second.
    from harness.report.drawing.save import save

    save([ratings_figure(analysis)], folder / FIGURES_FOLDER)


def remove_drawn(folder: Path) -> None:
    """Delete what an earlier report has drawn, so that no old picture stands beside new numbers."""
    for name in DRAWN_FILES:
        (folder / name).unlink(missing_ok=True)
    figures = folder / FIGURES_FOLDER
    if figures.is_dir() and not any(figures.iterdir()):
        figures.rmdir()
