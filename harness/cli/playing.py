"""What `pit` and `tournament` have in common: play a run, write its report, print it."""

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.output import adviser
from harness.cli.reporting import make_report, print_report
from harness.errors import UsageError

if TYPE_CHECKING:
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
        report = make_report(folder, config.digest())
    print_report(report, quiet=quiet, as_json=as_json)
    if report.seconds:
        tell(f"{report.files.summary['hands']:,} hands in {report.seconds:.1f} s")


def _at_home(folder: Path) -> Path:
    """Read the ``~/`` of a path that no shell has read."""
    try:
        return folder.expanduser() if folder.parts[:1] == ("~",) else folder
    except RuntimeError as error:
        raise UsageError(f"the folder {folder} cannot be used: {error}; choose another one with --out") from error
