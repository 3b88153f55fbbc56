"""Compile before the play begins: once a machine and version it takes a while, and the user is told."""

from collections.abc import Callable

from harness.core.kernel import is_cold, mark_warm


def warm_up(tell: Callable[[str], None]) -> None:
    """Compile, or load from the cache, every kernel that plays hands; `tell` hears before a long wait."""
    if is_cold():
        tell("compiling the rules for this machine; it takes ten to thirty seconds and happens once a version")
    # Kernels with explicit signatures are compiled, or loaded from the cache, when their module is imported.
    import harness.play.loop
    import harness.play.step  # noqa: F401

    mark_warm()
