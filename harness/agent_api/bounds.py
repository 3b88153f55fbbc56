"""Bounds of an agent's parameters, declared where the parameter is."""

from dataclasses import field, fields, is_dataclass
from typing import Any, NamedTuple


class Bounds(NamedTuple):
    """A parameter's default and the lowest and highest value that it may have."""

    default: float
    low: float
    high: float


def parameter(default: float, low: float, high: float) -> Any:
    """Make a field of an agent that is a dataclass: a number from `low` to `high`, which `check_bounds` checks."""
    return field(default=default, metadata={"low": low, "high": high})


def check_bounds(agent: Any) -> None:
    """Check all fields made by `parameter`; ValueError names the first that is outside its bounds."""
    for name, (_, low, high) in bounds_of(type(agent)).items():
        value = getattr(agent, name)
        if not low <= value <= high:
            raise ValueError(f"{name} = {value:g}: must be from {low:g} to {high:g}")


def bounds_of(cls: type) -> dict[str, Bounds]:
    """Return the bounds of an agent class's parameters, of those that have any."""
    if not is_dataclass(cls):
        return {}
    bounded: list[Any] = [one for one in fields(cls) if {"low", "high"} <= set(one.metadata)]
    return {one.name: Bounds(one.default, one.metadata["low"], one.metadata["high"]) for one in bounded}
