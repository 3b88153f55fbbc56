"""The data of the figures, apart from drawing: numbers, labels and units, ready to be tested."""

from collections.abc import Callable
from dataclasses import dataclass

from harness.report.analysis import AgentLine, Analysis
from harness.report.words import ELO, POINTS, Scale, level_text
from harness.stats.estimate import Estimate
from harness.texts import count, shorten

LABEL_WIDTH = 28


@dataclass(frozen=True)
class Mark:
    """One agent in one panel: a number, the ends of its interval where there are any, and the text beside it.

    ``value`` is None for an agent without a rating; ``text`` is then the reason.
    """

    value: float | None
    low: float | None
    high: float | None
    text: str


@dataclass(frozen=True)
class Panel:
    """One scale: what the axis says, units included, and a mark by agent."""

    axis: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class RatingsFigure:
    """Ratings with intervals, the best agent on top; ``labels`` and the marks of each panel are in the same order."""

    title: str
    labels: tuple[str, ...]
    panels: tuple[Panel, ...]
    caption: str


def ratings_figure(analysis: Analysis) -> RatingsFigure:
    """Collect the ratings of all agents on both scales, game points a hand and Elo.

    Parameters
    ----------
    analysis
        The statistics of the run.

    """
    agents, pairings = count(len(analysis.agents), "agent"), count(len(analysis.pairings), "pairing")
    unit = analysis.unit
    twice = "" if unit.is_match else ", played twice"
    return RatingsFigure(
        title=f"Ratings of {agents}: {pairings}, {unit.count(analysis.n_hands)}",
        labels=tuple(shorten(agent.name, LABEL_WIDTH) for agent in analysis.agents),
        panels=(
            _panel(
                analysis,
                f"{unit.points} a {unit.name}",
                POINTS,
                analysis.game_points.anchor,
                _points_of,
            ),
            _panel(analysis, f"Elo, from {unit.plural} won", ELO, analysis.elo.anchor, _elo_of),
        ),
        caption=(
            f"n = {unit.count_pairs(analysis.n_deals)}{twice} by each pairing; bars: "
            f"{level_text(analysis.level)} intervals, all {unit.plural} of a {unit.pack} taken together"
        ),
    )


def _points_of(agent: AgentLine) -> Estimate:
    return agent.game_points_rating


def _elo_of(agent: AgentLine) -> Estimate:
    return agent.elo


def _panel(
    analysis: Analysis, unit: str, scale: Scale, anchor: int | None, of: Callable[[AgentLine], Estimate]
) -> Panel:
    estimates = [of(agent) for agent in analysis.agents]
    n_decimals = scale.decimals(estimates)
    against = "the mean of the rated" if anchor is None else shorten(analysis.name(anchor), LABEL_WIDTH)
    return Panel(f"{unit}, against {against}", tuple(_mark(scale, n_decimals, estimate) for estimate in estimates))


def _mark(scale: Scale, n_decimals: int, estimate: Estimate) -> Mark:
    text = estimate.note if estimate.value is None else scale.write(estimate, n_decimals)
    return Mark(estimate.value, estimate.low, estimate.high, text)
