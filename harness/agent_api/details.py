"""All that can be told of an agent without playing it."""

import inspect
from dataclasses import dataclass
from importlib.metadata import entry_points

from harness.agent_api.bounds import bounds_of
from harness.agent_api.build import parameters_of
from harness.agent_api.docs import own_doc
from harness.agent_api.registry import GROUP, LoadedAgent, find_class
from harness.agent_api.spec import parse_spec


@dataclass(frozen=True)
class ParameterDetails:
    """A parameter of an agent: its value, its default (None if it has to be given), its bounds if it has any."""

    name: str
    value: object
    default: object
    low: float | None
    high: float | None


@dataclass(frozen=True)
class AgentDetails:
    """An agent: its text, its kind, where it comes from, its whole docstring, its parameters."""

    name: str
    kind: str
    source: str
    about: str
    parameters: tuple[ParameterDetails, ...]


def details_of(loaded: LoadedAgent) -> AgentDetails:
    """Tell all of an agent; a program has neither docstring nor parameters that could be seen."""
    spec = parse_spec(loaded.name)
    if spec.command is not None:
        return AgentDetails(loaded.name, loaded.kind, f"the command {spec.command}", "", ())
    cls = find_class(spec.target)
    bounds = bounds_of(cls)
    parameters = []
    for name, parameter in parameters_of(cls).items():
        default = None if parameter.default is parameter.empty else parameter.default
        low, high = (bounds[name].low, bounds[name].high) if name in bounds else (None, None)
        parameters.append(ParameterDetails(name, getattr(loaded.agent, name, default), default, low, high))
    return AgentDetails(loaded.name, loaded.kind, _source(spec.target, cls), own_doc(cls), tuple(parameters))


def _source(target: str, cls: type) -> str:
    """Say where an agent comes from: the package that has installed it, or its file."""
    found = [entry for entry in entry_points(group=GROUP, name=target) if entry.dist]
    if found and found[0].dist:
        return f"the package {found[0].dist.name}"
    return f"the file {inspect.getsourcefile(cls)}"
