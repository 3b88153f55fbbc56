"""What each rule set changes against the base, with intervals: a forest plot, or for many agents a table of colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from harness.report.compare_agents import ComparedAgent
from harness.report.compare_analysis import ALPHA, ComparedPairing, ComparedRules, differences_to_base, told_apart
from harness.report.compare_words import FINE_POINTS
from harness.report.figures.kinds import LABEL_WIDTH, Grid, Intervals, Mark, Matrix, Panel, mark
from harness.report.figures.upright import upright
from harness.report.words import at_most, level_text, number
from harness.stats.comparison import Difference
from harness.texts import count, shorten

NAME: Final = "rule-effects"
MOST_PAIRINGS: Final = 6
"""Pairings of the largest forest with a panel for each: those of four agents."""
MOST_AGENTS: Final = 8
"""Agents of the largest forest with a panel for each."""
PROVED: Final = "*"
_CHANGE: Final = "change of game points a hand"
_FINE: Final = 0.005
"""Where all half-widths are below this, three decimals are worth writing."""


def effects_figure(compared: ComparedRules) -> Intervals | Matrix:
    """Collect the differences to the base on common deals, each seen from who is ahead under the base.

    Two agents: their pairing, and what leading the hand is worth. Up to four: a panel a pairing. More: a panel an
    agent, against all the others together, and beyond MOST_AGENTS a table of colours. Where there are only mirrors,
    which no rule makes uneven: what leading is worth in each of them.

    Parameters
    ----------
    compared
        The statistics of the comparison.

    """
    pairings = [pairing for pairing in compared.pairings if not pairing.is_mirror]
    if len(pairings) > MOST_PAIRINGS:
        return _table(compared) if len(compared.agents) > MOST_AGENTS else _by_agent(compared)
    panels = [_of_pairing(pairing) for pairing in pairings]
    mirrors = [pairing for pairing in compared.pairings if pairing.is_mirror]
    if len(pairings) <= 1:
        seats = pairings or mirrors[:MOST_PAIRINGS]
        panels += [_of_seat(pairing, is_named=len(seats) > 1) for pairing in seats]
    family = "rule sets and pairings" if len(compared.pairings) > 1 else "rule sets"
    return _forest(compared, panels, family, _left_out(mirrors if pairings else mirrors[MOST_PAIRINGS:]))


def _of_pairing(pairing: ComparedPairing) -> Panel:
    changes = differences_to_base(pairing.lines, "game points")
    ahead, other = pairing.first, pairing.second
    if (pairing.lines[0].estimates.game_points.value or 0.0) < 0:
        ahead, other = other, ahead
        changes = [replace(change, difference=change.difference.turned()) for change in changes]
    return Panel(f"{_CHANGE}, {_names(ahead, other)}", _marks(changes))


def _of_seat(pairing: ComparedPairing, is_named: bool) -> Panel:
    changes = differences_to_base(pairing.lines, "seat game points")
    names = f", {_names(pairing.first, pairing.second)}" if is_named else ""
    return Panel(f"{_CHANGE} of seat 0, which leads{names}", _marks(changes))


def _names(first: str, second: str) -> str:
    return f"{shorten(first, LABEL_WIDTH)} against {shorten(second, LABEL_WIDTH)}"


def _left_out(mirrors: Sequence[ComparedPairing]) -> str:
    """Say which pairings of an agent with itself have no panel."""
    if not mirrors:
        return ""
    names = [_names(mirror.first, mirror.second) for mirror in mirrors[:MOST_PAIRINGS]]
    if more := len(mirrors) - len(names):
        names.append(count(more, "other"))
    return f"Without a panel, in comparison.csv: {', '.join(names)}."


def _by_agent(compared: ComparedRules) -> Intervals:
    panels = [
        Panel(f"{_CHANGE}, {shorten(agent.name, LABEL_WIDTH)} against all the others", _marks(_changes(agent)))
        for agent in compared.by_strength
    ]
    return _forest(compared, panels, "rule sets and agents")


def _changes(agent: ComparedAgent) -> list[Difference]:
    return [line.change for line in agent.lines if line.change is not None]


def _forest(compared: ComparedRules, panels: Sequence[Panel], family: str, left_out: str = "") -> Intervals:
    return Intervals(
        name=NAME,
        title=_title(compared),
        caption=_caption(compared, _stars(family, [m for panel in panels for m in panel.marks]), left_out),
        alt=_alt(compared, panels),
        labels=_others(compared),
        panels=tuple(panels),
        same_scale=True,
    )


def _table(compared: ComparedRules) -> Matrix:
    agents = compared.by_strength
    changes = [_changes(agent) for agent in agents]
    widths = [each.difference.half_width for row in changes for each in row if each.difference.half_width is not None]
    widest = at_most((each.difference for row in changes for each in row), FINE_POINTS)
    most = f"Each {widest} at most." if widest else ""
    places = 3 if widths and max(widths) < _FINE else 2
    table = Matrix(
        name=NAME,
        title=_title(compared),
        caption=_caption(compared, most),
        alt=_table_alt(compared, agents),
        rows=tuple(shorten(agent.name, LABEL_WIDTH) for agent in agents),
        columns=_others(compared),
        row_axis="agent, against all the others",
        column_axis="rule set",
        grids=(
            Grid(
                "",
                tuple(tuple(each.difference.value for each in row) for row in changes),
                tuple(tuple(_cell(each, places) for each in row) for row in changes),
                tuple(tuple(told_apart(each) for each in row) for row in changes),
            ),
        ),
        unit=_CHANGE,
        centre=0.0,
    )
    return upright(table, _stars("rule sets and agents", [m for row in changes for m in _marks(row)]))


def _cell(change: Difference, n_decimals: int) -> str:
    value = change.difference.value
    return "" if value is None else f"{number(value, n_decimals)}{PROVED if told_apart(change) else ''}"


def _marks(changes: Sequence[Difference]) -> tuple[Mark, ...]:
    """Put differences onto an axis, with a star where one is more than chance."""
    places = FINE_POINTS.decimals([change.difference for change in changes])
    marks = []
    for change in changes:
        plain = mark(change.difference, FINE_POINTS, places)
        if change.difference.value == 0 and change.difference.half_width is None:
            plain = replace(plain, text="the same in every deal")
        marks.append(replace(plain, text=f"{plain.text} {PROVED}") if told_apart(change) else plain)
    return tuple(marks)


def _others(compared: ComparedRules) -> tuple[str, ...]:
    return tuple(shorten(compared.short_name(k), LABEL_WIDTH) for k in range(1, len(compared.names)))


def _title(compared: ComparedRules) -> str:
    base = shorten(compared.names[0], LABEL_WIDTH)
    return f"What the rules change: {count(len(compared.names) - 1, 'rule set')} against {base}"


def _stars(family: str, marks: Sequence[Mark]) -> str:
    """Say what the stars are, or why there are none."""
    if any(PROVED in each.text for each in marks):
        return f"{PROVED} a change by more than chance: p below {ALPHA:g} after Holm over all {family}."
    return f"No change is proved: no p below {ALPHA:g} after Holm over all {family}."


def _caption(compared: ComparedRules, *sentences: str) -> str:
    about = (
        f"n = {count(compared.n_deals, 'deal')}, the same under each rule set, played twice by each pairing; "
        f"differences are taken deal by deal. Intervals: {level_text(compared.level)}, for one number at a time."
    )
    return " ".join([about, *filter(None, sentences)])


def _alt(compared: ComparedRules, panels: Sequence[Panel]) -> str:
    parts = []
    for panel in panels:
        sizes = ", ".join(f"{m.text} under {name}" for name, m in zip(_others(compared), panel.marks, strict=True))
        parts.append(f"{panel.axis}: {sizes}")
    return f"Against {compared.names[0]}: {'; '.join(parts)}."


def _table_alt(compared: ComparedRules, agents: Sequence[ComparedAgent]) -> str:
    changes = [(agent.name, line) for agent in agents for line in agent.lines if line.change is not None]
    name, line = max(changes, key=lambda pair: abs(pair[1].change.difference.value or 0.0) if pair[1].change else 0.0)
    proved = sum(line.change is not None and told_apart(line.change) for _, line in changes)
    size = FINE_POINTS.write(line.change.difference) if line.change else ""
    return (
        f"Change of game points a hand against {compared.names[0]} by agent and rule set: {proved} of {len(changes)} "
        f"are more than chance; the largest is that of {name} under {compared.short_name(line.rule_set)}, {size}."
    )
