"""The agents of a run: looked up, then compiled, then built.

This module is imported before the kernels of the hand loop are, so that a user hears of the first compilation before
it begins and of a misspelt agent without waiting for it.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from harness.agent_api.limits import Limits
from harness.agent_api.registry import LoadedAgent, check_name, load_agent
from harness.errors import FaultsError, UsageError, faults_of
from harness.play.warm import warm_up
from harness.run.clean_stdout import clean_stdout

Result = TypeVar("Result")


def load_agents(texts: Sequence[str], tell: Callable[[str], None], limits: Limits | None = None) -> list[LoadedAgent]:
    """Compile or load what plays hands, and load the agents; `tell` hears before a long wait.

    Outside programs are given their limits, and keep to them.

    An agent that is named twice is built twice: in a mirror match no side may see the other's state.

    Raises
    ------
    FaultsError
        All agents that do not exist or cannot be built.
    """
    _all(check_name, texts)
    warm_up(tell)
    with clean_stdout():
        return _all(lambda text: load_agent(text, limits), texts)


def _all(make: Callable[[str], Result], texts: Sequence[str]) -> list[Result]:
    """Make something of each text; what cannot be made is told for all of them at once."""
    made: list[Result] = []
    faults: dict[str, None] = {}
    for text in texts:
        try:
            made.append(make(text))
        except UsageError as error:
            faults.update(dict.fromkeys(faults_of(error)))
    if faults:
        raise FaultsError("these agents cannot play:" if len(faults) > 1 else "", list(faults))
    return made
