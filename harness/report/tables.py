"""A run as plain text of at most 80 columns: the verdict in words first, then the numbers, each with its interval."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from harness.core.records import DRAWN, ENDINGS
from harness.report.analysis import AgentLine, Analysis, PairingLine
from harness.report.lines import (
    CELL,
    NAME_WIDTH,
    RANKS,
    detail,
    leader_first,
    notes,
    ranked,
    ranks,
    reasons,
    reference,
)
from harness.report.match_tables import match_parts
from harness.report.verdicts import NOTHING_PLAYED, run_verdict
from harness.report.words import (
    ELO,
    HOW,
    NO_NUMBER,
    POINTS,
    SHARE,
    WIDTH,
    Scale,
    level_text,
    wrap,
    write_share,
)
from harness.stats.equity import MatchEquity
from harness.stats.estimate import Estimate
from harness.stats.pairs import PairEstimates
from harness.texts import count, shorten

PAIRING_WIDTH = 20
MOST_PAIRINGS = 28
"""Pairings of the longest table that has a line for each: those of eight agents."""
ALL_FORFEITED = "All hands were forfeited, so none ended otherwise."
ONE_A_DEAL = "with one observation a deal, hence rather too wide than too narrow"


def report_text(analysis: Analysis) -> str:
    """Write the tables of a run: in detail for two agents, as a ranking for more."""
    if not analysis.n_hands:
        return f"{NOTHING_PLAYED}\n"
    if analysis.unit.is_match:
        parts = match_parts(analysis)
    else:
        parts = _pit(analysis) if len(analysis.agents) == 2 else _tournament(analysis)
    if analysis.faults:
        parts.append(_faults(analysis))
    return "\n\n".join(parts) + "\n"


def _pit(analysis: Analysis) -> list[str]:
    (pairing,) = analysis.pairings
    leader, other = leader_first(pairing)
    seen = pairing.seen_from(leader)
    title = f"{shorten(analysis.name(leader), 30)} against {shorten(analysis.name(other), 30)}"
    matches = pairing.matches_seen_from(leader)
    hands: list[tuple[str, Scale, Estimate]] = [
        ("game points a hand", POINTS, seen.game_points),
        ("hands won", SHARE, seen.hands_won),
        ("Elo, from hands won", ELO, seen.elo),
    ]
    by_seat = [("game points a hand", POINTS, seen.seat_game_points), ("hands won", SHARE, seen.seat_hands_won)]
    of_matches = [("matches won", SHARE, matches.matches_won), ("match Elo", ELO, matches.elo)]
    rows = [
        *detail(title, hands),
        *detail(f"Matches to {count(analysis.target, 'game point')} (computed from hands)", of_matches),
        *detail("Seat 0, which leads, against seat 1", by_seat),
    ]
    foot = wrap(
        f"{count(seen.n_deals, 'deal')}, played twice with the seats swapped; intervals: "
        f"{level_text(analysis.level)}. A hand nobody won counts half. {_about_matches()}"
    )
    estimates = [estimate for _, _, estimate in (*hands, *of_matches, *by_seat)]
    whys = dict.fromkeys(e.note for e in estimates if e.value is not None and e.half_width is None)
    missing = [wrap(f"No interval: {why}.", indent="    ", first="  - ") for why in whys]
    numbers = "\n".join([*rows, foot, *missing])
    return [wrap(run_verdict(analysis)), numbers, _pit_endings(analysis, pairing, leader, other)]


def _about_matches() -> str:
    return (
        "A match is one of hands like these, whatever the score; each side leads first in half of the matches. "
        "Match Elo is from matches won."
    )


def _pit_endings(analysis: Analysis, pairing: PairingLine, leader: int, other: int) -> str:
    if not pairing.endings.n_hands:
        return ALL_FORFEITED
    sides = (0, 1) if leader == pairing.first else (1, 0)
    names = [f"{shorten(analysis.name(agent), 15)} wins" for agent in (leader, other)]
    endings = pairing.endings
    rows = [
        (f"  {HOW[how]}", [endings.by_ending[side][how] for side in sides])
        for how in range(len(ENDINGS))
        if how != DRAWN and any(endings.by_ending[side][how].value for side in sides)
    ]
    rows += [(f"  for {count(g, 'game point')}", [endings.by_points[side][g - 1] for side in sides]) for g in (1, 2, 3)]
    rows.append(("  nobody won", [endings.drawn]))
    n_decimals = SHARE.decimals(share for _, shares in rows for share in shares)
    lines = [f"{'How the hands end':<21}{names[0]:>22}{names[1]:>22}"]
    lines += [f"{left:<21}" + "".join(f"{write_share(s, n_decimals):>22}" for s in shares) for left, shares in rows]
    return "\n".join([*lines, _endings_foot(analysis, endings.n_hands)])


def _endings_foot(analysis: Analysis, n_hands: int) -> str:
    hands, level = count(n_hands, "hand"), level_text(analysis.level)
    return wrap(f"Shares of {hands}; intervals: {level}, ± half their length, {ONE_A_DEAL}.")


def _tournament(analysis: Analysis) -> list[str]:
    return [
        wrap(run_verdict(analysis)),
        _ranking(analysis),
        _elo_table(analysis),
        *_head_to_head(analysis),
        _by_pairing(analysis),
        _all_endings(analysis),
    ]


def _ranking(analysis: Analysis) -> str:
    d_points = POINTS.decimals(agent.game_points_rating for agent in analysis.agents)
    d_won = SHARE.decimals(agent.hands_won for agent in analysis.agents)
    head = "".join(f"{text:>{CELL}}" for text in ("game points", "hands won", "matches won"))
    lines = [f"{'#':>3} {'agent':<{NAME_WIDTH}}{head}{'ranks':>{RANKS}}"]
    lines += [
        f"{ranked(agent)}{POINTS.write(agent.game_points_rating, d_points):>{CELL}}"
        f"{SHARE.write(agent.hands_won, d_won):>{CELL}}{write_share(agent.matches_won):>{CELL}}"
        f"{ranks(agent):>{RANKS}}"
        for agent in analysis.agents
    ]
    return "\n".join([*lines, wrap(_ranking_foot(analysis)), *notes(analysis, _SCALES_OF_RANKING)])


def _elo_table(analysis: Analysis) -> str:
    d_elo = ELO.decimals(agent.elo for agent in analysis.agents)
    lines = [f"{'#':>3} {'agent':<{NAME_WIDTH}}{'Elo':>{CELL}}{'hands':>{CELL}}"]
    lines += [
        f"{ranked(agent)}{ELO.write(agent.elo, d_elo):>{CELL}}{agent.n_hands:>{CELL},}" for agent in analysis.agents
    ]
    foot = f"Elo is from hands won, against {reference(analysis, analysis.elo.anchor)}."
    if analysis.elo.seat.value is not None:
        foot += f" Seat 0 has {ELO.write(analysis.elo.seat)} Elo."
    return "\n".join([*lines, wrap(foot), *notes(analysis, {"Elo": lambda agent: agent.elo})])


def _ranking_foot(analysis: Analysis) -> str:
    points, level = analysis.game_points, level_text(analysis.level)
    return (
        f"Game points a hand are against {reference(analysis, points.anchor)}; ranked by game points. Matches won "
        f"(computed from hands): to {count(analysis.target, 'game point')}, mean over all opponents of an agent. "
        f"{analysis.played}, played twice by each pairing; intervals: {level}, all hands of a deal "
        f"taken together; ranks: {level} for all of them at once. Seat 0, which leads, earns "
        f"{POINTS.write(points.seat)} game points a hand."
    )


_SCALES_OF_RANKING: Mapping[str, Callable[[AgentLine], Estimate]] = {
    "game points": lambda agent: agent.game_points_rating,
    "hands won": lambda agent: agent.hands_won,
    "matches won": lambda agent: agent.matches_won,
}


def _head_to_head(analysis: Analysis) -> list[str]:
    """Write who earns what against whom, as many columns at a time as fit."""
    met = {frozenset((p.first, p.second)): p for p in analysis.pairings if p.estimates.n_deals}
    d_points = POINTS.decimals(p.estimates.game_points for p in met.values())
    n_columns = (WIDTH - 4 - NAME_WIDTH) // CELL
    agents = analysis.agents
    panels = [_panel(agents, agents[k : k + n_columns], met, d_points) for k in range(0, len(agents), n_columns)]
    n_deals = sorted({p.estimates.n_deals for p in met.values()})
    deals = count(n_deals[-1], "deal") if len(n_deals) == 1 else f"{n_deals[0]:,} to {count(n_deals[-1], 'deal')}"
    foot = wrap(
        f"Game points a hand of the row against the column, by rank; {deals} a pairing; intervals: "
        f"{level_text(analysis.level)}, none where it says ± ?."
    )
    panels[-1] += "\n" + foot
    panels[0] = "Head to head\n" + panels[0]
    return panels


def _panel(
    rows: Sequence[AgentLine], columns: Sequence[AgentLine], met: dict[frozenset[int], PairingLine], d_points: int
) -> str:
    def cell(row: AgentLine, column: AgentLine) -> str:
        pairing = met.get(frozenset((row.number, column.number)))
        if pairing is None or row is column:
            return NO_NUMBER
        return POINTS.write(pairing.seen_from(row.number).game_points, d_points)

    head = f"{'#':>3} {'agent':<{NAME_WIDTH}}" + "".join(f"{f'against {c.rank}':>{CELL}}" for c in columns)
    lines = [ranked(row) + "".join(f"{cell(row, column):>{CELL}}" for column in columns) for row in rows]
    return "\n".join([head, *lines])


def _by_pairing(analysis: Analysis) -> str:
    """Write what each pairing comes to on the other scales, the better ranked agent first."""
    met = [pairing for pairing in analysis.pairings if pairing.estimates.n_deals]
    if len(met) > MOST_PAIRINGS:
        return wrap(
            f"Hands won, Elo, matches won and match Elo of each of the {len(met)} pairings are in pairings.csv and "
            "summary.json."
        )
    rows = sorted((_by_rank(analysis, pairing) for pairing in met), key=lambda row: row.ranks)
    head = "".join(f"{text:>{CELL}}" for text in ("hands won", "Elo", "matches won", "match Elo"))
    lines = [f"{'Each pairing':<{PAIRING_WIDTH}}{head}"]
    for row in rows:
        cells = (
            SHARE.write(row.hands.hands_won),
            ELO.write(row.hands.elo),
            write_share(row.matches.matches_won),
            ELO.write(row.matches.elo),
        )
        lines.append(
            f"{f'{row.ranks[0]:>3} against {row.ranks[1]}':<{PAIRING_WIDTH}}" + "".join(f"{c:>{CELL}}" for c in cells)
        )
    foot = wrap(
        f"Of the agent named first, by rank. Elo is from hands won. Matches won (computed from hands): to "
        f"{count(analysis.target, 'game point')}. {_about_matches()}"
    )
    why = reasons(
        (f"{row.ranks[0]} against {row.ranks[1]}", scale, estimate)
        for row in rows
        for scale, estimate in (
            ("hands won", row.hands.hands_won),
            ("Elo", row.hands.elo),
            ("matches won", row.matches.matches_won),
            ("match Elo", row.matches.elo),
        )
    )
    return "\n".join([*lines, foot, *why])


@dataclass(frozen=True)
class _Met:
    """A pairing seen from its better ranked agent, and the ranks of both."""

    ranks: tuple[int, int]
    hands: PairEstimates
    matches: MatchEquity


def _by_rank(analysis: Analysis, pairing: PairingLine) -> _Met:
    better, worse = sorted((analysis.agent(pairing.first), analysis.agent(pairing.second)), key=lambda a: a.rank)
    seen = pairing.seen_from(better.number), pairing.matches_seen_from(better.number)
    return _Met((better.rank, worse.rank), *seen)


def _all_endings(analysis: Analysis) -> str:
    endings = analysis.endings
    if not endings.n_hands:
        return ALL_FORFEITED
    rows = [
        (HOW[how], endings.by_ending[how], () if how == DRAWN else endings.by_points[how])
        for how in range(len(ENDINGS))
        if endings.by_ending[how].value
    ]
    n_decimals = SHARE.decimals(share for _, share, _ in rows)
    head = ("all", "for 1 point", "for 2 points", "for 3 points")
    lines = [f"{'How the hands end':<20}" + "".join(f"{text:>{CELL}}" for text in head)]
    for name, share, by_points in rows:
        cells = [write_share(part, n_decimals) for part in (share, *by_points)]
        lines.append(f"  {name:<18}" + "".join(f"{text:>{CELL}}" for text in cells))
    return "\n".join([*lines, _endings_foot(analysis, endings.n_hands)])


def _faults(analysis: Analysis) -> str:
    """Write who forfeited how many hands by what, each with an example."""
    lines = [f"{'Faults':<{NAME_WIDTH}} {'what it did':<26}{f'{analysis.unit.plural} forfeited':>17}{'of':>17}"]
    for line in analysis.faults:
        agent = analysis.agent(line.agent)
        name = shorten(agent.name, NAME_WIDTH)
        lines.append(f"{name:<{NAME_WIDTH}} {line.words:<26}{line.n_hands:>17,}{agent.n_hands:>17,}")
        if line.example is not None:
            row, opponent = line.example.row, analysis.name(line.example.opponent)
            half = "second" if row.half else "first"
            where = f"deal {row.deal}, {half} half, against {opponent}"
            lines.append(wrap(f"{where}: it {line.example.what}", indent="    ", first="  "))
    example = next((line.example for line in analysis.faults if line.example is not None), None)
    if not analysis.unit.is_match:
        lines.append("A forfeited hand counts -3 game points and is left out of how the hands end.")
    if example is not None:
        lines.append(f"The first example: {example.command}")  # in one line, however long, to be copied
    return "\n".join(lines)
