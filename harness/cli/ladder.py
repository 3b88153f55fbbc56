"""``sixtysix ladder``: the difficulty levels in order, each against the next."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import (
    AsJson,
    Deals,
    HandLimit,
    MemoryLimit,
    MoveLimit,
    OnFault,
    Open,
    Out,
    Plot,
    Quiet,
    Replace,
    RuleChanges,
    RulesName,
    Seed,
    StartLimit,
    Workers,
    examples,
    given,
    limits_given,
)
from harness.errors import ExitStatus

if TYPE_CHECKING:
    from harness.cli.playing import Playing
    from harness.report.ladder import MoveTime
    from harness.run.config import RunConfig

LEVELS = ("random", "easy", "normal", "hard", "crazy")
EXAMPLES = examples(
    "sixtysix ladder",
    "sixtysix ladder --rules schnapsen --deals 100000",
    "sixtysix ladder easy:slip=0.4 easy easy:slip=0.1 normal",
)


def ladder(
    levels: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="LEVEL",
            show_default=False,
            help=f"Agents, the weakest first.  [default: those of {', '.join(LEVELS)} that are installed]",
        ),
    ] = None,
    rules: RulesName = None,
    rule: RuleChanges = None,
    deals: Deals = None,
    seed: Seed = None,
    workers: Workers = None,
    out: Out = None,
    replace: Replace = False,
    on_fault: OnFault = "forfeit",
    move_limit: MoveLimit = None,
    hand_limit: HandLimit = None,
    start_limit: StartLimit = None,
    memory_limit: MemoryLimit = None,
    plot: Plot = False,
    open_: Open = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Play each level against the next one.

    The report says whether every step is a step, how high it is, and at what cost a move. The run is an ordinary one,
    of the format ladder: report, export and resume work on it, and it is gone on with if it is there already.
    """
    from harness.agent_api.registry import installed_names
    from harness.cli.playing import Playing
    from harness.run.config import build_config

    limits = limits_given(move_limit, hand_limit, start_limit, memory_limit)
    agents = levels or [level for level in LEVELS if level in installed_names()]
    settings = given(agents=agents, rules=rules, deals=deals, seed=seed, limits=limits)
    config = build_config({**settings, "format": "ladder", "anchor": agents[0]}, rule or ())
    return _climb(config, Playing(workers, quiet, as_json, on_fault, plot, open_), out, replace)


def _climb(config: "RunConfig", playing: "Playing", out: Path | None, replace: bool) -> ExitStatus:
    """Play what the ladder lacks, time its levels, and print the report."""
    from harness.cli.output import adviser, show
    from harness.cli.playing import at_home, show_page
    from harness.cli.reporting import make_report
    from harness.run.agents import load_agents
    from harness.run.folder import default_folder

    folder = default_folder(config) if out is None else at_home(out)
    manner, tell = playing.manner, adviser(playing.quiet)
    agents = load_agents(config.agents, tell, config.limits)

    from harness.run.continued import found_so_far, play_rest

    so_far = found_so_far(folder, config, replace)
    if so_far is not None:
        tell("note: the run is there already: only what it lacks is played")
    play_rest(config, agents, folder, manner, so_far, replace)
    times = _times(config, playing)
    ordinary = make_report(folder, config.digest(), playing.draws)

    from harness.report.ladder_report import write_ladder
    from harness.store.reader import open_run

    with open_run(folder) as run:
        report = write_ladder(run, times, config.rules, ordinary.files.folder)
    if playing.as_json:
        show(report.summary_json.read_text(encoding="utf-8"))
    else:
        show(f"{ordinary.heading}\n\n{report.text}\n{ordinary.places}")
    show_page(ordinary.files.page, folder, playing)
    n_forfeits = sum(pairing["forfeits"] for pairing in ordinary.files.summary["pairings"])
    if n_forfeits:
        tell(f"note: {n_forfeits:,} hands forfeited by faults; the report of the run tells who and how")
    return ExitStatus.AGENT_FAULT if n_forfeits else ExitStatus.DONE


def _times(config: "RunConfig", playing: "Playing") -> "list[MoveTime]":
    """Time a move of each level against itself on this machine."""
    from harness.cli.output import adviser
    from harness.report.ladder import MoveTime
    from harness.run.agents import load_agents
    from harness.run.bench import measure_moves
    from harness.run.clean_stdout import clean_stdout

    twins = load_agents([text for text in config.agents for _ in range(2)], lambda text: None, config.limits)
    times = []
    for one, other in zip(twins[::2], twins[1::2], strict=True):
        adviser(playing.quiet)(f"timing {one.name}")
        with clean_stdout():
            rates, n_decisions = measure_moves((one, other), config.rules)
        times.append(MoveTime(1 / rates.median, 1 / rates.fastest, 1 / rates.slowest, len(rates.rates), n_decisions))
    return times
