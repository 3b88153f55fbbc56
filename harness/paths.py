"""Paths as users give them, which may be too long, unreadable or no text at all."""

from pathlib import Path


def is_file(path: Path) -> bool:
    """Say whether a file is there; a path that the system refuses, as one too long, leads to none."""
    try:
        return path.is_file()
    except OSError:
        return False


def why(error: OSError) -> str:
    """Say in the system's words what was wrong."""
    return error.strerror or str(error)


def shown(path: Path | str) -> str:
    """Write a path for a message: bytes that are no text as question marks."""
    return str(path).encode(errors="replace").decode()
