"""How many deals a comparison takes, from a pilot: figures, text and plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from harness.report.words import ELO, POINTS, SHARE, number, wrap
from harness.stats.codes import IntArray
from harness.stats.estimate import Estimate
from harness.stats.plan import Power, deals_for_half_width, half_width_after, power
from harness.stats.scales import POINTS as POINTS_SCALE
from harness.stats.scales import WINS, Scale
from harness.stats.sequential import Design
from harness.texts import count

LENGTHS: Final = (1_000, 10_000, 100_000, 1_000_000)
TEST: Final = Design(POINTS_SCALE, 0.0, 0.02)
"""What `sixtysix sprt` tests where nothing else is said."""


@dataclass(frozen=True)
class Plan:
    """What a pilot says of longer runs.

    Attributes
    ----------
    n_pilot
        Deals of the pilot.
    wanted
        Scale and half-width that were asked for, with the number of deals that they take.
    after
        For each of `LENGTHS`, the intervals of game points and of Elo that so many deals would give.
    tests
        What the sequential test would do between equals, and where the lead is just as large as it looks for.
    seconds_a_deal
        Time of the pilot.

    """

    n_pilot: int
    wanted: tuple[tuple[Scale, float, Estimate], ...]
    after: tuple[tuple[int, Estimate, Estimate], ...]
    tests: tuple[Power, ...]
    seconds_a_deal: float


def plan_of(counts: IntArray, wanted: Sequence[tuple[Scale, float]], seconds: float) -> Plan:
    """Make the plan of a pairing from the counts of deal codes of a pilot, shape (49,), and the time that it took."""
    n_pilot = int(counts.sum())
    return Plan(
        n_pilot,
        tuple((scale, width, deals_for_half_width(scale, counts, width)) for scale, width in wanted),
        tuple((n, half_width_after(POINTS_SCALE, counts, n), half_width_after(WINS, counts, n)) for n in LENGTHS),
        tuple(power(TEST, counts, truth) for truth in (TEST.h0, TEST.h1)),
        seconds / n_pilot,
    )


def plan_text(plan: Plan) -> str:
    """Write a plan as text of at most 80 columns."""
    return "\n\n".join((_wanted(plan), _after(plan), _test(plan))) + "\n"


def plan_summary(plan: Plan) -> dict[str, Any]:
    """Put a plan into plain values; half-widths are those of 95 % intervals."""
    return {
        "pilot_deals": plan.n_pilot,
        "seconds_a_deal": plan.seconds_a_deal,
        "wanted": [
            {"scale": scale.unit, "half_width": width, "deals": {"value": n.value, "low": n.low, "high": n.high}}
            for scale, width, n in plan.wanted
        ],
        "after": [
            {"deals": n, "game_points": points.half_width, "elo": elo.half_width} for n, points, elo in plan.after
        ],
        "sprt": [{"h0": TEST.h0, "h1": TEST.h1, **asdict(one)} for one in plan.tests],
    }


def _wanted(plan: Plan) -> str:
    lines = []
    for scale, width, n in plan.wanted:
        if n.value is None:
            lines.append(f"± {width:g} {scale.unit}: no number of deals can be said ({n.note})")
            continue
        between = f" ({number(n.low, 0, sign=False)} to {number(n.high, 0, sign=False)})" if n.low and n.high else ""
        time = _time(n.value * plan.seconds_a_deal)
        lines.append(f"± {width:g} {scale.unit} takes {number(n.value, 0, sign=False)} deals{between}, {time}")
    return "\n".join(wrap(f"{line}.") for line in lines)


def _after(plan: Plan) -> str:
    lines = [f"{'after':>17}{'game points a hand':>22}{'Elo':>10}{'time':>14}"]
    for n, points, elo in plan.after:
        cells = ["-" if one.half_width is None else scale.spread(one) for one, scale in ((points, POINTS), (elo, ELO))]
        time = _time(n * plan.seconds_a_deal).removeprefix("about ")
        lines.append(f"{count(n, 'deal'):>17}{cells[0]:>22}{cells[1]:>10}{time:>14}")
    return "\n".join(lines)


def _test(plan: Plan) -> str:
    equal, better = plan.tests
    share = SHARE.factor * better.accepts_h1
    return wrap(
        f"The sequential test of sixtysix sprt (a lead of {TEST.h1:g} against {TEST.h0:g} game points a hand) takes "
        f"{equal.mean_deals:,.0f} deals on average between equals, {better.mean_deals:,.0f} where the lead is "
        f"{TEST.h1:g}, which it finds in {share:.0f} % of the cases; nine tests in ten end within "
        f"{max(equal.deals_90, better.deals_90):,} deals."
    )


def _time(seconds: float) -> str:
    """Write a time with as much precision as a plan has."""
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"about {seconds / size:.0f} {unit}"
    return f"about {seconds:.0f} s" if seconds >= 2 else "a moment"
