"""Ratings of all agents on both scales, each with its interval, and the ranks that each may have."""

from collections.abc import Callable

from harness.report.analysis import AgentLine, Analysis
from harness.report.figures.basis import basis
from harness.report.figures.kinds import LABEL_WIDTH, Intervals, Mark, Panel, marks
from harness.report.lines import ranks
from harness.report.words import ELO, POINTS, Scale, level_text
from harness.stats.estimate import Estimate
from harness.stats.ratings import REFERENCE
from harness.store.rows import RunFigure
from harness.texts import count, shorten


def ratings_figure(analysis: Analysis) -> Intervals:
    """Collect the ratings of all agents, the best one on top.

    Parameters
    ----------
    analysis
        The statistics of the run.

    """
    agents, pairings = count(len(analysis.agents), "agent"), count(len(analysis.pairings), "pairing")
    unit, points, elo = analysis.unit, analysis.game_points.anchor, analysis.elo.anchor
    level = level_text(analysis.level)
    rated = [rating for agent in analysis.agents for rating in (agent.game_points_rating, agent.elo)]
    unknown = any(each.half_width is None and each.value is not None and each.note != REFERENCE for each in rated)
    return Intervals(
        name=RunFigure.RATINGS,
        title=f"Ratings of {agents}: {pairings}, {unit.count(analysis.n_hands)}",
        labels=tuple(shorten(agent.name, LABEL_WIDTH) for agent in analysis.agents),
        panels=(
            _panel(analysis, f"{unit.points} a {unit.name}", POINTS, points, _points_of),
            _panel(analysis, f"Elo, from {unit.plural} won", ELO, elo, _elo_of),
            Panel(f"rank by {unit.points}", tuple(map(_rank, analysis.agents)), reference=None, whole=True),
        ),
        caption=(
            f"{basis(analysis)}; bars: {level} intervals, all "
            f"{unit.plural} of a {unit.pack} taken together{', none where it says ± ?' if unknown else ''}; of ranks: "
            f"{level} for all of them at once"
        ),
        alt=_alt(analysis),
    )


def _points_of(agent: AgentLine) -> Estimate:
    return agent.game_points_rating


def _elo_of(agent: AgentLine) -> Estimate:
    return agent.elo


def _panel(
    analysis: Analysis, unit: str, scale: Scale, anchor: int | None, of: Callable[[AgentLine], Estimate]
) -> Panel:
    against = "the mean of the rated" if anchor is None else shorten(analysis.name(anchor), LABEL_WIDTH)
    return Panel(f"{unit}, against {against}", marks([of(agent) for agent in analysis.agents], scale))


def _rank(agent: AgentLine) -> Mark:
    best, worst = agent.ranks.best, agent.ranks.worst
    if best is None or worst is None:
        return Mark(None, None, None, agent.ranks.note)
    return Mark(agent.rank, best, worst, ranks(agent))


def _alt(analysis: Analysis) -> str:
    unit, anchor = analysis.unit, analysis.game_points.anchor
    against = "the mean of the rated agents" if anchor is None else analysis.name(anchor)
    rated = [agent for agent in analysis.agents if agent.game_points_rating.value is not None]
    if not rated:
        return "No agent has a rating."
    sizes = ", ".join(f"{agent.name} {POINTS.write(agent.game_points_rating)}" for agent in rated)
    return f"Ratings in {unit.points} a {unit.name} against {against}: {sizes}."
