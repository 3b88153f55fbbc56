"""What the commands that play have in common: play a run or what it lacks, write its report, print it."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli.browser import open_page
from harness.cli.output import adviser, unbroken
from harness.cli.reporting import Report, make_report, print_report
from harness.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from harness.run.config import RunConfig
    from harness.run.manner import Manner
    from harness.run.so_far import SoFar


@dataclass(frozen=True)
class Playing:
    """How a command plays and prints; nothing of this changes the result of a run."""

    workers: int | None
    quiet: bool
    as_json: bool
    on_fault: str
    plot: bool = False
    opens: bool = False

    @property
    def draws(self) -> bool:
        """Whether the figures and the page are wanted."""
        return self.plot or self.opens

    @property
    def manner(self) -> "Manner":
        """The same as the run wants it; UsageError if it cannot be."""
        from harness.run.manner import Manner, default_workers

        n_workers = default_workers() if self.workers is None else self.workers
        return Manner(n_workers, is_quiet=self.quiet, on_fault=self.on_fault)


def play_new(config: "RunConfig", playing: Playing, out: Path | None, replace: bool) -> ExitStatus:
    """Play a run into a folder of its own and print its result, as tables or as its summary in JSON."""
    from harness.run.agents import load_agents
    from harness.run.folder import check_folder, claimed_folder, default_folder

    folder = default_folder(config) if out is None else at_home(out)
    manner = playing.manner
    check_folder(folder, replace)
    agents = load_agents(config.agents, adviser(playing.quiet), config.limits)

    from harness.run.play import play_run

    with claimed_folder(folder, replace) as lock:
        play_run(config, agents, folder, manner, lock)
        report = make_report(folder, config.digest(), playing.draws)
    return _tell(report, folder, playing)


def play_more(folder: Path, so_far: "SoFar", config: "RunConfig", playing: Playing) -> ExitStatus:
    """Play what a run lacks for a config, which may have grown, and print its result; no lock may be held."""
    from harness.run.agents import load_agents
    from harness.run.folder import reopened_folder

    if config == so_far.config and not so_far.lacks(config):
        with reopened_folder(folder, only_reads=True):
            report = make_report(folder, config.digest(), playing.draws)
        return _tell(report, folder, playing)
    manner, tell = playing.manner, adviser(playing.quiet)
    agents = load_agents(config.agents, tell, config.limits)

    from harness.run.play import play_run
    from harness.run.so_far import check_unchanged
    from harness.run.sources import source_of

    for sentence in changed_agents(so_far, [source_of(agent) for agent in agents]):
        tell(f"warning: {sentence}")
    with reopened_folder(folder) as lock:
        check_unchanged(folder, so_far)
        play_run(config, agents, folder, manner, lock, so_far)
        report = make_report(folder, config.digest(), playing.draws)
    return _tell(report, folder, playing)


def changed_agents(so_far: "SoFar", sources: list[str]) -> list[str]:
    """Say which agents are no longer what has played so far."""
    agents = zip(so_far.config.agent_names, so_far.sources, sources, strict=False)
    return [
        f"{name} has changed since the run was begun: its hands before and after come from different sources"
        for name, before, now in agents
        if before != now
    ]


def at_home(folder: Path) -> Path:
    """Read the ``~/`` of a path that no shell has read."""
    try:
        return folder.expanduser() if folder.parts[:1] == ("~",) else folder
    except RuntimeError as error:
        raise UsageError(f"the folder {folder} cannot be used: {error}; choose another one with --out") from error


def _tell(report: Report, folder: Path, playing: Playing) -> ExitStatus:
    """Print a report; a complete run in which agents did wrong has an exit status of its own."""
    print_report(report, quiet=playing.quiet, as_json=playing.as_json)
    summary = report.files.summary
    if report.seconds:
        adviser(playing.quiet)(f"{summary['hands']:,} {report.units} in {report.seconds:.1f} s")
    show_page(report.files.page, folder, playing)
    n_forfeits = sum(pairing["forfeits"] for pairing in summary["pairings"])
    return ExitStatus.AGENT_FAULT if n_forfeits else ExitStatus.DONE


def show_page(page: Path | None, folder: Path, playing: Playing) -> None:
    """Open the page of a report if that is wanted; say how to draw it where there is none."""
    if page is None:
        command = shlex.join(["sixtysix", "report", str(folder)])
        adviser(playing.quiet)(f"note: {unbroken(command)} draws the figures and the page")
    elif playing.opens:
        open_page(page)


def growth_command(folder: Path) -> str:
    """Return the beginning of the command that adds agents or deals to a run."""
    return shlex.join(["sixtysix", "tournament", "--into", str(folder)])
