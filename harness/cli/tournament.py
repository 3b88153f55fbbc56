"""``sixtysix tournament``: several agents, everyone against everyone or one against the rest."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from harness.cli.options import (
    Anchor,
    AsJson,
    Deals,
    FormatName,
    HandLimit,
    MatchPlay,
    MemoryLimit,
    MoveLimit,
    OnFault,
    Open,
    Out,
    Plot,
    Quiet,
    Record,
    Replace,
    RuleChanges,
    RulesName,
    Seed,
    StartLimit,
    Workers,
    examples,
    given,
    limits_given,
    play_of,
)
from harness.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from harness.cli.playing import Playing

EXAMPLES = examples(
    "sixtysix tournament random easy normal",
    "sixtysix tournament configs/tournaments/first.toml --workers 2",
    "sixtysix tournament normal easy random --format gauntlet --anchor normal",
    "sixtysix tournament mine.py:Mine --into results/random-vs-easy-vs-normal-1a2b3c4d",
    "sixtysix tournament random easy normal --rules bicycle --rule nines=true --deals 50000",
)


def tournament(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", show_default=False, help="Agents, or one config file in TOML."),
    ] = None,
    rules: RulesName = None,
    rule: RuleChanges = None,
    format_: FormatName = None,
    deals: Deals = None,
    seed: Seed = None,
    anchor: Anchor = None,
    workers: Workers = None,
    out: Out = None,
    replace: Replace = False,
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="RUN", help="Add these agents, or more --deals, to the run in this folder."),
    ] = None,
    match_play: MatchPlay = False,
    record: Record = None,
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
    """Play several agents against each other, and rate them.

    An option counts before an environment variable, that before the config file, that before the default; with --rules
    the file's table of single rules does not count either. A config file may name files of agents and rules by their
    paths from its own folder, or from the current one.

    With --into, agents and deals are added to a run, and only what is missing is played, on the same deals.
    """
    from harness.cli.playing import Playing, play_new
    from harness.run.config import build_config

    limits = limits_given(move_limit, hand_limit, start_limit, memory_limit)
    settings = given(
        rules=rules,
        format=format_,
        deals=deals,
        seed=seed,
        anchor=anchor,
        record=record,
        limits=limits,
        play=play_of(match_play),
    )
    if rules is not None:
        settings["rule"] = {}
    if not agents and into is None:
        raise typer.BadParameter("give two agents or more, or a config file", param_hint="AGENT")
    settings = {**_from_arguments(agents or []), **settings}
    playing = Playing(workers, quiet, as_json, on_fault, plot, open_)
    if into is not None:
        return _grow(into, settings, rule or [], playing, is_placed=out is not None or replace)
    return play_new(build_config(settings, rule or ()), playing, out, replace)


def _grow(into: Path, settings: dict[str, object], rule: list[str], playing: "Playing", is_placed: bool) -> ExitStatus:
    """Play what a run lacks for more agents or deals."""
    from harness.cli.playing import at_home, play_more
    from harness.run.folder import reopened_folder
    from harness.run.so_far import grow_config, read_so_far

    if is_placed:
        raise UsageError("--into names the folder of a run that is kept: leave out --out and --replace")
    folder = at_home(into)
    with reopened_folder(folder):
        so_far = read_so_far(folder)
    return play_more(folder, so_far, grow_config(so_far.config, settings, rule), playing)


def _from_arguments(agents: list[str]) -> dict[str, object]:
    """Return the settings of the config file, or the agents, that the arguments name."""
    from harness.run.config import read_config_file

    files = [agent for agent in agents if agent.endswith(".toml") and not agent.startswith("cmd:")]
    if not files:
        return {"agents": agents} if agents else {}
    if len(agents) > 1:
        raise UsageError(f"{files[0]} is a config file: give it alone, or agents without it")
    return read_config_file(Path(files[0]))
