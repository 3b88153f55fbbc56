import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from harness.log import TerminalHandler
from harness.run.progress import Bar, Lines, Silent, Standing, choose_progress, standing_of
from harness.stats.scales import POINTS
from harness.stats.sequence import confidence_sequence
from harness.store.rows import ChunkRow
from tests.helpers.command import clean_environment


def chunk(pairing: int, results: list[tuple[int, int]]) -> ChunkRow:
    codes = np.array([(r1 + 3) * 7 + r2 + 3 for r1, r2 in results], np.uint8)
    return ChunkRow(0, pairing, 0, len(codes), codes.tobytes(), b"", 0, 0, 0.0, (0, 0))


def test_the_leader_has_the_most_game_points_a_hand() -> None:
    standing = Standing(("a", "b", "c"), {0: (0, 1), 1: (0, 2), 2: (1, 2)})
    assert standing.describe() == "level at the top"
    standing.add(chunk(0, [(3, 3), (3, 3), (-3, -2)]))
    assert standing.describe() == "a +1.17 ahead"  # 7 points in 6 hands
    standing.add(chunk(2, [(2, 3)]))  # b: 5 points in 2 hands, -7 in 6
    assert standing.describe() == "a +1.17 ahead"
    standing.add(chunk(1, [(-3, -3)] * 3))
    assert standing.describe() == "c +1.62 ahead"  # 18 - 5 points in 8 hands


def test_of_two_agents_the_lead_has_an_interval_that_may_be_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    standing = standing_of(("a", "b"), {0: (0, 1)})
    assert standing.describe() == "level at the top"
    results = [(-1, -2), (1, -3), (2, -1)] * 400
    standing.add(chunk(0, results))
    counts = np.bincount([(r1 + 3) * 7 + r2 + 3 for r1, r2 in results], minlength=49)
    lead = confidence_sequence(POINTS, counts)
    assert lead.half_width is not None
    assert standing.describe() == f"b +0.67 ± {lead.half_width:.2f}"  # 4 points in 6 hands
    standing.add(chunk(0, [(3, 3)] * 9000))
    assert standing.describe().startswith("b +0.67"), "it is looked at once a second"
    now[0] = 1.0
    assert standing.describe().startswith("a +2.57 ± 0.0")


def test_a_long_name_is_cut_in_the_middle() -> None:
    standing = Standing(("easy:slip=0.25", "bot"), {0: (0, 1)})
    standing.add(chunk(0, [(1, 1)]))
    assert standing.describe() == "easy:s…=0.25 +1.00 ahead"


def lines_of(done: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keep 1,000 hands a second for seventy seconds, of a million."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    lines = choose_progress(1_000_000, is_quiet=False, terminal=TerminalHandler(), done=done)
    assert isinstance(lines, Lines)
    for _ in range(7):
        now[0] += 10
        lines.update(10_000, "easy +0.47 ahead")
    lines.close()
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err.splitlines()


def test_off_a_terminal_there_is_a_plain_line_every_half_minute(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lines_of(0, capsys, monkeypatch) == [
        "30,000 of 1,000,000 hands, 1,000 hands/s, 970 s left, easy +0.47 ahead",
        "60,000 of 1,000,000 hands, 1,000 hands/s, 940 s left, easy +0.47 ahead",
    ]


def test_what_was_played_before_counts_as_done_and_not_for_the_speed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lines_of(500_000, capsys, monkeypatch) == [
        "530,000 of 1,000,000 hands, 1,000 hands/s, 470 s left, easy +0.47 ahead",
        "560,000 of 1,000,000 hands, 1,000 hands/s, 440 s left, easy +0.47 ahead",
    ]


def test_on_a_terminal_there_is_a_bar_and_warnings_stand_above_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    terminal = TerminalHandler()
    bar = choose_progress(1_000, is_quiet=False, terminal=terminal)
    assert isinstance(bar, Bar)
    bar.update(500, "easy +0.47 ahead")
    terminal.write("warning: look here")
    bar.update(500, "easy +0.47 ahead")
    bar.close()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "warning: look here\n" in captured.err
    assert "/1.00k, " in captured.err
    assert "hands/s" in captured.err
    assert "easy +0.47 ahead" in captured.err


def test_few_hands_are_counted_one_by_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar = choose_progress(50, is_quiet=False, terminal=TerminalHandler())
    bar.update(4, "easy +0.47 ahead")
    bar.close()
    assert "/50, " in capsys.readouterr().err


def test_a_quiet_run_tells_nothing() -> None:
    assert isinstance(choose_progress(10, is_quiet=True, terminal=TerminalHandler()), Silent)


RESUMED = """
import time
from harness.log import TerminalHandler
from harness.run.progress import choose_progress
terminal = TerminalHandler()
bar = choose_progress(100_000_000, is_quiet=False, terminal=terminal, done=60_000_000)
for _ in range(8):
    time.sleep(0.15)
    bar.update(50_000, "easy:s…=0.25 +0.47 ahead")
terminal.write("warning: look here")
bar.close()
"""


def frames_on_a_terminal(script: str, columns: int) -> list[str]:
    """Run a script whose stderr is a terminal; return what it draws there, line after line."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = clean_environment(TERM="xterm", PYTHONIOENCODING="utf-8")
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, env=environment, stdin=theirs, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        drawn = b""
        try:
            while part := os.read(ours, 4096):
                drawn += part
        except OSError:  # the way Linux tells that the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0, drawn.decode()
    return [frame for frame in drawn.decode().replace("\n", "\r").split("\r") if frame.strip()]


@pytest.mark.skipif(not Path("/dev/ptmx").exists(), reason="needs terminals")
def test_on_80_columns_the_bar_shows_speed_time_left_and_standing_of_a_resumed_run() -> None:
    frames = frames_on_a_terminal(RESUMED, 80)
    assert "warning: look here" in frames
    bars = [frame for frame in frames if "hands/s" in frame]
    assert bars[0].startswith(" 60%|")
    assert "| 60.0M/100M, " in bars[0]
    assert all(len(frame) <= 80 for frame in frames)
    last = bars[-1]
    assert last.endswith(" left, easy:s…=0.25 +0.47 ahead")
    assert "#" in last or "█" in last
    # 0.4 of 40 million hands in 1.2 seconds or more leave two minutes; counting the 60 million as well, a second.
    minutes, seconds = last.partition("hands/s, ")[2].partition(" left")[0].split(":")[-2:]
    assert 60 * int(minutes) + int(seconds) >= 100
