"""``sixtysix agents``: what can play."""

from typing import TYPE_CHECKING

from harness.cli.options import Quiet, examples
from harness.cli.output import adviser, indented, show

if TYPE_CHECKING:
    from harness.agent_api.registry import AgentInfo

EXAMPLES = examples("sixtysix agents list")


def list_agents(quiet: Quiet = False) -> None:
    """List the installed agents, their parameters and defaults."""
    from harness.agent_api.registry import installed_agents
    from harness.play.warm import warm_up
    from harness.run.clean_stdout import clean_stdout

    warm_up(adviser(quiet))
    with clean_stdout():
        installed = installed_agents()
    show("\n".join(_block(agent) for agent in installed))


def _block(agent: "AgentInfo") -> str:
    """Tell of an agent in lines that fit a terminal."""
    parameters = ", ".join(f"{name}={value}" for name, value in agent.parameters.items())
    lines = [f"{agent.name}  {agent.kind}, of the package {agent.source}", *indented(agent.about)]
    return "\n".join([*lines, *indented(f"parameters: {parameters}" if parameters else "no parameters"), ""])
