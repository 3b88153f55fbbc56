"""``sixtysix agents list`` and ``show``: what can play."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import AsJson, Quiet, examples
from harness.cli.output import adviser, indented, refilled, show, table

if TYPE_CHECKING:
    from harness.agent_api.details import AgentDetails, ParameterDetails
    from harness.agent_api.registry import AgentInfo

EXAMPLES = examples(
    "sixtysix agents list",
    "sixtysix agents show normal",
    "sixtysix agents new my_bot",
    "sixtysix agents check my_bot.py:MyBot",
)
LIST_EXAMPLES = examples("sixtysix agents list", "sixtysix agents list --json")
SHOW_EXAMPLES = examples(
    "sixtysix agents show normal", "sixtysix agents show my_bot.py:MyBot", "sixtysix agents show easy:slip=0.3 --json"
)


def list_agents(as_json: AsJson = False, quiet: Quiet = False) -> None:
    """List the installed agents, their parameters and defaults."""
    from harness.agent_api.registry import installed_agents
    from harness.play.warm import warm_up
    from harness.run.clean_stdout import clean_stdout

    warm_up(adviser(quiet))
    with clean_stdout():
        installed = installed_agents()
    if as_json:
        show(_as_json([vars(agent) for agent in installed]))
    else:
        show("\n".join(_block(agent) for agent in installed))


def show_agent(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", show_default=False, help="The agent: NAME, MODULE:CLASS, PATH.py:CLASS or cmd:COMMAND."
        ),
    ],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show all about an agent: kind, source, what it says of itself, parameters with defaults and bounds."""
    from dataclasses import asdict

    from harness.agent_api.details import details_of
    from harness.run.agents import load_agents

    details = details_of(load_agents([name], adviser(quiet))[0])
    show(_as_json(asdict(details)) if as_json else _page(details))


def _as_json(content: Any) -> str:
    """Write JSON; a default of some other class stands there as text."""
    return json.dumps(content, indent=2, ensure_ascii=False, default=str)


def _block(agent: "AgentInfo") -> str:
    """Tell of an agent in lines that fit a terminal."""
    parameters = ", ".join(f"{name}={value}" for name, value in agent.parameters.items())
    lines = [f"{agent.name}  {agent.kind}, of the package {agent.source}", *indented(agent.about)]
    return "\n".join([*lines, *indented(f"parameters: {parameters}" if parameters else "no parameters"), ""])


def _page(agent: "AgentDetails") -> str:
    """Tell all of an agent."""
    parts = [f"{agent.name}  {agent.kind}, of {agent.source}", refilled(agent.about)]
    parts.append(table([_row(parameter) for parameter in agent.parameters]) if agent.parameters else "no parameters")
    return "\n\n".join(part for part in parts if part)


def _row(parameter: "ParameterDetails") -> tuple[str, str, str]:
    bounds = "any value" if parameter.low is None else f"{parameter.low:g} to {parameter.high:g}"
    changed = "" if parameter.value == parameter.default else f", by default {parameter.default}"
    return parameter.name, f"{parameter.value}", f"{bounds}{changed}"
