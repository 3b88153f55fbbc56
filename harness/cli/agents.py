"""``sixtysix agents``: what can play."""

from harness.cli.options import Quiet, examples
from harness.cli.output import adviser, show, table

EXAMPLES = examples("sixtysix agents list")


def list_agents(quiet: Quiet = False) -> None:
    """List the installed agents, their parameters and defaults."""
    from harness.agent_api.registry import installed_agents
    from harness.play.warm import warm_up
    from harness.run.clean_stdout import clean_stdout

    warm_up(adviser(quiet))
    with clean_stdout():
        installed = installed_agents()
    rows = [
        (
            agent.name,
            agent.kind,
            agent.source,
            ",".join(f"{name}={value}" for name, value in agent.parameters.items()) or "-",
            agent.about,
        )
        for agent in installed
    ]
    show(table([("name", "kind", "package", "parameters", "idea"), *rows]))
