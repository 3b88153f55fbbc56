"""Numbers in words: every one with its interval, and no more digits than the interval is worth.

A half-width has two digits where there is room for them, and is rounded up: it never claims more than was measured, and
never reads as 0 where it is not.
"""

import math
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from harness.core.records import DRAWN, ENDINGS
from harness.stats.estimate import Estimate
from harness.stats.ratings import REFERENCE

WIDTH: Final = 80
NO_NUMBER: Final = "-"
ANCHOR: Final = "anchor"
HOW: Final = tuple("nobody won" if how == ENDINGS[DRAWN] else how.replace("-", " ") for how in ENDINGS)
"""How hands end."""

_ROUNDING: Final = 1e-9
"""What a number of decimals may be off as a float."""
_TIED: Final = ((" ± ", "\u00a0±\u00a0"), (" %", "\u00a0%"))
"""Spaces at which a line is not broken."""


@dataclass(frozen=True)
class Scale:
    """How a kind of number is written: fewest and most decimals, a factor, a unit, with or without its sign."""

    least: int
    most: int
    factor: float = 1.0
    unit: str = ""
    sign: bool = True

    def decimals(self, estimates: Iterable[Estimate]) -> int:
        """How many decimals let a column's largest half-width show two digits, its smallest one, within the limits."""
        widths = [self.factor * e.half_width for e in estimates if e.half_width]
        if not widths:
            return self.least
        return min(self.most, max(self.least, _decimals_of(max(widths), 2), _decimals_of(min(widths), 1)))

    def write(self, estimate: Estimate, n_decimals: int | None = None) -> str:
        """Write ``+0.42 ± 0.02``; ``± ?`` where there is no interval, a dash where there is no number."""
        if estimate.value is None:
            return NO_NUMBER
        if estimate.note == REFERENCE:
            return ANCHOR
        places = self.decimals([estimate]) if n_decimals is None else n_decimals
        size = number(self.factor * estimate.value, places, sign=self.sign)
        return f"{size} {self.spread(estimate, places)}{self.unit}"

    def spread(self, estimate: Estimate, n_decimals: int | None = None) -> str:
        """Write the half-width alone, ``± 0.02``, without its unit."""
        width = estimate.half_width
        places = self.decimals([estimate]) if n_decimals is None else n_decimals
        return f"± {'?' if width is None else rounded_up(self.factor * width, places)}"

    def ends(self, estimate: Estimate) -> str:
        """Write the ends of an interval, ``+0.40 to +0.44``; without a number, the reason."""
        if estimate.value is None:
            return estimate.note
        if estimate.low is None and estimate.high is None:
            return "no interval"
        places = self.decimals([estimate])
        low, high = (
            None if end is None else number(self.factor * end, places, sign=self.sign)
            for end in (estimate.low, estimate.high)
        )
        return f"{low or 'no lower end'} to {high or 'no upper end'}{self.unit}"


POINTS: Final = Scale(2, 3)
"""Game points a hand."""
ELO: Final = Scale(0, 1)
"""Elo of hands or of matches."""
SHARE: Final = Scale(1, 2, 100, " %", sign=False)
"""Shares of the hands, or of matches."""


def write_share(share: Estimate, n_decimals: int | None = None) -> str:
    """Write a share; one that would round to none or all of it, with what it is at most or at least."""
    if share.value is None or share.low is None or share.high is None:
        return SHARE.write(share, n_decimals)
    places = SHARE.decimals([share]) if n_decimals is None else n_decimals
    if round(SHARE.factor * share.value, places) == 0:
        return f"< {rounded_up(SHARE.factor * share.high, places)}{SHARE.unit}"
    if round(SHARE.factor * (1 - share.value), places) == 0:
        return f"> {number(SHARE.factor - _up(SHARE.factor * (1 - share.low), places), places, sign=False)}{SHARE.unit}"
    return SHARE.write(share, places)


def at_most(estimates: Iterable[Estimate], scale: Scale) -> str:
    """Write the largest half-width, ``± 0.015``; nothing where there is none."""
    widths = [e.half_width for e in estimates if e.half_width]
    if not widths:
        return ""
    widest = scale.factor * max(widths)
    return f"± {rounded_up(widest, max(0, _decimals_of(widest, 2)))}{scale.unit}"


def rounded_up(size: float, n_decimals: int) -> str:
    """Write a number of 0 or more that is a bound, without a sign: rounded up, so that it still is one."""
    return number(_up(size, n_decimals), n_decimals, sign=False)


def number(value: float, n_decimals: int, *, sign: bool = True) -> str:
    """Write a number with its sign and commas; what rounds to zero is +0, never -0."""
    rounded = round(value, n_decimals) + 0.0
    return f"{rounded:{'+' if sign else ''},.{n_decimals}f}"


def level_text(level: float) -> str:
    """Write a confidence level as ``95 %``."""
    return f"{100 * level:g} %"


def wrap(text: str, indent: str = "", first: str | None = None) -> str:
    """Break a sentence into lines that fit the width; `first` stands before the first one, `indent` before the rest."""
    filled = textwrap.fill(
        tie(text), WIDTH, initial_indent=indent if first is None else first, subsequent_indent=indent
    )
    return filled.replace("\u00a0", " ")


def tie(text: str) -> str:
    """Put hard spaces where a number and its half-width or per cent belong together."""
    for spaced, tied in _TIED:
        text = text.replace(spaced, tied)
    return text


def _decimals_of(width: float, n_digits: int) -> int:
    """How many decimals show so many digits of a number above 0; below 0 for digits before the point."""
    return n_digits - 1 - math.floor(math.log10(width))


def _up(size: float, n_decimals: int) -> float:
    return math.ceil(size * 10.0**n_decimals - _ROUNDING) / 10.0**n_decimals
