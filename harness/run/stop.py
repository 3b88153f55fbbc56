"""When a run of two agents ends before its last deal: by a sequential test, or when an interval is short enough.

A rule is looked at after fixed numbers of deals, never between, so that the end of a run is a function of its config:
the number of workers, the chunks and an interruption do not move it.
"""

import math
from collections.abc import Mapping
from dataclasses import MISSING, asdict, dataclass, fields
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from harness.errors import FaultsError, UsageError, did_you_mean
from harness.game.rules import Rules
from harness.play.codes import N_CODES
from harness.stats.equity import EndlessMatchError, hand_odds, match_table
from harness.stats.estimate import LEVEL, Estimate
from harness.stats.scales import NORMALISED, POINTS, WINS, Scale
from harness.stats.sequence import confidence_sequence
from harness.stats.sequential import Design, Look, Sprt

SCALES: dict[str, Scale] = {"points": POINTS, "elo": WINS, "nelo": NORMALISED}
"""Scales by the names that rules have for them: game points a hand, Elo, normalised Elo."""
MATCH = "match"
"""The scale of match Elo, which is known only when there are some hands: see `match_scale`."""
_STEP = 1.02
"""Looks at an interval come when the deals have grown by this factor: more would cost time and end hardly earlier."""


@dataclass(frozen=True)
class SprtRule:
    """End at the verdict of a sequential test; the numbers are those of `harness.stats.sequential.Design`."""

    kind: ClassVar[str] = "sprt"
    scale: str
    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    block: int = 500

    def design(self, most: int, scale: Scale | None = None) -> Design:
        """Return the test, which ends without a verdict after `most` deals; `scale` where it is that of matches."""
        return Design(scale or SCALES[self.scale], self.h0, self.h1, self.alpha, self.beta, self.block, most)


@dataclass(frozen=True)
class UntilRule:
    """End when the interval of a confidence sequence has a half-width, in the unit of the scale."""

    kind: ClassVar[str] = "until"
    scale: str
    half_width: float
    level: float = LEVEL
    block: int = 500


StopRule: TypeAlias = SprtRule | UntilRule
_TYPES: dict[str, type] = {"scale": str, "block": int} | dict.fromkeys(
    ("h0", "h1", "alpha", "beta", "half_width", "level"), float
)
_RULES: dict[str, type[SprtRule] | type[UntilRule]] = {rule.kind: rule for rule in (SprtRule, UntilRule)}


def match_scale(rules: Rules, counts: npt.NDArray[np.int64]) -> Scale:
    """Return the scale of match Elo among equals: what a hand's game points are worth in a match of equals.

    Far from even it is not the match Elo of a report, which is that of matches between these very agents.

    Parameters
    ----------
    rules
        The rules, whose target, dealer and carry count.
    counts
        How often each deal code came in the first block of a run. Seen from both sides, so that neither is favoured,
        they say how often hands between these agents pay how much.

    Raises
    ------
    UsageError
        With such hands no match ends.

    """
    odds = hand_odds(counts)
    leads = (odds[0] + odds[1][::-1]) / 2
    try:
        table = match_table(rules, np.stack([leads, leads[::-1]]))
    except EndlessMatchError as error:
        raise UsageError(f"matches cannot be tested: {error}") from error
    return Scale("match Elo among equals", "match Elo among equals", table.code_values(), 0.5, "Elo")


def stop_content(rule: StopRule | None) -> dict[str, Any] | None:
    """Return a rule as plain values, for JSON and TOML."""
    return None if rule is None else {"kind": rule.kind, **asdict(rule)}


