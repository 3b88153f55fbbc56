"""The one decorator that compiles, and the cache folder that can never serve old rules.

Numba's file cache checks only the file of the function itself: a change in a helper or a constant elsewhere would
leave old machine code in use. So the cache lies in a folder named after a digest of everything that decides the
machine code: the sources of all rooms that hold kernels, the versions of numba and llvmlite, the processor and
every ``NUMBA_`` setting.
"""

import hashlib
import logging
import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, overload

import llvmlite
import llvmlite.binding
import numba
import numpy as np
import platformdirs

log = logging.getLogger(__name__)

numba_config: Any = numba.config
F = TypeVar("F", bound=Callable[..., Any])

_TOP = Path(__file__).resolve().parents[2]
COMPILED_ROOMS = ("harness/core", "harness/search", "harness/agent_api", "harness/play", "agents")
"""The folders whose sources take part in the digest; a kernel outside them is compiled without a cache."""

_PACKAGES = {room.partition("/")[0] for room in COMPILED_ROOMS}


def source_files() -> list[Path]:
    """Return the Python files of all compiled rooms, in a fixed order."""
    return sorted(path for room in COMPILED_ROOMS for path in (_TOP / room).rglob("*.py"))


def source_digest() -> str:
    """Digest of the sources of all compiled rooms: equal digests mean equal rules and equal built-in agents."""
    digest = hashlib.sha256()
    for path in source_files():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(_TOP).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def _machine_code_digest() -> str:
    settings = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("NUMBA_") and k != "NUMBA_CACHE_DIR"]
    parts = [
        source_digest(),
        numba.__version__,
        llvmlite.__version__,
        sys.version,
        np.__version__,
        llvmlite.binding.get_host_cpu_name(),
        llvmlite.binding.get_host_cpu_features().flatten(),
        *settings,
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _prepare_cache() -> Path | None:
    """Point numba at the cache folder; None, with a warning, where no folder can be written."""
    base = os.environ.get("SIXTYSIX_CACHE_DIR") or platformdirs.user_cache_dir("sixtysix", appauthor=False)
    folder = Path(base) / "kernels" / _machine_code_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(f"{folder} is not writable")
    except OSError as error:
        log.warning(
            "compiled code cannot be kept, so every start compiles again: %s; set SIXTYSIX_CACHE_DIR to a folder "
            "that can be written",
            error,
        )
        return None
    numba_config.CACHE_DIR = str(folder)
    return folder


CACHE_FOLDER = None if numba_config.DISABLE_JIT else _prepare_cache()
_READY = "ready"
_UNUSED_SECONDS = 30 * 24 * 3600

if numba_config.DISABLE_JIT:
    # Counter streams wrap around on purpose; compiled code does so silently, NumPy's scalars would warn.
    np.seterr(over="ignore")


def is_cold() -> bool:
    """Say whether kernels still have to be compiled on this machine."""
    return not numba_config.DISABLE_JIT and (CACHE_FOLDER is None or not (CACHE_FOLDER / _READY).exists())


def mark_warm() -> None:
    """Note that the kernels of this digest are compiled and in use; folders unused for a month are deleted."""
    if CACHE_FOLDER is None:
        return
    (CACHE_FOLDER / _READY).touch()
    with suppress(OSError):  # another process may be cleaning up too
        for folder in CACHE_FOLDER.parent.iterdir():
            if time.time() - _last_use(folder) > _UNUSED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def _last_use(folder: Path) -> float:
    marker = folder / _READY
    return marker.stat().st_mtime if marker.exists() else folder.stat().st_mtime


def _is_cached(function: Callable[..., Any]) -> bool:
    path = Path(function.__code__.co_filename).resolve()
    # Kept code remembers its module, so a built-in agent that is loaded as a plug-in, by its path, must not be kept.
    is_own = function.__module__.partition(".")[0] in _PACKAGES
    return CACHE_FOLDER is not None and is_own and any(path.is_relative_to(_TOP / room) for room in COMPILED_ROOMS)


@overload
def kernel(function: F) -> F: ...
@overload
def kernel(*, signature: Any) -> Callable[[F], F]: ...
def kernel(function: Any = None, *, signature: Any = None) -> Any:
    """Compile a function of numbers, arrays and records to machine code.

    With a `signature` (a numba signature) it is compiled for exactly that one, at once, as function pointers need it.
    Kernels of this repository are cached on disk, kernels of a plug-in are compiled anew by each process.
    """

    def compile_(function: Callable[..., Any]) -> Any:
        return numba.njit(signature, cache=_is_cached(function), error_model="numpy")(function)

    return compile_ if function is None else compile_(function)
