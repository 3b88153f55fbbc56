"""``sixtysix plan``: how many deals a comparison takes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import (
    AsJson,
    Quiet,
    RuleChanges,
    RulesName,
    Seed,
    Workers,
    examples,
    given,
    half_width,
    whole_number,
)
from harness.errors import UsageError

if TYPE_CHECKING:
    from harness.run.config import RunConfig
    from harness.store.reader import StoredRun

EXAMPLES = examples(
    "sixtysix plan normal easy",
    "sixtysix plan normal easy --half-width 0.005gp --half-width 2elo --rules schnapsen",
    "sixtysix plan results/normal-vs-easy-1a2b3c4d",
)


def plan(
    names: Annotated[
        list[str],
        typer.Argument(metavar="A B | RUN", show_default=False, help="Two agents, or a run of two that is the pilot."),
    ],
    widths: Annotated[
        list[str] | None,
        typer.Option(
            "--half-width",
            metavar="WIDTH",
            show_default=False,
            help="A half-width as in 0.01gp or 5elo; may be given several times.  [default: 0.01gp]",
        ),
    ] = None,
    pilot: Annotated[
        int, typer.Option("--pilot", metavar="N", parser=whole_number, help="Deals of the pilot that is played.")
    ] = 2_000,
    rules: RulesName = None,
    rule: RuleChanges = None,
    seed: Seed = None,
    workers: Workers = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say how many deals it takes to tell two agents apart.

    A short pilot is played and thrown away; a run of the two agents serves as well. The interval of a number of deals
    is what the pilot leaves open.
    """
    from harness.cli.output import show

    wanted = [half_width("half-width", text) for text in widths or ["0.01gp"]]
    if len(names) == 1:
        from harness.run.folder import reopened_folder
        from harness.store.reader import open_run

        with reopened_folder(Path(names[0]), only_reads=True), open_run(Path(names[0])) as run:
            show(_planned(run, wanted, as_json))
    elif len(names) == 2:
        from harness.run.config import build_config

        config = build_config(given(agents=names, rules=rules, deals=pilot, seed=seed), rule or ())
        show(_with_pilot(config, wanted, workers, as_json, quiet))
    else:
        raise UsageError(f"{len(names)} names: give two agents, or the folder of a run")


def _with_pilot(
    config: "RunConfig", wanted: list[tuple[str, float]], workers: int | None, as_json: bool, quiet: bool
) -> str:
    """Play a pilot in a folder that is gone afterwards."""
    from tempfile import TemporaryDirectory

    from harness.cli.output import adviser
    from harness.cli.playing import Playing
    from harness.run.agents import load_agents
    from harness.run.folder import claimed_folder

    manner = Playing(workers, quiet, as_json, "forfeit").manner
    agents = load_agents(config.agents, adviser(quiet), config.limits)

    from harness.run.play import play_run
    from harness.store.reader import open_run

    with TemporaryDirectory(prefix="sixtysix-plan-") as place:
        folder = Path(place) / "pilot"
        with claimed_folder(folder, replace=False) as lock:
            play_run(config, agents, folder, manner, lock)
            with open_run(folder) as run:
                return _planned(run, wanted, as_json)


def _planned(run: "StoredRun", wanted: list[tuple[str, float]], as_json: bool) -> str:
    import json

    from harness.report.planning import plan_of, plan_summary, plan_text
    from harness.report.units import unit_of
    from harness.report.words import wrap
    from harness.run.stop import SCALES

    if len(run.pairings) != 1 or not run.counts.sum():
        raise UsageError(f"{run.name} cannot be a pilot: it must be a run of two agents with some deals played")
    if unit_of(run.config).is_match:
        raise UsageError(f"{run.name} cannot be a pilot: it has matches, and a plan is made of single hands")
    seconds = run.work_seconds / int(run.machine.get("workers", 1))
    try:
        plan = plan_of(run.counts[0], [(SCALES[scale], width) for scale, width in wanted], seconds)
    except ValueError as error:
        raise UsageError(f"{error}: play a longer pilot, with --pilot N") from error
    if as_json:
        return json.dumps({"agents": run.agents, **plan_summary(plan)}, indent=2)
    heading = wrap(f"{run.name}, from a pilot of {plan.n_pilot:,} deals, each twice")
    return f"{heading}\n\n{plan_text(plan)}"
