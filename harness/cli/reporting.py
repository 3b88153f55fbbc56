"""The report of a run, written into its folder and printed: by `report`, and by the commands that play."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.output import adviser, show
from harness.errors import InterruptedRunError, RunFileError
from harness.paths import why
from harness.store.rows import REPORT_FOLDER

if TYPE_CHECKING:
    from harness.report.report import ReportFiles
    from harness.store.reader import StoredRun


@dataclass(frozen=True)
class Report:
    """The report of a run, and what is printed beside it.

    Attributes
    ----------
    heading
        What was played: every setting that has a default is there.
    files
        The report as it was written.
    units
        What was played: hands or matches.
    digest, seconds, complete
        As in `harness.store.reader.StoredRun`.

    """

    heading: str
    files: "ReportFiles"
    units: str
    digest: int
    seconds: float | None
    complete: bool

    @property
    def places(self) -> str:
        """The last lines that are printed: where the report is, and the digest."""
        page = f"page    {self.files.page}\n" if self.files.page else ""
        return f"report  {self.files.folder}\n{page}digest  {self.digest:016x}"


def make_report(folder: Path, config_digest: str | None = None, plot: bool = False) -> Report:
    """Write the report of a run from its database alone.

    Parameters
    ----------
    folder
        The folder of the run.
    config_digest
        That of the config that has just been played, if one has.
    plot
        Draw the figures and the page as well.

    Raises
    ------
    RunFileError
        The run is another one than that, or cannot be read, or its report cannot be written.
    InterruptedRunError
        Ctrl-C.

    """
    # Loaded when the play is over, so that it takes no memory and no time from it.
    from harness.report.report import write_report
    from harness.store.reader import open_run

    report, state = folder / REPORT_FOLDER, "kept"
    try:
        with open_run(folder) as run:
            if config_digest not in (None, run.config_digest):
                raise RunFileError(
                    f"{folder} holds another run than the one that was just played: was another one started there?"
                )
            state = "complete" if run.complete else "kept"
            files = write_report(run, report, plot)
            units = run.config.get("play", "hands")
            heading = _heading(run, files.summary["hands"], units)
            return Report(heading, files, units, run.digest, run.seconds, run.complete)
    except OSError as error:
        raise RunFileError(
            f"the report cannot be written to {report} ({why(error)}); the run itself is {state} in {folder}"
        ) from error
    except KeyboardInterrupt:
        raise InterruptedRunError(
            f"stopped before the report was written; the run itself is {state} in {folder}"
        ) from None


def print_report(report: Report, *, quiet: bool, as_json: bool) -> None:
    """Print a report as tables or as its summary in JSON, and on stderr the advice."""
    files = report.files
    if as_json:
        show(files.summary_json.read_text(encoding="utf-8"))
    else:
        show(f"{report.heading}\n\n{files.text}\n{report.places}")
    tell = adviser(quiet)
    for sentence in files.advice:
        tell(f"note: {sentence}")


def _heading(run: "StoredRun", n_hands: int, units: str) -> str:
    from harness.game.presets import rules_text
    from harness.game.rules import Rules
    from harness.report.words import wrap
    from harness.texts import count

    n_pairings, deals, rules = len(run.pairings), run.config["deals"], Rules().with_fields(run.config["rules"])
    pairings = f"in {n_pairings} pairings, " if n_pairings > 1 else ""
    number = count(deals, "deal") if run.stopped is None else f"{run.stopped:,} of at most {count(deals, 'deal')}"
    played = f"{number}, each twice"
    if units == "matches":
        played = f"{count(deals, 'pair')} of matches to {rules.match.target}"
    unfinished = "" if run.complete else f"; not complete: {n_hands:,} of {2 * deals * n_pairings:,} {units}"
    return wrap(f"{run.name} under {rules_text(rules)}: {played}, {pairings}seed {run.config['seed']}{unfinished}")
