"""The report of a comparison of rule sets, written into its folder and printed: by `compare` and by `report`."""

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.output import adviser, show
from harness.cli.playing import Playing, show_page
from harness.errors import ExitStatus, InterruptedRunError, RunFileError
from harness.paths import why
from harness.store.rows import REPORT_FOLDER

if TYPE_CHECKING:
    from harness.report.compare_report import ComparisonReport
    from harness.run.comparison import Comparison


def make_comparison(comparison: "Comparison", plot: bool) -> "ComparisonReport":
    """Write the report of a comparison from the databases of its runs.

    Parameters
    ----------
    comparison
        What is compared.
    plot
        Draw the figures and the page as well.

    Raises
    ------
    UsageError
        There is nothing to compare yet.
    RunFileError
        A run cannot be read or is another one, or the report cannot be written.
    InterruptedRunError
        Ctrl-C.

    """
    from harness.report.compare_report import write_comparison

    folder = comparison.folder
    try:
        return write_comparison(comparison, plot)
    except OSError as error:
        raise RunFileError(
            f"the report cannot be written to {folder / REPORT_FOLDER} ({why(error)}); what has been played is kept, "
            f"in {folder}"
        ) from error
    except KeyboardInterrupt:
        raise InterruptedRunError(
            f"stopped before the report was written; what has been played is kept in {folder}, and the same command "
            "writes it"
        ) from None


def tell_comparison(report: "ComparisonReport", folder: Path, playing: Playing) -> ExitStatus:
    """Print a report, and open its page if that is wanted; one in which agents did wrong has an exit status of its own.

    Parameters
    ----------
    report
        The report.
    folder
        That of the comparison.
    playing
        How the command prints.

    """
    if playing.as_json:
        show(report.summary_json.read_text(encoding="utf-8"))
    else:
        page = f"\npage    {report.page}" if report.page else ""
        show(f"{report.heading}\n\n{report.text}\nreport  {report.folder}{page}")
    tell = adviser(playing.quiet)
    for sentence in report.advice:
        tell(f"note: {sentence}")
    show_page(report.page, folder, playing)
    return ExitStatus.AGENT_FAULT if report.n_forfeits else ExitStatus.DONE
