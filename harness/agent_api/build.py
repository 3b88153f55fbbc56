"""Make an agent from its class and its parameters as text, and check that it keeps the contract."""

import inspect
import sysconfig
import traceback
import typing
from pathlib import Path
from typing import Any

from numba.extending import is_jitted
from pydantic import ConfigDict, PydanticSchemaGenerationError, TypeAdapter, ValidationError

from harness.agent_api.compiled import POLICY_SIGNATURE
from harness.agent_api.contract import CRASHES, is_compiled
from harness.agent_api.spec import AgentSpec
from harness.core.kernel import numba_config
from harness.errors import FaultsError, UsageError, did_you_mean

_NOT_THEIRS = (Path(__file__).resolve().parents[1], Path(sysconfig.get_path("stdlib")))
MOST_SCRATCH = 1 << 27
"""Words of working memory that a compiled agent may ask for: 1 GiB."""
_FINITE = ConfigDict(allow_inf_nan=False)
_WANTED = {"int_parsing": "a whole number", "float_parsing": "a number", "bool_parsing": "true or false"}


def parameters_of(cls: type) -> dict[str, inspect.Parameter]:
    """Return the keyword parameters of an agent class, in order."""
    return {
        name: parameter
        for name, parameter in inspect.signature(cls).parameters.items()
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    }


def build(spec: AgentSpec, cls: type) -> Any:
    """Build the agent that `spec` describes.

    Raises
    ------
    UsageError
        If a parameter is unknown, missing or wrong (all of them at once), or the class does not keep the contract.
    """
    values = _values(spec, cls)
    try:
        agent = cls(**values)
    except CRASHES as error:
        why = str(error) if isinstance(error, ValueError) else reason(error)
        raise UsageError(f"the agent {spec.text} cannot be built: {why}") from error
    if is_compiled(cls):
        _check_compiled(spec, agent)
    return agent


def reason(error: BaseException) -> str:
    """Tell an error with the place in the agent's own code: the last frame outside this package and its libraries."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith("<") and "site-packages" not in frame.filename
    ]
    own = [frame for frame in frames if not any(Path(frame.filename).is_relative_to(room) for room in _NOT_THEIRS)]
    where = f" ({Path(own[-1].filename).name}, line {own[-1].lineno})" if own else ""
    return f"{type(error).__name__}: {error}{where}"


def _values(spec: AgentSpec, cls: type) -> dict[str, Any]:
    allowed = parameters_of(cls)
    faults: list[str] = []
    values: dict[str, Any] = {}
    for name, text in spec.parameters:
        if name not in allowed:
            listed = f"its parameters are {', '.join(allowed)}" if allowed else "it has no parameters"
            faults.append(f'{spec.target} has no parameter "{name}"; {listed}{did_you_mean(name, allowed)}')
            continue
        try:
            values[name] = _converted(text, _type_of(cls, allowed[name]))
        except ValidationError as error:
            first = error.errors()[0]
            wanted = _WANTED.get(first["type"]) or first["msg"].removeprefix("Input should be ")
            faults.append(f"{name}={text} of {spec.target}: must be {wanted}")
    faults += [
        f"{spec.target} needs the parameter {name}: write {spec.target}:{name}=VALUE"
        for name, parameter in allowed.items()
        if parameter.default is parameter.empty and name not in dict(spec.parameters)
    ]
    if faults:
        raise FaultsError(f"the agent {spec.text} cannot be built:", faults)
    return values


def _type_of(cls: type, parameter: inspect.Parameter) -> Any:
    """Return the type of a parameter: its annotation, else the type of its default, else text."""
    try:
        hints = typing.get_type_hints(vars(cls).get("__init__", object.__init__))
    except NameError as error:
        raise UsageError(f"the annotations of {cls.__name__} cannot be read: {error}") from error
    if parameter.name in hints:
        return hints[parameter.name]
    return str if parameter.default in (parameter.empty, None) else type(parameter.default)


def _converted(text: str, kind: Any) -> Any:
    try:
        adapter = TypeAdapter(kind, config=_FINITE)
    except PydanticSchemaGenerationError as error:
        raise UsageError(f"a parameter of type {kind} cannot be given as text: use int, float, bool or str") from error
    return adapter.validate_strings(text)


def _check_compiled(spec: AgentSpec, agent: Any) -> None:
    if not is_jitted(agent.policy) and not numba_config.DISABLE_JIT:
        raise UsageError(
            f"the policy of {spec.target} is not compiled: decorate it with harness.agent_api.compiled.policy and "
            "write `policy = staticmethod(...)` in the class"
        )
    try:
        if is_jitted(agent.policy):
            agent.policy.get_compile_result(POLICY_SIGNATURE)
            agent.policy.disable_compile()  # for no other: what does not fit is an error
        numbers = [float(number) for number in agent.params()]
        n_scratch = int(agent.n_scratch)
    except Exception as error:
        raise UsageError(
            f"{spec.target} does not keep the contract of compiled agents ({reason(error)}): make it a dataclass of "
            "numbers that derives from harness.agent_api.compiled.Compiled"
        ) from error
    if not 0 <= n_scratch <= MOST_SCRATCH or any(number != number for number in numbers):
        raise UsageError(f"{spec.target}: a parameter is no number, or n_scratch is not from 0 to {MOST_SCRATCH:,}")
