"""Each agent under each rule set: the share of its hands that it won, and its game points a hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from harness.report.compare_agents import AgentUnderRules, ComparedAgent
from harness.report.compare_analysis import ComparedRules
from harness.report.figures.kinds import LABEL_WIDTH, Grid, Groups, Matrix, Series, mark
from harness.report.figures.upright import upright
from harness.report.words import POINTS, SHARE, Scale, at_most, level_text, number
from harness.stats.estimate import Estimate
from harness.texts import count, shorten

MOST_SERIES: Final = 8
"""Agents that can be told apart by colour and form; more of them get a table of colours."""
MOST_MARKS: Final = 96
"""Numbers of the largest figure of groups."""
ONLY_MIRRORS: Final = (
    "There are no figures of hands won and game points by variant: an agent against itself wins half of the hands "
    "whatever the rules."
)


@dataclass(frozen=True)
class _Quantity:
    """What a figure shows of an agent; ``centre`` is that of equals, as the axis has it."""

    name: str
    title: str
    unit: str
    scale: Scale
    centre: float
    remark: str
    of: Callable[[AgentUnderRules], Estimate]


_WON: Final = _Quantity(
    "win-rates",
    "Hands won",
    "hands won, in %",
    SHARE,
    50.0,
    "A hand nobody won counts half. ",
    lambda line: line.hands_won,
)
_POINTS: Final = _Quantity(
    "points", "Game points a hand", "game points a hand", POINTS, 0.0, "", lambda line: line.game_points
)
VARIANT_FIGURES: Final = (_WON.name, _POINTS.name)
"""Names of the figures of this file."""


def variant_figures(compared: ComparedRules) -> tuple[list[Groups | Matrix], list[str]]:
    """Collect what each agent earns under each rule set, against all the others together; the best one comes first.

    Of two agents one is enough, the better one: what it does not win is the other's.

    Parameters
    ----------
    compared
        The statistics of the comparison.

    Returns
    -------
    The figures, and sentences about those that there are not.

    """
    agents = [agent for agent in compared.by_strength if agent.lines[0].game_points.value is not None]
    if not agents:
        return [], [ONLY_MIRRORS]
    n_series = 1 if len(agents) == 2 else len(agents)
    make = _matrix if n_series > MOST_SERIES or n_series * len(compared.names) > MOST_MARKS else _groups
    return [make(compared, agents, quantity) for quantity in (_WON, _POINTS)], []


def _groups(compared: ComparedRules, agents: list[ComparedAgent], quantity: _Quantity) -> Groups:
    shown = agents[:1] if len(agents) == 2 else agents
    places = quantity.scale.decimals([quantity.of(line) for agent in shown for line in agent.lines])
    return Groups(
        name=quantity.name,
        title=f"{quantity.title} by variant: {_who(agents)}",
        caption=_caption(compared, agents, quantity),
        alt=_alt(compared, shown, quantity),
        axis=f"{quantity.unit}, {_against(agents)}",
        group_axis="rule set",
        groups=_variants(compared),
        series=tuple(
            Series(
                shorten(agent.name, LABEL_WIDTH),
                tuple(mark(quantity.of(line), quantity.scale, places) for line in agent.lines),
            )
            for agent in shown
        ),
        reference=quantity.centre,
    )


def _matrix(compared: ComparedRules, agents: list[ComparedAgent], quantity: _Quantity) -> Matrix:
    estimates = [[quantity.of(line) for line in agent.lines] for agent in agents]
    scale = quantity.scale
    widest = at_most((e for row in estimates for e in row), scale)
    most = f" Each {widest} at most." if widest else ""
    cells = [[None if e.value is None else scale.factor * e.value for e in row] for row in estimates]
    places = scale.least if scale.factor == 1 else 0
    table = Matrix(
        name=quantity.name,
        title=f"{quantity.title} by variant: {_who(agents)}",
        caption=_caption(compared, agents, quantity) + most,
        alt=_alt(compared, agents[:1], quantity),
        rows=tuple(shorten(agent.name, LABEL_WIDTH) for agent in agents),
        columns=_variants(compared),
        row_axis="agent",
        column_axis="rule set",
        grids=(
            Grid(
                "",
                tuple(map(tuple, cells)),
                tuple(tuple("" if x is None else number(x, places, sign=scale.sign) for x in row) for row in cells),
                tuple((False,) * len(row) for row in cells),
            ),
        ),
        unit=f"{quantity.unit}, {_against(agents)}",
        centre=quantity.centre,
    )
    return upright(table)


def _variants(compared: ComparedRules) -> tuple[str, ...]:
    return tuple(shorten(compared.short_name(k), LABEL_WIDTH) for k in range(len(compared.names)))


def _who(agents: list[ComparedAgent]) -> str:
    names = [shorten(agent.name, LABEL_WIDTH) for agent in agents]
    return f"{names[0]} against {names[1]}" if len(names) == 2 else count(len(agents), "agent")


def _against(agents: list[ComparedAgent]) -> str:
    if len(agents) == 2:
        return f"{shorten(agents[0].name, LABEL_WIDTH)} against {shorten(agents[1].name, LABEL_WIDTH)}"
    return "against all the others"


def _caption(compared: ComparedRules, agents: list[ComparedAgent], quantity: _Quantity) -> str:
    n_pairings = sum(not pairing.is_mirror for pairing in compared.pairings)
    each = "" if n_pairings == 1 else f" by each of {n_pairings} pairings"
    pool = "" if len(agents) == 2 else "An average against all the others is about these opponents; it is no rating. "
    n_forfeits = sum(
        line.n_forfeits for pairing in compared.pairings if not pairing.is_mirror for line in pairing.lines
    )
    lost = f"{count(n_forfeits, 'hand')} forfeited by faults count as lost by 3. " if n_forfeits else ""
    apart = "Two rule sets can differ although their intervals overlap: the figure of what the rules change tells."
    if len(agents) > 2:
        apart += " So can two agents: the verdict tells of the two best."
    return (
        f"n = {count(compared.n_deals, 'deal')}, the same under each rule set, played twice{each}. "
        f"{quantity.remark}{pool}{lost}Intervals: {level_text(compared.level)}, for one number at a time, "
        f"all hands of a deal taken together. {apart}"
    )


def _alt(compared: ComparedRules, agents: list[ComparedAgent], quantity: _Quantity) -> str:
    parts = []
    for agent in agents:
        sizes = ", ".join(
            f"{quantity.scale.write(quantity.of(line))} under {compared.short_name(line.rule_set)}"
            for line in agent.lines
        )
        parts.append(f"{agent.name} {sizes}")
    return f"{quantity.title}: {'; '.join(parts)}."
