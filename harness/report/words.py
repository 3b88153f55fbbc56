"""Numbers in words: every one with its interval, and no more digits than the interval is worth."""

import math
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from harness.stats.estimate import Estimate
from harness.stats.ratings import REFERENCE

WIDTH: Final = 80
NO_NUMBER: Final = "-"
ANCHOR: Final = "anchor"

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
        """How many decimals let the smallest half-width of a column show a digit, within the limits."""
        widths = [self.factor * e.half_width for e in estimates if e.half_width]
        return min(self.most, max([self.least, *(math.ceil(-math.log10(width)) for width in widths)]))

    def write(self, estimate: Estimate, n_decimals: int | None = None) -> str:
        """Write ``+0.42 ± 0.02``; ``± ?`` where there is no interval, a dash where there is no number."""
        if estimate.value is None:
            return NO_NUMBER
        if estimate.note == REFERENCE:
            return ANCHOR
        places = self.decimals([estimate]) if n_decimals is None else n_decimals
        width = estimate.half_width
        spread = "?" if width is None else number(self.factor * width, places, sign=False)
        return f"{number(self.factor * estimate.value, places, sign=self.sign)} ± {spread}{self.unit}"

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


def write_share(share: Estimate) -> str:
    """Write a share; one that would round to none or all of it, with what it is at most or at least."""
    if share.value is None or share.low is None or share.high is None or not 0 < share.value < 1:
        return SHARE.write(share)
    n_decimals = SHARE.decimals([share])
    step = 10**-n_decimals / SHARE.factor
    if round(share.value / step) == 0:
        return f"< {number(SHARE.factor * step * math.ceil(share.high / step), n_decimals, sign=False)} %"
    if round((1 - share.value) / step) == 0:
        return f"> {number(SHARE.factor * step * math.floor(share.low / step), n_decimals, sign=False)} %"
    return SHARE.write(share)


def write_rare(share: Estimate, n_decimals: int) -> str:
    """Write a share of the hands; where no hand ended so, only what the share can be at most."""
    if share.value == 0 and share.high is not None:
        return f"< {number(max(100 * share.high, 10**-n_decimals), n_decimals, sign=False)} %"
    return SHARE.write(share, n_decimals)


def at_most(estimates: Iterable[Estimate], scale: Scale) -> str:
    """Write the largest half-width, ``± 0.015``, rounded up so that none is larger; nothing where there is none."""
    widths = [e.half_width for e in estimates if e.half_width]
    if not widths:
        return ""
    widest = scale.factor * max(widths)
    places = max(0, 1 - math.floor(math.log10(widest)))
    up = math.ceil(widest * 10**places - _ROUNDING) / 10**places
    return f"± {number(up, places, sign=False)}{scale.unit}"


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
