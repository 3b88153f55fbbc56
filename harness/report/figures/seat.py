"""What it is worth to lead: the seat advantage of each pairing and of all together."""

from typing import Final

from harness.report.analysis import AgentLine, Analysis, PairingLine
from harness.report.figures.basis import basis
from harness.report.figures.kinds import Intervals, Panel, marks
from harness.report.figures.leading import Leading, leading_pairing
from harness.report.units import Unit
from harness.report.words import POINTS, SHARE, level_text
from harness.stats.codes import GAME_POINTS, RESULTS
from harness.stats.estimate import Estimate
from harness.stats.pairs import mean_estimate
from harness.store.rows import RunFigure
from harness.texts import shorten

MOST_PAIRINGS: Final = 28
"""Most pairings that have a row each: those of eight agents."""
_NAME: Final = 14
_LEADER: Final = 20
_JOINT: Final = "between equals"


def seat_figure(analysis: Analysis) -> Intervals | str:
    """Collect what who leads earns; or say why there is nothing to show."""
    leading = leading_pairing(analysis)
    if leading is None:
        return "Seat advantage: no deals have been played."
    rows = _rows_of_two(analysis, leading) if len(analysis.agents) == 2 else _rows_of_many(analysis)
    unit = analysis.unit
    points, shares = [row[1] for row in rows], [row[2] for row in rows]
    panels = [Panel(f"{unit.plural} won by who leads{_first(unit)}, in %", marks(shares, SHARE), reference=50.0)]
    if not unit.is_match:
        panels.insert(0, Panel("game points a hand of who leads", marks(points, POINTS)))
    first = points[0] if not unit.is_match else shares[0]
    size = SHARE.write(first) + " of the matches" if unit.is_match else POINTS.write(first) + " game points a hand"
    return Intervals(
        name=RunFigure.SEAT,
        title=f"Seat advantage: who leads{_first(unit)}, against who deals",
        labels=tuple(row[0] for row in rows),
        panels=tuple(panels),
        caption=_caption(analysis),
        alt=f"Who leads{_first(unit)} earns {size} ({rows[0][0]}).",
    )


def _first(unit: Unit) -> str:
    return " the first hand" if unit.is_match else ""


def _rows_of_two(analysis: Analysis, leading: Leading) -> list[tuple[str, Estimate, Estimate]]:
    """Take both halves, each with one hand of a deal, and both together."""
    pairing, level = leading.pairing, analysis.level
    rows = [("both together", pairing.estimates.seat_game_points, pairing.estimates.seat_hands_won)]
    for leader in (leading.better, leading.other):
        half, sign = (0, 1) if leader == pairing.first else (1, -1)
        points = mean_estimate(pairing.counts, sign * GAME_POINTS[half], level)
        won = mean_estimate(pairing.counts, (1 + sign * RESULTS[half]) / 2, level)
        rows.append((f"{shorten(analysis.name(leader), _LEADER)} leads", points, won))
    return rows


def _rows_of_many(analysis: Analysis) -> list[tuple[str, Estimate, Estimate]]:
    """Take the joint fit, and below it all pairings, or where they are too many those of neighbours in the ranking."""
    among_equals = analysis.elo.seat.map(lambda elo: 1 / (1 + 10 ** (-elo / 400)))
    rows = [(_JOINT, analysis.game_points.seat, among_equals)]
    for better, other, pairing in shown_pairings(analysis):
        name = f"{shorten(better.name, _NAME)} – {shorten(other.name, _NAME)}"
        rows.append((name, pairing.estimates.seat_game_points, pairing.estimates.seat_hands_won))
    return rows


def shown_pairings(analysis: Analysis) -> list[tuple[AgentLine, AgentLine, PairingLine]]:
    """List the pairings that have a row, by rank, each with its better agent first."""
    met = []
    for pairing in analysis.pairings:
        if pairing.estimates.n_deals:
            better, other = sorted((analysis.agent(pairing.first), analysis.agent(pairing.second)), key=_by_rank)
            met.append((better, other, pairing))
    if len(met) > MOST_PAIRINGS:
        met = [one for one in met if one[1].rank == one[0].rank + 1]
    return sorted(met, key=lambda one: (one[0].rank, one[1].rank))


def _by_rank(agent: AgentLine) -> int:
    return agent.rank


def _caption(analysis: Analysis) -> str:
    unit, level = analysis.unit, level_text(analysis.level)
    bars = f"{basis(analysis)}; bars: {level} intervals"
    if len(analysis.agents) == 2:
        return f"{bars}; a {unit.name} nobody won counts half"
    shown, n_met = len(shown_pairings(analysis)), sum(p.estimates.n_deals > 0 for p in analysis.pairings)
    some = f"; of {n_met} pairings those of neighbours in the ranking, all are in pairings.csv" if shown < n_met else ""
    return f"{bars}; between equals: from the joint fit of all pairings; a {unit.name} nobody won counts half{some}"
