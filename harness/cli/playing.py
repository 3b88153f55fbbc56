"""What `pit` and `tournament` have in common: play a run, write its report, print it."""

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.output import adviser, show
from harness.errors import InterruptedRunError, RunFileError, UsageError
from harness.paths import why
from harness.store.rows import REPORT_FOLDER

if TYPE_CHECKING:
    from harness.report.report import ReportFiles
    from harness.run.config import RunConfig


def play_and_report(
    config: "RunConfig", *, workers: int | None, out: Path | None, replace: bool, quiet: bool, as_json: bool
) -> None:
    """Play a run into its folder and print its result, as tables or as its summary in JSON."""
    from harness.run.agents import load_agents
    from harness.run.folder import check_folder, claimed_folder, default_folder
    from harness.run.manner import Manner, default_workers

    folder = default_folder(config) if out is None else _at_home(out)
    manner = Manner(default_workers() if workers is None else workers, is_quiet=quiet)
    tell = adviser(quiet)
    check_folder(folder, replace)
    agents = load_agents(config.agents, tell)

    from harness.run.play import play_run

    with claimed_folder(folder, replace):
        play_run(config, agents, folder, manner)
        files, digest, seconds = _report(config, folder)
    if as_json:
        show(files.summary_json.read_text(encoding="utf-8"))
    else:
        show(f"{_heading(config)}\n\n{files.text}\nreport  {files.folder}\ndigest  {digest:016x}")
    for sentence in files.advice:
        tell(f"note: {sentence}")
    if seconds:
        tell(f"{files.summary['hands']:,} hands in {seconds:.1f} s")


def _at_home(folder: Path) -> Path:
    """Read the ``~/`` of a path that no shell has read."""
    try:
        return folder.expanduser() if folder.parts[:1] == ("~",) else folder
    except RuntimeError as error:
        raise UsageError(f"the folder {folder} cannot be used: {error}; choose another one with --out") from error


def _report(config: "RunConfig", folder: Path) -> "tuple[ReportFiles, int, float | None]":
    """Write the report of a run that has just been played; returns it with the run's digest and seconds."""
    # Loaded when the play is over, so that it takes no memory and no time from it.
    from harness.report.report import write_report
    from harness.store.reader import open_run

    report = folder / REPORT_FOLDER
    try:
        with open_run(folder) as run:
            if run.config_digest != config.digest():
                raise RunFileError(
                    f"{folder} holds another run than the one that was just played: was another one started there?"
                )
            return write_report(run, report), run.digest, run.seconds
    except OSError as error:
        raise RunFileError(
            f"the report cannot be written to {report} ({why(error)}); the run itself is complete in {folder}"
        ) from error
    except KeyboardInterrupt:
        raise InterruptedRunError(
            f"stopped before the report was written; the run itself is complete in {folder}"
        ) from None


def _heading(config: "RunConfig") -> str:
    """Say what was played: every setting that has a default is there."""
    from harness.report.words import count

    n_pairings = len(config.pairings)
    pairings = f"in {n_pairings} pairings, " if n_pairings > 1 else ""
    deals = f"{count(config.deals, 'deal')}, each twice"
    return f"{config.title} under {config.rules_text}: {deals}, {pairings}seed {config.seed}"
