import sys

import numpy as np
import pytest

from harness.log import TerminalHandler
from harness.run.progress import Bar, Lines, Silent, Standing, choose_progress
from harness.store.rows import ChunkRow


def chunk(pairing: int, results: list[tuple[int, int]]) -> ChunkRow:
    codes = np.array([(r1 + 3) * 7 + r2 + 3 for r1, r2 in results], np.uint8)
    return ChunkRow(0, pairing, 0, len(codes), codes.tobytes(), b"", 0, 0, 0.0)


def test_the_leader_has_the_most_game_points_a_hand() -> None:
    standing = Standing(("a", "b", "c"), {0: (0, 1), 1: (0, 2), 2: (1, 2)})
    assert standing.describe() == "level at the top"
    standing.add(chunk(0, [(3, 3), (3, 3), (-3, -2)]))
    assert standing.describe() == "a leads"
    standing.add(chunk(2, [(2, 3)]))  # b: 5 points in 2 hands, -7 in 6
    assert standing.describe() == "a leads"
    standing.add(chunk(1, [(-3, -3)] * 3))
    assert standing.describe() == "c leads"


def test_off_a_terminal_there_is_a_plain_line_every_half_minute(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    lines = choose_progress(1_000_000, is_quiet=False, terminal=TerminalHandler())
    assert isinstance(lines, Lines)
    for _ in range(7):
        now[0] += 10
        lines.update(10_000, "easy leads")
    lines.close()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "30,000 of 1,000,000 hands, 1,000 hands/s, 970 s left, easy leads",
        "60,000 of 1,000,000 hands, 1,000 hands/s, 940 s left, easy leads",
    ]


def test_on_a_terminal_there_is_a_bar_and_warnings_stand_above_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    terminal = TerminalHandler()
    bar = choose_progress(1_000, is_quiet=False, terminal=terminal)
    assert isinstance(bar, Bar)
    bar.update(500, "easy leads")
    terminal.write("warning: look here")
    bar.update(500, "easy leads")
    bar.close()
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "warning: look here\n" in captured.err
    assert "/1.00k [" in captured.err
    assert "hands/s" in captured.err
    assert "easy leads" in captured.err


def test_few_hands_are_counted_one_by_one(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar = choose_progress(50, is_quiet=False, terminal=TerminalHandler())
    bar.update(4, "easy leads")
    bar.close()
    assert "/50 [" in capsys.readouterr().err


def test_a_quiet_run_tells_nothing() -> None:
    assert isinstance(choose_progress(10, is_quiet=True, terminal=TerminalHandler()), Silent)
