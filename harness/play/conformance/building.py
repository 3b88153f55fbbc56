"""Checks of how an agent is built: its class, its parameters, its methods."""

import inspect
import math
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, Final

from harness.agent_api.bounds import Bounds, bounds_of
from harness.agent_api.build import parameters_of
from harness.agent_api.contract import OptionalHooks
from harness.agent_api.docs import documented_parameters, own_doc
from harness.errors import UsageError
from harness.game.rules import Rules
from harness.play.conformance.hands import Case, play_hand, seat
from harness.play.conformance.subject import OPPONENT, Subject
from harness.play.conformance.verdict import CheckFailedError, CheckSkippedError

HOOKS: Final = {
    name: tuple(inspect.signature(method).parameters)[1:]
    for name, method in vars(OptionalHooks).items()
    if not name.startswith("_")
}
"""The arguments of each optional method of a Python agent."""
BUILD_HINT: Final = "several of it must fit into one process: in a mirror match it plays against itself"
_NEAR = 0.8
_STORE_HINT = (
    "the constructor only stores its parameters, under their own names; work belongs into start_hand or choose"
)


def builds(subject: Subject) -> str:
    """It is built from its text, more than once, and keeps its parameters as they were given."""
    try:
        with subject.fresh() as first, subject.fresh() as second:
            if subject.cls is None:
                return "built twice"
            agents = (first.agent, second.agent)
            names = parameters_of(subject.cls)
            kept = [_kept(agent, names) for agent in agents]
            clone = _kept(subject.cls(**{name: getattr(first.agent, name) for name in names}), names)
    except UsageError as error:
        raise CheckFailedError(f"it could be built once, but not again: {error}", BUILD_HINT) from error
    _compare_kept(kept[0], kept[1], "built twice from the same text")
    _compare_kept(kept[0], clone, "built from its own attributes")
    given = dict(subject.spec.parameters)
    defaults = {name: repr(one.default) for name, one in names.items() if name not in given}
    _compare_kept(defaults, kept[0], "a parameter's default beside what is kept of it")
    has_repr = repr(agents[0]) != object.__repr__(agents[0])
    if has_repr and repr(agents[0]) != repr(agents[1]):
        raise CheckFailedError(f"two of it look different: {agents[0]!r} and {agents[1]!r}", _STORE_HINT)
    return "built twice, each parameter as it was given"


def _kept(agent: Any, names: Any) -> dict[str, str]:
    missing = [name for name in names if not hasattr(agent, name)]
    if missing:
        raise CheckFailedError(f"it keeps no attribute {', '.join(missing)}", _STORE_HINT)
    return {name: repr(getattr(agent, name)) for name in names}


def _compare_kept(one: dict[str, str], other: dict[str, str], when: str) -> None:
    for name in one:
        if one[name] != other[name]:
            raise CheckFailedError(f"{name} is {one[name]} and {other[name]}, {when}", _STORE_HINT)


def documented(subject: Subject) -> str:
    """Its class has a docstring that tells its idea and every parameter."""
    cls = subject.of_class()
    if not own_doc(cls):
        hint = 'begin the class with """What it does, in a sentence.""": "sixtysix agents list" shows it'
        raise CheckFailedError(f"the class {cls.__name__} has no docstring", hint)
    names = list(parameters_of(cls))
    missing = [name for name in names if name not in documented_parameters(cls)]
    if missing:
        hint = (
            'tell them in the class docstring below "Parameters" and "----------": the name, then its meaning and '
            "bounds on indented lines"
        )
        raise CheckFailedError(f"the docstring does not tell of {', '.join(missing)}", hint)
    return f"an idea, and {', '.join(names)}" if names else "an idea; there are no parameters"


def bounded(subject: Subject, rules: Rules) -> str:
    """Its defaults are inside their bounds; it plays at each bound and refuses what is beyond."""
    bounds = bounds_of(subject.of_class())
    if not bounds:
        raise CheckSkippedError("no parameter has bounds (parameter() declares them)")
    for name, (default, low, high) in bounds.items():
        if not low <= default <= high:
            hint = "write harness.agent_api.bounds.parameter(default, lowest, highest)"
            raise CheckFailedError(f"{name} = {default:g} by default, which is not from {low:g} to {high:g}", hint)
        for beyond in _beyond(bounds[name]):
            _must_refuse(subject, name, beyond)
        for bound in (low, high):
            _must_play(subject, rules, name, bound)
    return ", ".join(f"{name} {low:g} to {high:g}" for name, (_, low, high) in bounds.items())


def _beyond(bounds: Bounds) -> Iterator[float]:
    """The nearest values outside the bounds."""
    if all(isinstance(bound, int) for bound in bounds):
        yield from (bounds.low - 1, bounds.high + 1)
    yield from (math.nextafter(float(bounds.low), -math.inf), math.nextafter(float(bounds.high), math.inf))


def _must_refuse(subject: Subject, name: str, value: float) -> None:
    try:
        with subject.fresh(**{name: value}):
            pass
    except UsageError:
        return
    hint = "call harness.agent_api.bounds.check_bounds(self) in __post_init__; Compiled does so by itself"
    raise CheckFailedError(f"{name} = {value!r} is outside its bounds, and not refused", hint)


def _must_play(subject: Subject, rules: Rules, name: str, value: float) -> None:
    try:
        with subject.fresh(**{name: value}) as agent, Subject(OPPONENT).fresh() as opponent:
            sides = seat(agent, rules, 0), seat(opponent, rules, 1)
            records = [play_hand(Case(rules, (agent.name, OPPONENT), half, half), sides) for half in (0, 1)]
    except UsageError as error:
        hint = "bounds belong to the values that are allowed"
        raise CheckFailedError(f"{name} = {value:g} is one of its bounds, but refused: {error}", hint) from error
    for record in records:
        if record.wrong is not None:
            note = f"with {name} = {value:g}, one of its bounds, it {record.wrong.what}"
            raise CheckFailedError(note, "narrow the bounds, or mend the play", record.place(), record.wrong.story)


def hooked(subject: Subject) -> str:
    """Its optional methods have the right names and take what they are given."""
    cls = subject.of_class()
    if subject.is_compiled:
        raise CheckSkippedError("a compiled agent is told nothing but its view")
    methods = [name for name in dir(cls) if not name.startswith("_") and callable(getattr(cls, name))]
    for name in methods:
        near = get_close_matches(name, [*HOOKS, "choose"], n=1, cutoff=_NEAR)
        if near and name != near[0]:
            hint = f"rename it to {near[0]}, or to something quite different"
            raise CheckFailedError(f"its method {name} is never called; did you mean {near[0]}?", hint)
    there = [name for name in HOOKS if name in methods]
    with subject.fresh() as agent:
        for name in there:
            _check_signature(agent.agent, name, HOOKS[name])
    return ", ".join(there) if there else "none of them is there"


def _check_signature(agent: Any, name: str, arguments: tuple[str, ...]) -> None:
    try:
        inspect.signature(getattr(agent, name)).bind(*arguments)
    except TypeError as error:
        written = f"{name}(self, {', '.join(arguments)})"
        raise CheckFailedError(f"{name} cannot be called: {error}", f"write it as def {written}") from error
