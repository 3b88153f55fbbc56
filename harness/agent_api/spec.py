"""How an agent is written on the command line: ``TARGET[:key=value,key=value]``."""

from dataclasses import dataclass

from harness.errors import UsageError

HOW_TO_WRITE = (
    "write an agent as NAME, MODULE:CLASS or PATH.py:CLASS, with parameters after it as in easy:slip=0.3,other=2"
)


@dataclass(frozen=True)
class AgentSpec:
    """An agent as a user writes it: the target that is looked up, and its parameters as text."""

    target: str
    parameters: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """The canonical text, which names the agent in tables and results."""
        if not self.parameters:
            return self.target
        return f"{self.target}:{','.join(f'{key}={value}' for key, value in self.parameters)}"


def parse_spec(text: str) -> AgentSpec:
    """Read ``TARGET[:key=value,…]``; the parameters begin with the first part behind a colon that has an ``=``.

    Raises
    ------
    UsageError
        Naming what is wrong and how to write it.
    """
    if not text.strip().isprintable():
        raise UsageError(f"the agent {text!a} has characters that cannot be printed: {HOW_TO_WRITE}")
    parts = text.strip().split(":")
    n_target = next((i for i, part in enumerate(parts) if i and "=" in part), len(parts))
    target, rest = ":".join(parts[:n_target]), ":".join(parts[n_target:])
    if not all(parts[:n_target]):
        raise UsageError(f'"{text}" names no agent: {HOW_TO_WRITE}')
    parameters: dict[str, str] = {}
    for part in rest.split(",") if rest else ():
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise UsageError(f'"{part}" in "{text}" is not a parameter: {HOW_TO_WRITE}')
        if key.strip() in parameters:
            raise UsageError(f'the parameter "{key.strip()}" stands twice in "{text}": give it once')
        parameters[key.strip()] = value.strip()
    return AgentSpec(target, tuple(sorted(parameters.items())))
