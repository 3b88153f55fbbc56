"""Strength against time: what each agent earns, and how long it thinks about a move."""

from typing import Final

import numpy as np

from harness.report.analysis import AgentLine, Analysis
from harness.report.figures.basis import basis
from harness.report.figures.kinds import LABEL_WIDTH, Point, Scatter, mark
from harness.report.results import RunResults
from harness.report.words import ANCHOR, POINTS, level_text
from harness.stats.codes import FloatArray
from harness.stats.times import seconds_a_move
from harness.store.rows import RunFigure
from harness.texts import shorten

_UNITS: Final = ((1.0, "seconds"), (1e-3, "milliseconds"), (0.0, "microseconds"))
"""Smallest time of the slowest agent for which a unit is taken."""
_TIMED: Final = 0.05
"""Seconds that a pairing has to take to be timed: of less, starting is a good part."""


def speed_figure(run: RunResults, analysis: Analysis) -> Scatter | str:
    """Collect strength and time; or say why there is nothing to show."""
    is_timed = run.pairing_seconds >= _TIMED
    if not is_timed.any():
        return f"Strength against time: no pairing has taken {_TIMED:g} s, and of less starting is a good part."
    moves = np.where(is_timed[:, np.newaxis], run.pairing_moves, 0)
    times = seconds_a_move(len(run.agents), run.pairings, moves, run.pairing_seconds)
    if np.isnan(times).all():
        return (
            "Strength against time: which agent takes how long cannot be told from the time of their pairings, which "
            f"takes three agents that all meet, each two of them for {_TIMED:g} s or more."
        )
    known = [a for a in analysis.agents if times[a.number] > 0 and a.game_points_rating.value is not None]
    if not known:
        return "Strength against time: no agent has both a rating and a time."
    unit, anchor = analysis.unit, analysis.game_points.anchor
    factor, time_unit = _time_unit(max(times[agent.number] for agent in known))
    n_decimals = POINTS.decimals(agent.game_points_rating for agent in known)
    against = "the mean of the rated" if anchor is None else shorten(analysis.name(anchor), LABEL_WIDTH)
    return Scatter(
        name=RunFigure.SPEED,
        title="Strength against time",
        x_axis=f"{time_unit} a move",
        y_axis=f"{unit.points} a {unit.name}, against {against}",
        points=tuple(
            Point(
                shorten(agent.name, LABEL_WIDTH),
                factor * float(times[agent.number]),
                mark(agent.game_points_rating, POINTS, n_decimals),
            )
            for agent in known
        ),
        log_x=True,
        caption=_caption(analysis, known, times),
        alt="; ".join(
            f"{agent.name}: {factor * times[agent.number]:.3g} {time_unit} a move, {_strength(analysis, agent)}"
            for agent in known
        )
        + ".",
    )


def _time_unit(longest: float) -> tuple[float, str]:
    return next(
        (factor, name) for factor, (least, name) in zip((1.0, 1e3, 1e6), _UNITS, strict=True) if longest >= least
    )


def _strength(analysis: Analysis, agent: AgentLine) -> str:
    text = POINTS.write(agent.game_points_rating)
    return f"the {text}" if text == ANCHOR else f"{text} {analysis.unit.points}"


def _caption(analysis: Analysis, known: list[AgentLine], times: FloatArray) -> str:
    level = level_text(analysis.level)
    missing = [agent for agent in analysis.agents if agent not in known]
    lost = [shorten(a.name, LABEL_WIDTH) for a in missing if times[a.number] == 0]
    others = [shorten(a.name, LABEL_WIDTH) for a in missing if times[a.number] != 0]
    words = (
        f"{basis(analysis)}; bars: {level} intervals; time: of one worker, split between the moves of its agents by "
        "non-negative least squares on the pairings, dealing and rules included, without an interval; it depends on "
        "the machine"
    )
    if lost:
        words += f"; too fast beside its opponents to be told: {', '.join(lost)}"
    if others:
        words += f"; without a rating or a time: {', '.join(others)}"
    return words
