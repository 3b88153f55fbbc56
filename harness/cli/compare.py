"""``sixtysix compare``: house rules on common deals."""

from collections.abc import Callable
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
    Seed,
    StartLimit,
    Workers,
    examples,
    given,
    limits_given,
)
from harness.errors import SixtySixError

if TYPE_CHECKING:
    from harness.cli.playing import Playing
    from harness.run.comparison import Compared
    from harness.run.so_far import SoFar

EXAMPLES = examples(
    "sixtysix compare easy normal hard crazy --rules sixtysix,bicycle,schnapsen --plot",
    "sixtysix compare normal easy --rules sixtysix,bicycle,schnapsen",
    "sixtysix compare normal easy --toggle declare.automatic --toggle exchange.after_trick",
    "sixtysix compare normal easy --rules bicycle --toggle close.failed=3",
    "sixtysix compare normal normal --rules all --base schnapsen --deals 200000",
    "sixtysix compare normal easy --toggle all",
)


def compare(
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT", show_default=False, help="Two agents or more, as for tournament.")
    ],
    rules: Annotated[
        str,
        typer.Option(
            "--rules", metavar="NAMES", help="Presets or rules files with commas between them, or all for every preset."
        ),
    ] = "sixtysix",
    toggle: Annotated[
        list[str] | None,
        typer.Option(
            "--toggle",
            metavar="FIELD",
            show_default=False,
            help="Add the base with this field changed, once for every other value; FIELD=VALUE for one, all for every "
            "field. May be given several times.",
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            "--base",
            metavar="NAME",
            show_default=False,
            help="What the others are compared with.  [default: the first]",
        ),
    ] = None,
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
    """Play the same deals under several rule sets.

    The report says what each rule changes. Each rule set is a run in a folder of its own inside that of the comparison,
    which is gone on with if it is there: only what it lacks is played, so that rule sets can be added.
    """
    from harness.cli.comparing import make_comparison, tell_comparison
    from harness.cli.output import adviser
    from harness.cli.playing import Playing, at_home
    from harness.game.rule_sets import choose_rule_sets
    from harness.run.comparison import check_comparison, configs_of, default_comparison_folder, described, placed

    rule_sets, left_out = choose_rule_sets(rules.split(","), toggle or (), base)
    for sentence in left_out:
        adviser(quiet)(f"note: left out: {sentence}")
    limits = limits_given(move_limit, hand_limit, start_limit, memory_limit)
    configs = configs_of(given(agents=agents, deals=deals, seed=seed, limits=limits), rule_sets)
    folder = default_comparison_folder(configs[0]) if out is None else at_home(out)
    check_comparison(folder, configs[0], replace)
    playing = Playing(workers, quiet, as_json, on_fault, plot, open_)
    compared = placed(folder, rule_sets, configs)
    _play(folder, compared, playing, replace)
    return tell_comparison(make_comparison(described(folder, compared), playing.draws), folder, playing)


def _play(folder: Path, compared: "list[Compared]", playing: "Playing", replace: bool) -> None:
    """Play what the comparison lacks; whatever would stop it later is found before the first hand."""
    from harness.cli.output import adviser
    from harness.run.agents import load_agents

    manner, tell, config = playing.manner, adviser(playing.quiet), compared[0].config
    agents = load_agents(config.agents, tell, config.limits)

    from harness.run.comparison import begin_comparison, described
    from harness.run.continued import found_so_far, play_rest
    from harness.run.sources import source_of

    so_far = [found_so_far(one.folder, one.config, replace) for one in compared]
    _tell_changes(so_far, [source_of(agent) for agent in agents], tell)
    begin_comparison(described(folder, compared), replace)
    for number, (one, known) in enumerate(zip(compared, so_far, strict=True), start=1):
        state = "" if known is None else ", goes on" if known.lacks(known.config) else ", has been played already"
        tell(f"{number} of {len(compared)}: {one.rule_set.name}{state}")
        try:
            play_rest(one.config, agents, one.folder, manner, known)
        except SixtySixError as error:
            error.add_note("the same sixtysix compare command again goes on with the comparison")
            raise


def _tell_changes(so_far: "list[SoFar | None]", sources: list[str], tell: Callable[[str], None]) -> None:
    """Warn of agents that are no longer what has played so far, once for each."""
    from harness.cli.playing import changed_agents

    known = [run for run in so_far if run is not None]
    for sentence in dict.fromkeys(sentence for run in known for sentence in changed_agents(run, sources)):
        tell(f"warning: {sentence}")
