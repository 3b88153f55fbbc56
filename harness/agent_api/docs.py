"""What an agent's class says of itself in its docstring, which is written as numpydoc has it."""

import inspect


def own_doc(cls: type) -> str:
    """Return the docstring of a class, empty if it has none: neither an inherited one counts nor a dataclass's."""
    text = inspect.cleandoc(cls.__doc__ or "")
    return "" if text.startswith(f"{cls.__name__}(") else text


def documented_parameters(cls: type) -> set[str]:
    """Return the names below "Parameters" in the docstrings of a class and of those that it derives from."""
    return {name for one in cls.__mro__ for name in _parameters_in(own_doc(one))}


def _parameters_in(text: str) -> list[str]:
    lines = text.splitlines()
    at = next((i for i in range(1, len(lines)) if lines[i - 1] == "Parameters" and _is_rule(lines[i])), len(lines))
    names: list[str] = []
    for line, following in zip(lines[at + 1 :], [*lines[at + 2 :], ""], strict=False):
        if _is_rule(following):
            break  # the next section
        if line and not line.startswith(" "):
            names += [name.strip() for name in line.partition(":")[0].split(",")]
    return names


def _is_rule(line: str) -> bool:
    return bool(line) and set(line) == {"-"}
