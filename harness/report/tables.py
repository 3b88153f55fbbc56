"""A run as plain text of at most 80 columns: the verdict in words first, then the numbers, each with its interval."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from harness.core.records import DRAWN, ENDINGS
from harness.report.analysis import AgentLine, Analysis, PairingLine
from harness.report.words import (
    ELO,
    NO_NUMBER,
    POINTS,
    SHARE,
    WIDTH,
    Scale,
    level_text,
    number,
    wrap,
)
from harness.stats.estimate import Estimate
from harness.stats.ratings import REFERENCE
from harness.texts import count, shorten

NAME_WIDTH = 19
CELL = 15
HOW = tuple(how.replace("-", " ") for how in ENDINGS)
ALL_FORFEITED = "All hands were forfeited, so none ended otherwise."
ONE_A_DEAL = "with one observation a deal, hence rather too wide than too narrow"


def report_text(analysis: Analysis) -> str:
    """Write the tables of a run: in detail for two agents, as a ranking for more."""
    if not analysis.n_hands:
        return "No deals have been played, so there is nothing to report.\n"
    parts = _pit(analysis) if len(analysis.agents) == 2 else _tournament(analysis)
    if analysis.faults:
        parts.append(_faults(analysis))
    return "\n\n".join(parts) + "\n"


def verdict(analysis: Analysis, pairing: PairingLine) -> str:
    """Say in one sentence who beats whom in a pairing, on game points, the primary scale, and in one who forfeited."""
    by_side = zip((pairing.first, pairing.second), pairing.faults.sum(axis=1).tolist(), strict=True)
    return " ".join([_who_wins(analysis, pairing), *_who_forfeited(analysis, dict(by_side))])


def _who_forfeited(analysis: Analysis, hands: Mapping[int, int]) -> Iterator[str]:
    """Say which agents have forfeited how many hands, if any have."""
    lost = [f"{analysis.name(agent)} {n_hands:,}" for agent, n_hands in hands.items() if n_hands]
    if lost:
        yield f"Hands forfeited by faults, at -3 game points each: {', '.join(lost)}."


def _who_wins(analysis: Analysis, pairing: PairingLine) -> str:
    leader, other = _leader_first(pairing)
    points = pairing.seen_from(leader).game_points
    leader_name, other_name = analysis.name(leader), analysis.name(other)
    played = f"{count(points.n, 'deal')} played twice"
    if points.value is None:
        return f"{leader_name} and {other_name} have not met."
    if points.half_width is None:
        size = number(points.value, POINTS.least)
        return f"{leader_name} against {other_name}: {size} game points a hand ({played}; {points.note})."
    size = f"{POINTS.write(points)} game points a hand ({level_text(points.level)}, {played})"
    if points.excludes(0):
        return f"{leader_name} beats {other_name} by {size}."
    return f"{leader_name} and {other_name} are not told apart: {size}."


def _leader_first(pairing: PairingLine) -> tuple[int, int]:
    """Give the agents of a pairing, the one with more game points first."""
    behind = (pairing.estimates.game_points.value or 0.0) < 0
    return (pairing.second, pairing.first) if behind else (pairing.first, pairing.second)


def _pit(analysis: Analysis) -> list[str]:
    (pairing,) = analysis.pairings
    leader, other = _leader_first(pairing)
    seen = pairing.seen_from(leader)
    title = f"{shorten(analysis.name(leader), 30)} against {shorten(analysis.name(other), 30)}"
    rows = [
        *_detail(title, seen.game_points, seen.hands_won, seen.elo),
        *_detail("Seat 0, which leads, against seat 1", seen.seat_game_points, seen.seat_hands_won, None),
    ]
    foot = wrap(
        f"{count(seen.n_deals, 'deal')}, played twice with the seats swapped; intervals: "
        f"{level_text(analysis.level)}. A hand nobody won counts half."
    )
    estimates = (seen.game_points, seen.hands_won, seen.elo, seen.seat_game_points, seen.seat_hands_won)
    reasons = dict.fromkeys(e.note for e in estimates if e.value is not None and e.half_width is None)
    notes = [wrap(f"No interval: {reason}.", indent="    ", first="  - ") for reason in reasons]
    numbers = "\n".join([*rows, foot, *notes])
    return [wrap(verdict(analysis, pairing)), numbers, _pit_endings(analysis, pairing, leader, other)]


def _detail(title: str, points: Estimate, won: Estimate, elo: Estimate | None) -> list[str]:
    lines: list[tuple[str, Scale, Estimate]] = [("game points a hand", POINTS, points), ("hands won", SHARE, won)]
    if elo is not None:
        lines.append(("Elo, from hands won", ELO, elo))
    return [
        title,
        *(line for left, scale, e in lines for line in _detail_line(left, scale.write(e), scale.ends(e))),
    ]


def _detail_line(left: str, size: str, interval: str) -> list[str]:
    return wrap(interval, indent=" " * 42, first=f"  {left:<21}{size:<17}  ").splitlines()


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
    lines += [f"{left:<21}" + "".join(f"{_share(s, n_decimals):>22}" for s in shares) for left, shares in rows]
    return "\n".join([*lines, _endings_foot(analysis, endings.n_hands)])


def _share(share: Estimate, n_decimals: int) -> str:
    """Write a share of the hands; where no hand ended so, only what the share can be at most."""
    if share.value == 0 and share.high is not None:
        return f"< {number(max(100 * share.high, 10**-n_decimals), n_decimals, sign=False)} %"
    return SHARE.write(share, n_decimals)


def _endings_foot(analysis: Analysis, n_hands: int) -> str:
    hands, level = count(n_hands, "hand"), level_text(analysis.level)
    return wrap(f"Shares of {hands}; intervals: {level}, ± half their length, {ONE_A_DEAL}.")


def _tournament(analysis: Analysis) -> list[str]:
    return [
        _leaders(analysis),
        _ranking(analysis),
        *_head_to_head(analysis),
        _all_endings(analysis),
    ]


def _leaders(analysis: Analysis) -> str:
    """Say who leads, whether the runner-up is told apart from it, and who forfeited hands."""
    by_agent: dict[int, int] = {}
    for line in analysis.faults:
        by_agent[line.agent] = by_agent.get(line.agent, 0) + line.n_hands
    return wrap(" ".join([_who_leads(analysis), *_who_forfeited(analysis, by_agent)]))


def _who_leads(analysis: Analysis) -> str:
    rated = [agent for agent in analysis.agents if agent.game_points_rating.value is not None]
    first, second = rated[:2]
    gap = analysis.game_points.difference(first.number, second.number)
    size = f"{POINTS.write(gap)} game points a hand"
    basis = f"({level_text(analysis.level)}, {count(gap.n, 'deal')})" if gap.half_width else f"({gap.note})"
    if gap.excludes(0):
        return f"{first.name} leads, ahead of {second.name} by {size} {basis}."
    if gap.value == 0:
        return f"{first.name} and {second.name} are level: {size} {basis}."
    return f"{first.name} leads, but is not told apart from {second.name}: {size} {basis}."


def _ranking(analysis: Analysis) -> str:
    points = [agent.game_points_rating for agent in analysis.agents]
    elos = [agent.elo for agent in analysis.agents]
    won = [agent.hands_won for agent in analysis.agents]
    d_points, d_elo = POINTS.decimals(points), ELO.decimals(elos)
    d_won = SHARE.decimals(won)
    lines = [
        f"{'#':>3} {'agent':<{NAME_WIDTH}}{'game points':>{CELL}}{'Elo':>{CELL}}{'hands won':>{CELL}}{'hands':>12}"
    ]
    lines += [
        f"{agent.rank:>3} {shorten(agent.name, NAME_WIDTH):<{NAME_WIDTH}}"
        f"{POINTS.write(agent.game_points_rating, d_points):>{CELL}}{ELO.write(agent.elo, d_elo):>{CELL}}"
        f"{SHARE.write(agent.hands_won, d_won):>{CELL}}{agent.n_hands:>12,}"
        for agent in analysis.agents
    ]
    return "\n".join([*lines, wrap(_ranking_foot(analysis)), *_notes(analysis)])


def _ranking_foot(analysis: Analysis) -> str:
    def against(anchor: int | None) -> str:
        return "the mean of the rated agents" if anchor is None else analysis.name(anchor)

    points, elo = analysis.game_points, analysis.elo
    same = points.anchor == elo.anchor
    reference = (
        f"Game points a hand and Elo are against {against(points.anchor)}"
        if same
        else f"Game points a hand are against {against(points.anchor)}, Elo against {against(elo.anchor)}"
    )
    return (
        f"{reference}; ranked by game points. {count(analysis.n_deals, 'deal')}, played twice by each pairing; "
        f"intervals: {level_text(analysis.level)}, all hands of a deal taken together. {_seat_sentence(analysis)}"
    )


def _seat_sentence(analysis: Analysis) -> str:
    points, elo = analysis.game_points.seat, analysis.elo.seat
    text = f"Seat 0, which leads, earns {POINTS.write(points)} game points a hand"
    if elo.value is None:
        return f"{text}."
    return f"{text} and has {ELO.write(elo)} Elo."


def _notes(analysis: Analysis) -> list[str]:
    """Say why a number or an interval is missing, once for each reason."""
    missing: dict[str, list[str]] = {}
    scales: tuple[tuple[str, Callable[[AgentLine], Estimate]], ...] = (
        ("game points", lambda agent: agent.game_points_rating),
        ("Elo", lambda agent: agent.elo),
        ("hands won", lambda agent: agent.hands_won),
    )
    for agent in analysis.agents:
        for scale, of in scales:
            if of(agent).half_width is None and of(agent).note != REFERENCE:
                missing.setdefault(f"{scale}: {of(agent).note}", []).append(agent.name)
    return [wrap(f"{', '.join(names)}: {reason}.", indent="    ", first="  - ") for reason, names in missing.items()]


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
    lines = [
        f"{row.rank:>3} {shorten(row.name, NAME_WIDTH):<{NAME_WIDTH}}"
        + "".join(f"{cell(row, column):>{CELL}}" for column in columns)
        for row in rows
    ]
    return "\n".join([head, *lines])


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
        cells = [_share(part, n_decimals) for part in (share, *by_points)]
        lines.append(f"  {name:<18}" + "".join(f"{text:>{CELL}}" for text in cells))
    return "\n".join([*lines, _endings_foot(analysis, endings.n_hands)])


def _faults(analysis: Analysis) -> str:
    """Write who forfeited how many hands by what, each with an example."""
    lines = [f"{'Faults':<{NAME_WIDTH}} {'what it did':<26}{'hands forfeited':>17}{'of':>17}"]
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
    lines.append("A forfeited hand counts -3 game points and is left out of how the hands end.")
    if example is not None:
        lines.append(f"The first example: {example.command}")  # in one line, however long, to be copied
    return "\n".join(lines)