def parse_stop(table: object, most: int) -> StopRule | None:
    """Read a rule as `stop_content` writes it.

    Raises
    ------
    FaultsError
        Everything that is wrong with it.

    """
    if table is None:
        return None
    if not isinstance(table, Mapping) or table.get("kind") not in _RULES:
        raise FaultsError("", [f'stop = {table}: must be a table with kind = "sprt" or "until"'])
    cls = _RULES[table["kind"]]
    kinds = {one.name: _TYPES[one.name] for one in fields(cls)}
    needed = [one.name for one in fields(cls) if one.default is MISSING]
    faults = [
        f'stop has no "{name}"; a rule of this kind has {", ".join(kinds)}{did_you_mean(name, kinds)}'
        for name in table
        if name not in kinds and name != "kind"
    ]
    faults += [f"stop needs {name}" for name in needed if name not in table]
    values = {name: value for name, value in table.items() if name in kinds}
    scales = [*SCALES, MATCH] if cls is SprtRule else [name for name in SCALES if name != "nelo"]
    for name, value in values.items():
        if name == "scale":
            if value not in scales:
                faults.append(
                    f"stop.scale = {value}: must be one of {', '.join(scales)}{did_you_mean(str(value), scales)}"
                )
        elif isinstance(value, bool) or not isinstance(value, int if kinds[name] is int else int | float):
            faults.append(f"stop.{name} = {value}: must be a {'whole number' if kinds[name] is int else 'number'}")
    if not faults:
        try:
            return _checked(cls(**{name: kinds[name](value) for name, value in values.items()}), most)
        except ValueError as error:
            faults.append(f"stop: {error}")
    raise FaultsError("", faults)


def _checked(rule: StopRule, most: int) -> StopRule:
    """Return a rule that can be; ValueError says why it cannot."""
    if isinstance(rule, SprtRule):
        rule.design(most, WINS if rule.scale == MATCH else None)
    elif not (rule.half_width > 0 and 0 < rule.level < 1 and rule.block >= 1):
        raise ValueError(
            f"half_width = {rule.half_width:g}, level = {rule.level:g} and block = {rule.block} are above 0"
        )
    return rule


class _Until:
    """Looks at a confidence sequence; of the same shape as a sequential test."""

    def __init__(self, rule: UntilRule, most: int):
        self._rule = rule
        self._most = most
        self.interval: Estimate | None = None

    def next_look(self, n_deals: int) -> int:
        block = self._rule.block
        return min(max(n_deals + block, math.ceil(n_deals * _STEP / block) * block), self._most)

    def look(self, counts: npt.NDArray[np.int64]) -> bool:
        self.interval = confidence_sequence(SCALES[self._rule.scale], counts, self._rule.level)
        width = self.interval.half_width
        return width is not None and width <= self._rule.half_width

    def describe(self) -> str:
        if self.interval is None or self.interval.value is None or self.interval.half_width is None:
            return f"until ±{self._rule.half_width:g}"
        return f"{self.interval.value:+.3g} ± {self.interval.half_width:.2g}, until ±{self._rule.half_width:g}"


class _Test:
    """Looks at a sequential test."""

    def __init__(self, rule: SprtRule, most: int, rules: Rules):
        self._rule = rule
        self._most = most
        self._rules = rules
        self._sprt = None if rule.scale == MATCH else Sprt(rule.design(most))

    def next_look(self, n_deals: int) -> int:
        return min(n_deals + self._rule.block, self._most)

    def look(self, counts: npt.NDArray[np.int64]) -> bool:
        if self._sprt is None:
            self._sprt = Sprt(self._rule.design(self._most, match_scale(self._rules, counts)))
        return self._sprt.update(counts).is_over

    def describe(self) -> str:
        if self._sprt is None:
            return "LLR +0.00"
        look: Look = self._sprt.look
        return f"LLR {look.llr:+.2f} of {look.low:.2f}, {look.high:.2f}"


class Stopper:
    """Counts the deals of a run in order and says after which one its rule ends it.

    Parameters
    ----------
    rule
        The rule.
    most
        Deals of the run, after which it ends anyway.
    rules
        The house rules, for tests on matches.

    """

    def __init__(self, rule: StopRule, most: int, rules: Rules):
        self._ending = _Test(rule, most, rules) if isinstance(rule, SprtRule) else _Until(rule, most)
        self._counts = np.zeros(N_CODES, np.int64)
        self._looked = 0
        self.n_deals = 0
        self.is_over = False

    def feed(self, codes: npt.NDArray[np.uint8]) -> int:
        """Count the codes of the deals that come next; returns how many of them still belong to the run."""
        at = 0
        while at < len(codes) and not self.is_over:
            look = self._ending.next_look(self._looked)
            part = codes[at : at + look - self.n_deals]
            self._counts += np.bincount(part, minlength=N_CODES)
            self.n_deals += len(part)
            at += len(part)
            if self.n_deals == look:
                self._looked = look
                self.is_over = self._ending.look(self._counts)
        return at

    def describe(self) -> str:
        """Say how far it is, for a progress bar."""
        return self._ending.describe()
