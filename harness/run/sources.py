"""From which sources a run is played: versions, and a digest of each agent's own file."""

import hashlib
import inspect
import platform
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from harness.agent_api.registry import LoadedAgent
from harness.core.kernel import source_digest
from harness.errors import UsageError
from harness.game.rules import RULES_VERSION

_RECORDED_PACKAGES = ("numba", "llvmlite", "numpy", "duckdb")


def versions() -> dict[str, str]:
    """Return the versions of all that the result of a run depends on, and of what has written it."""
    return {
        "sixtysix": version("sixtysix"),
        "rules": str(RULES_VERSION),
        "sources": source_digest(),
        "python": platform.python_version(),
        **{package: version(package) for package in _RECORDED_PACKAGES},
    }


def check_sources(stored: Mapping[str, str], folder: Path) -> None:
    """Refuse to go on with a run that other rules or other compiled sources have begun.

    Raises
    ------
    UsageError
        Its hands would not be those that the run lacks.

    """
    now = versions()
    for key, name in (("rules", "rules"), ("sources", "compiled sources")):
        if stored.get(key) != now[key]:
            raise UsageError(
                f"{folder} was played by other {name} (version {stored.get('sixtysix')}, {stored.get(key)}) than these "
                f"(version {now['sixtysix']}, {now[key]}): go on with that version, or play it again with --replace"
            )


def source_of(loaded: LoadedAgent) -> str:
    """Return the SHA-256 of an agent's source file, or of a program's files; empty where there is none to be read."""
    if loaded.kind == "program":
        files = [Path(word) for word in loaded.agent.words]
    else:
        files = []
        with suppress(TypeError, OSError):
            files = [Path(inspect.getsourcefile(type(loaded.agent)) or "")]
    digest = hashlib.sha256()
    n_files = 0
    for file in files:
        with suppress(OSError, ValueError):
            if file.is_file():  # a word of a command may name a device, which never ends, or a terminal
                digest.update(file.read_bytes())
                n_files += 1
    return digest.hexdigest() if n_files else ""
