"""The beginning of a new bot: a working one, copied under a name of its own."""

import ast
import keyword
import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from importlib.resources import files
from pathlib import Path
from typing import Final

from harness.errors import UsageError, did_you_mean
from harness.paths import why

KINDS: Final = ("python", "compiled", "program")
_CLASS, _ALL_MAY_RUN = "MyBot", 0o111


@dataclass(frozen=True)
class Scaffold:
    """A new bot: its kind, its file, the text in it, and how the bot is written on the command line."""

    kind: str
    path: Path
    text: str
    agent: str


def plan_scaffold(name: str, kind: str, out: Path | None) -> Scaffold:
    """Plan a new bot of one of `KINDS`, in the file `out` or in one that is named after it.

    Raises
    ------
    UsageError
        For a name that cannot be that of a class or would hide something, another kind, or a file of another ending.
    """
    if kind not in KINDS:
        raise UsageError(f'kind = "{kind}": must be one of {", ".join(KINDS)}{did_you_mean(kind, KINDS)}')
    words = _words_of(name)
    template = files("harness.agent_api.templates").joinpath(f"{kind}_bot.py").read_text(encoding="utf-8")
    class_name, stem = "".join(word[0].upper() + word[1:] for word in words), "_".join(words).lower()
    if class_name in _names_in(template):
        raise UsageError(f'the name "{name}" is taken: a {kind} bot uses {class_name} itself; try {stem}_bot')
    path = _path(name, stem, kind, out)
    place = str(path)
    if kind == "program":
        agent = f"cmd:{shlex.quote(place if os.sep in place else f'.{os.sep}{place}')}"
    else:
        agent = f"{place}:{class_name}"
    return Scaffold(kind, path, template.replace(_CLASS, class_name), agent)


def write_scaffold(scaffold: Scaffold) -> None:
    """Write the file of a new bot; a program may be run.

    Raises
    ------
    UsageError
        If the file is there already or cannot be written.
    """
    try:
        with scaffold.path.open("x", encoding="utf-8") as file:
            file.write(scaffold.text)
        if scaffold.kind == "program":
            scaffold.path.chmod(scaffold.path.stat().st_mode | _ALL_MAY_RUN)
    except FileExistsError:
        raise UsageError(f"{scaffold.path} is there already: choose another name, or another file with --out") from None
    except OSError as error:
        raise UsageError(f"{scaffold.path} cannot be written: {why(error)}") from error


def _words_of(name: str) -> Sequence[str]:
    """Split a name into its words, my_bot or MyBot; UsageError if it cannot name a class."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z_]+", name) if name.isidentifier() else []
    if not words or keyword.iskeyword(name.lower()) or not words[0][0].isalpha():
        usable = "_".join(re.findall(r"[A-Za-z0-9]+", name)).lower().lstrip("0123456789_") or "my_bot"
        hint = f"{usable}_bot" if keyword.iskeyword(usable) else usable
        raise UsageError(f'"{name}" cannot be the name of a bot: use letters, digits and _, as in {hint}')
    return words


def _path(name: str, stem: str, kind: str, out: Path | None) -> Path:
    if out is not None:
        if kind != "program" and out.suffix != ".py":
            raise UsageError(f"the file {out} must end in .py, as in {out.with_suffix('.py')}")
        return out
    path = Path(f"{stem}.py")
    if not path.exists() and _is_module(stem):
        raise UsageError(
            f'a file {path} would hide the module "{stem}" from every program that is started here: try {stem}_bot, or '
            "name a file with --out"
        )
    return path


def _is_module(stem: str) -> bool:
    """Say whether the standard library or an installed package has a module of this name."""
    return stem in sys.stdlib_module_names or stem in packages_distributions()


def _names_in(template: str) -> set[str]:
    """Return the names that a template uses."""
    nodes = list(ast.walk(ast.parse(template)))
    imported = {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
    return imported | {node.id for node in nodes if isinstance(node, ast.Name)}
