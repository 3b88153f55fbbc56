"""How far a run has come, told on stderr: a bar on a terminal, else a line every half minute, or nothing."""

import math
import sys
import time
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from harness.log import TerminalHandler, write_line
from harness.play.codes import N_CODES
from harness.stats.scales import POINTS
from harness.stats.sequence import confidence_sequence
from harness.store.rows import ChunkRow
from harness.texts import shorten

_LINE_SECONDS = 30.0
_LOOK_SECONDS = 1.0
_NAME_WIDTH = 12
_BAR_FORMAT = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}, {rate_fmt}, {remaining} left{postfix}"
"""With a name of full width at the end there are a few columns for the bar itself on a terminal of 80 columns."""


class Standing:
    """Game points of each agent so far, to say who is in front.

    Parameters
    ----------
    names
        Names of the agents.
    pairings
        The two agents of each pairing number.

    """

    def __init__(self, names: Sequence[str], pairings: dict[int, tuple[int, int]]):
        self._names = names
        self._pairings = pairings
        self._points = np.zeros(len(names))
        self._hands = np.zeros(len(names))

    def add(self, chunk: ChunkRow) -> None:
        """Count a chunk."""
        codes = np.frombuffer(chunk.codes, np.uint8)
        points = int((codes // 7).sum(dtype=np.int64) + (codes % 7).sum(dtype=np.int64)) - 6 * len(codes)
        first, second = self._pairings[chunk.pairing]
        self._points[first] += points
        self._points[second] -= points
        self._hands[[first, second]] += 2 * len(codes)

    def describe(self) -> str:
        """Say who has the most game points a hand so far and how many, as in ``easy +0.47 ahead``."""
        means = self._points / np.maximum(self._hands, 1)
        first = int(np.argmax(means))
        if (means == means[first]).sum() > 1:
            return "level at the top"
        return f"{shorten(self._names[first], _NAME_WIDTH)} {means[first]:+.2f} ahead"


class PairStanding:
    """Who of two agents leads, by how much, and within which interval, which may be watched at any time.

    Parameters
    ----------
    names
        Names of the two agents.

    """

    def __init__(self, names: Sequence[str]):
        self._names = names
        self._counts = np.zeros(N_CODES, np.int64)
        self._told = -math.inf
        self._text = "level at the top"

    def add(self, chunk: ChunkRow) -> None:
        """Count a chunk."""
        self._counts += np.bincount(np.frombuffer(chunk.codes, np.uint8), minlength=N_CODES)

    def describe(self) -> str:
        """Say who leads, as in ``easy +0.47 ± 0.02``; looked at once a second, as the interval takes some time."""
        now = time.monotonic()
        if now - self._told >= _LOOK_SECONDS and self._counts.any():
            self._told = now
            self._text = self._look()
        return self._text

    def _look(self) -> str:
        lead = confidence_sequence(POINTS, self._counts)
        if not lead.value or lead.half_width is None:
            return "level at the top"
        name = shorten(self._names[0 if lead.value > 0 else 1], _NAME_WIDTH)
        return f"{name} {abs(lead.value):+.2f} ± {lead.half_width:.2f}"


def standing_of(names: Sequence[str], pairings: dict[int, tuple[int, int]]) -> Standing | PairStanding:
    """Return what tells how the agents stand: with an interval for two, by the mean alone for more."""
    return PairStanding(names) if len(names) == 2 else Standing(names, pairings)


class Progress(Protocol):
    """Someone who is told how far the run is."""

    def update(self, n_hands: int, standing: str) -> None:
        """Hear that `n_hands` more hands are kept."""

    def close(self) -> None:
        """Hear that no more will come."""


class Silent:
    """Tells nothing."""

    def update(self, n_hands: int, standing: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class Lines:
    """A plain line every half minute, for logs and pipes."""

    def __init__(self, total: int, units: str, done: int = 0):
        self._total = total
        self._units = units
        self._done = self._before = done
        self._start = self._told = time.monotonic()

    def update(self, n_hands: int, standing: str) -> None:
        """Count, and tell if it is time."""
        self._done += n_hands
        now = time.monotonic()
        if now - self._told >= _LINE_SECONDS:
            self._told = now
            rate = (self._done - self._before) / (now - self._start)
            left = (self._total - self._done) / rate if rate else float("inf")
            speed = f"{rate:,.0f} {self._units}/s"
            write_line(f"{self._done:,} of {self._total:,} {self._units}, {speed}, {left:,.0f} s left, {standing}")

    def close(self) -> None:
        """Nothing to end."""


class Bar:
    """A tqdm bar; warnings are written above it."""

    def __init__(self, total: int, units: str, terminal: TerminalHandler, done: int = 0):
        from tqdm import tqdm

        self._terminal = terminal
        self._bar = tqdm(
            total=total,
            initial=done,
            unit=f" {units}",
            unit_scale=total >= 1_000,
            smoothing=0,  # the mean speed: chunks come in bursts
            bar_format=_BAR_FORMAT,
            dynamic_ncols=True,
            file=sys.stderr,
            leave=False,
        )
        terminal.write = self._write_above

    def update(self, n_hands: int, standing: str) -> None:
        """Move the bar."""
        self._bar.set_postfix_str(standing, refresh=False)
        self._bar.update(n_hands)

    def _write_above(self, text: str) -> None:
        self._bar.write(text, file=sys.stderr)

    def close(self) -> None:
        """Take the bar away."""
        self._terminal.write = write_line
        self._bar.close()


def choose_progress(
    total: int, is_quiet: bool, terminal: TerminalHandler, done: int = 0, units: str = "hands"
) -> Progress:
    """Return what fits: nothing for a quiet run, a bar on a terminal, else lines.

    Parameters
    ----------
    total
        Hands, or matches, of the whole run.
    is_quiet
        Tell nothing.
    terminal
        Whose warnings must not disturb a bar.
    done
        Hands that have been played before, which say nothing of the speed.
    units
        What they are: hands or matches.

    """
    if is_quiet:
        return Silent()
    return Bar(total, units, terminal, done) if sys.stderr.isatty() else Lines(total, units, done)
