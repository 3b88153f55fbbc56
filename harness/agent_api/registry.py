"""Find agents: installed ones by name (entry point group ``sixtysix.agents``), others by module, file or command."""

import importlib
import importlib.util
import inspect
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.agent_api.build import build, parameters_of, reason
from harness.agent_api.contract import CRASHES, is_compiled, is_python
from harness.agent_api.limits import Limits
from harness.agent_api.outside import OutsideAgent
from harness.agent_api.spec import parse_spec
from harness.errors import UsageError, did_you_mean
from harness.paths import is_file

GROUP = "sixtysix.agents"
_SHOW_LIST = '"sixtysix agents list" shows what is installed'


@dataclass(frozen=True)
class LoadedAgent:
    """An agent ready to play: the object, its name in tables, whether its policy is compiled."""

    name: str
    agent: Any
    is_compiled: bool

    @property
    def kind(self) -> str:
        """What the agent is: compiled, Python or a program."""
        return "program" if isinstance(self.agent, OutsideAgent) else _kind(self.agent)


@dataclass(frozen=True)
class AgentInfo:
    """What ``agents list`` tells of an installed agent; `parameters` maps names to defaults."""

    name: str
    kind: str
    about: str
    parameters: dict[str, Any]
    source: str


def installed_names() -> list[str]:
    """Names of all installed agents, sorted."""
    return sorted(entry_points(group=GROUP).names)


def installed_agents() -> list[AgentInfo]:
    """Describe all installed agents, sorted by name; importing them may compile their kernels."""
    return [_describe(_entry_point(name)) for name in installed_names()]


def load_agent(text: str, limits: Limits | None = None) -> LoadedAgent:
    """Find and build the agent that `text` names (see `harness.agent_api.spec`).

    `limits` are for outside programs, which are watched by the agent object itself.

    Raises
    ------
    UsageError
        If there is no such agent, it cannot be imported, or its parameters are wrong; says what is allowed.
    """
    spec = parse_spec(text)
    if spec.command is not None:
        agent = OutsideAgent(spec)
        agent.limits = limits or Limits()
        return LoadedAgent(spec.text, agent, is_compiled=False)
    cls = find_class(spec.target)
    return LoadedAgent(spec.text, build(spec, cls), is_compiled(cls))


def check_name(text: str) -> None:
    """Raise the UsageError that `load_agent` would, as far as the text and the names of installed agents tell."""
    target = parse_spec(text).target
    if ":" not in target:
        _entry_point(target)


def find_class(target: str) -> type:
    """Return the agent class that a target names: NAME, MODULE:CLASS or PATH.py:CLASS."""
    place, colon, class_name = target.rpartition(":")
    if not colon:
        cls = _import_entry_point(_entry_point(target))
    else:
        module = _module_from_file(Path(place), target) if place.endswith(".py") else _module(place, target)
        if not hasattr(module, class_name):
            classes = [name for name, value in vars(module).items() if inspect.isclass(value)]
            hint = did_you_mean(class_name, classes)
            raise UsageError(f'there is no class "{class_name}" in {place}{hint}')
        cls = getattr(module, class_name)
    if not inspect.isclass(cls) or is_compiled(cls) == is_python(cls):
        raise UsageError(
            f'"{target}" is not an agent: an agent is a class with either a method choose(view) or a compiled policy'
        )
    return cls


def _entry_point(name: str) -> EntryPoint:
    found = list(entry_points(group=GROUP, name=name))
    if not found:
        if Path(name).suffix == ".py":
            raise UsageError(f'"{name}" names a file but no class: write {name}:CLASS')
        raise UsageError(f'there is no agent "{name}"; {_SHOW_LIST}{did_you_mean(name, installed_names())}')
    if len({entry.value for entry in found}) > 1:
        packages = ", ".join(sorted(entry.dist.name if entry.dist else "?" for entry in found))
        raise UsageError(f'several installed packages bring an agent "{name}" ({packages}): write MODULE:CLASS instead')
    return found[0]


def _import_entry_point(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except CRASHES as error:
        raise UsageError(f'the installed agent "{entry.name}" cannot be imported: {reason(error)}') from error


def _module(name: str, target: str) -> ModuleType:
    _can_import_from(Path.cwd())
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise UsageError(f'"{target}": there is no module {error.name} here or among the installed ones') from error
        raise UsageError(f"{name} cannot be imported: {reason(error)}") from error
    except CRASHES as error:
        raise UsageError(f"{name} cannot be imported: {reason(error)}") from error


def _can_import_from(folder: Path) -> None:
    """Let imports look into a folder too, after everywhere else, so that nothing there can hide a library."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _module_from_file(path: Path, target: str) -> ModuleType:
    if not is_file(path):
        raise UsageError(f'"{target}": there is no file {path}')
    name = f"sixtysix_plugin_{path.resolve().as_posix().encode().hex()}"
    if name in sys.modules:
        return sys.modules[name]
    _can_import_from(path.resolve().parent)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while the class is made
    try:
        spec.loader.exec_module(module)
    except CRASHES as error:
        del sys.modules[name]
        raise UsageError(f"{path} cannot be imported: {reason(error)}") from error
    return module


def _kind(agent: Any) -> str:
    return "compiled" if is_compiled(agent) else "Python"


def _describe(entry: EntryPoint) -> AgentInfo:
    cls = _import_entry_point(entry)
    about = (inspect.getdoc(cls) or "").partition("\n")[0]
    defaults = {name: parameter.default for name, parameter in parameters_of(cls).items()}
    return AgentInfo(entry.name, _kind(cls), about, defaults, entry.dist.name if entry.dist else "?")
