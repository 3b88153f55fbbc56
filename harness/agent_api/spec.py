"""How an agent is written on the command line: ``TARGET[:key=value,key=value]``, or ``cmd:COMMAND LINE``."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UsageError
from harness.paths import is_file

HOW_TO_WRITE = (
    "write an agent as NAME, MODULE:CLASS or PATH.py:CLASS, with parameters after it as in easy:slip=0.3,other=2, "
    "or as cmd:COMMAND LINE"
)
_COMMAND = "cmd:"


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

    @property
    def command(self) -> str | None:
        """The command line of an outside program, as a shell would read it; None for any other agent."""
        return self.target.removeprefix(_COMMAND) if self.target.startswith(_COMMAND) else None


def parse_spec(text: str) -> AgentSpec:
    """Read ``TARGET[:key=value,…]``; the parameters begin with the first part behind a colon that has an ``=``.

    All of what follows ``cmd:`` is a command line, whatever colons and equals signs it has.

    Raises
    ------
    UsageError
        Naming what is wrong and how to write it.
    """
    if not text.strip().isprintable():
        raise UsageError(f"the agent {text!a} has characters that cannot be printed: {HOW_TO_WRITE}")
    if text.strip().startswith(_COMMAND):
        return AgentSpec(_COMMAND + _command_line(text))
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


def _command_line(text: str) -> str:
    command = text.strip().removeprefix(_COMMAND).strip()
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f'"{text}" is not a command line, {_told(error)}: quote it as for a shell') from error
    if not words or not words[0]:
        raise UsageError(f'"{text}" names no program: write cmd:PROGRAM ARGUMENTS, as in cmd:./my-bot --level 3')
    return command


def _told(error: ValueError) -> str:
    """Say what `shlex` found missing."""
    return "a quotation mark is missing" if "quotation" in str(error) else "it ends in a backslash"


def beside(text: str, folder: Path) -> str:
    """Return an agent's text in which its files are those of a folder, where the folder has them.

    Of a command line these are the words that name a file there and have a slash or a dot in them; a program without a
    slash is looked up in PATH, as ever.
    """
    if folder == Path():
        return text
    if not text.strip().startswith(_COMMAND):
        place, colon, rest = text.partition(":")
        return f"{folder / place}{colon}{rest}" if place.endswith(".py") and is_file(folder / place) else text
    try:
        words = shlex.split(text.strip().removeprefix(_COMMAND))
    except ValueError:
        return text  # `parse_spec` tells what is wrong with it
    found = [
        str(folder / word) if (os.sep in word or (number and "." in word)) and is_file(folder / word) else word
        for number, word in enumerate(words)
    ]
    return text if found == words else _COMMAND + shlex.join(found)
