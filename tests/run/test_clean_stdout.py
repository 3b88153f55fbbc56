import os
import subprocess
import sys
import textwrap

import pytest

CATCH = """
    import os, subprocess, sys
    from harness.run.clean_stdout import StdoutCatch
    kept = sys.stdout
    catch = StdoutCatch()
    def tell(*things):
        print(*things, file=sys.stderr)
"""
needs_c = pytest.mark.skipif(sys.platform == "win32", reason="the C library of a process cannot be had by name")


def run(script: str) -> tuple[str, str]:
    """Run a script in a new process and return its stdout, to a pipe, and its stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def caught(script: str) -> list[str]:
    """Run a script after `CATCH` and return what it tells; nothing may reach the real stdout."""
    stdout, stderr = run(textwrap.dedent(CATCH) + textwrap.dedent(script))
    assert stdout == ""
    return stderr.splitlines()


def test_what_is_printed_is_caught_once_and_apart() -> None:
    lines = caught("""
        tell(repr(catch.taken()))
        print("one", end="")
        tell(repr(catch.taken()))
        tell(repr(catch.taken()))
        print("two ♠")
        tell(repr(catch.taken()))
    """)
    assert lines == ["''", "'one'", "''", r"'two ♠\n'"]


def test_what_a_child_process_or_an_old_stream_or_a_number_writes_is_caught() -> None:
    lines = caught("""
        subprocess.run(["echo", "child"])
        tell(repr(catch.taken()))
        kept.write("old\\n")
        tell(repr(catch.taken()))
        os.write(1, b"number")
        tell(repr(catch.taken()))
    """)
    assert lines == [r"'child\n'", r"'old\n'", "'number'"]


@needs_c
def test_what_a_library_prints_in_c_is_caught_at_once() -> None:
    lines = caught("""
        import ctypes
        ctypes.CDLL(None).printf(b"in C")
        tell(repr(catch.taken()))
    """)
    assert lines == ["'in C'"]


def test_only_the_start_of_much_is_read_and_its_size_told() -> None:
    lines = caught("""
        print("é" * 100_000, end="")
        tell(ascii(catch.taken()))
        print("x" * 300, end="")
        tell(len(catch.taken()))
    """)
    assert lines == [ascii("é" * 300 + "… (200,000 bytes)"), "300"]


def test_what_is_no_text_is_caught() -> None:
    assert caught(r'os.write(1, b"a\xffb"); tell(ascii(catch.taken()))') == [ascii("a\ufffdb")]


CLEAN = """
    import ctypes, sys
    from harness.run.clean_stdout import clean_stdout
    printf = ctypes.CDLL(None).printf
"""


@needs_c
def test_what_an_agent_prints_in_c_goes_to_stderr_and_what_came_before_to_stdout() -> None:
    stdout, stderr = run(
        textwrap.dedent(CLEAN)
        + textwrap.dedent("""
        printf(b"before ")
        print("Python ", end="")
        with clean_stdout():
            print("agent ", end="")
            printf(b"in C")
        printf(b"after")
    """)
    )
    assert stdout in ("before Python after", "Python before after")
    assert stderr in ("agent in C", "in Cagent ")
