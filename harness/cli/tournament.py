"""``sixtysix tournament``: several agents, everyone against everyone or one against the rest."""

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options import (
    Anchor,
    AsJson,
    Deals,
    FormatName,
    Out,
    Quiet,
    Replace,
    RuleChanges,
    RulesName,
    Seed,
    Workers,
    examples,
    given,
)
from harness.errors import UsageError

EXAMPLES = examples(
    "sixtysix tournament random easy normal",
    "sixtysix tournament configs/tournaments/first.toml --workers 2",
    "sixtysix tournament normal easy random --format gauntlet --anchor normal",
    "sixtysix tournament random easy normal --rules bicycle --rule nines=true --deals 50000",
)


def tournament(
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT", show_default=False, help="Agents, or one config file in TOML.")
    ],
    rules: RulesName = None,
    rule: RuleChanges = None,
    format_: FormatName = None,
    deals: Deals = None,
    seed: Seed = None,
    anchor: Anchor = None,
    workers: Workers = None,
    out: Out = None,
    replace: Replace = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play several agents against each other, and rate them.

    An option counts before an environment variable, that before the config file, that before the default; with --rules
    the file's table of single rules does not count either. A config file may name files of agents and rules by their
    paths from its own folder, or from the current one.
    """
    from harness.cli.playing import play_and_report
    from harness.run.config import build_config

    settings = given(rules=rules, format=format_, deals=deals, seed=seed, anchor=anchor)
    if rules is not None:
        settings["rule"] = {}
    config = build_config({**_from_arguments(agents), **settings}, rule or ())
    play_and_report(config, workers=workers, out=out, replace=replace, quiet=quiet, as_json=as_json)


def _from_arguments(agents: list[str]) -> dict[str, object]:
    """Return the settings of the config file, or the agents, that the arguments name."""
    from harness.run.config import read_config_file

    files = [agent for agent in agents if agent.endswith(".toml")]
    if not files:
        return {"agents": agents}
    if len(agents) > 1:
        raise UsageError(f"{files[0]} is a config file: give it alone, or agents without it")
    return read_config_file(Path(files[0]))
