"""What `pit` and `tournament` have in common: play a run, write its report, print it."""

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.output import adviser, show

if TYPE_CHECKING:
    from harness.run.config import RunConfig


def play_and_report(
    config: "RunConfig", *, workers: int | None, out: Path | None, replace: bool, quiet: bool, as_json: bool
) -> None:
    """Play a run into its folder and print its result, as tables or as its summary in JSON."""
    from harness.run.agents import load_agents
    from harness.run.folder import check_folder, default_folder
    from harness.run.manner import Manner, default_workers
    from harness.store.rows import REPORT_FOLDER

    folder = default_folder(config) if out is None else out
    manner = Manner(default_workers() if workers is None else workers, is_quiet=quiet)
    tell = adviser(quiet)
    check_folder(folder, replace)
    agents = load_agents(config.agents, tell)

    from harness.run.play import play_run

    play_run(config, agents, folder, replace, manner)

    # Everything below is loaded when the play is over, so that it takes no memory and no time from it.
    from harness.report.report import write_report
    from harness.store.reader import open_run

    with open_run(folder) as run:
        files = write_report(run, folder / REPORT_FOLDER)
        digest, seconds = run.digest, run.seconds
    if as_json:
        show(files.summary_json.read_text(encoding="utf-8"))
    else:
        show(f"{_heading(config)}\n\n{files.text}\nreport  {files.folder}\ndigest  {digest:016x}")
    for sentence in files.advice:
        tell(f"note: {sentence}")
    if seconds:
        tell(f"{files.summary['hands']:,} hands in {seconds:.1f} s")


def _heading(config: "RunConfig") -> str:
    """Say what was played: every setting that has a default is there."""
    from harness.report.words import count

    n_pairings = len(config.pairings)
    pairings = f"in {n_pairings} pairings, " if n_pairings > 1 else ""
    deals = f"{count(config.deals, 'deal')}, each twice"
    return f"{config.title} under {config.rules_text}: {deals}, {pairings}seed {config.seed}"
