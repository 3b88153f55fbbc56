"""A run of whole matches as plain text: who wins how many, with intervals."""

from collections.abc import Callable, Mapping

from harness.report.analysis import AgentLine, Analysis
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
from harness.report.verdicts import run_verdict
from harness.report.words import ELO, NO_NUMBER, SHARE, WIDTH, level_text, wrap, write_share
from harness.stats.estimate import Estimate
from harness.texts import count, shorten

_SCALES: Mapping[str, Callable[[AgentLine], Estimate]] = {
    "matches won": lambda agent: agent.matches_won,
    "match Elo": lambda agent: agent.elo,
}


def match_parts(analysis: Analysis) -> list[str]:
    """Write the parts of the report: in detail for two agents, as a ranking for more."""
    return _pit(analysis) if len(analysis.agents) == 2 else _tournament(analysis)


def _pit(analysis: Analysis) -> list[str]:
    (pairing,) = analysis.pairings
    leader, other = leader_first(pairing)
    seen, name, other_name = pairing.seen_from(leader), analysis.name(leader), analysis.name(other)
    rows = [("matches won", SHARE, seen.hands_won), ("match Elo", ELO, seen.elo)]
    by_seat = [("matches won", SHARE, seen.seat_hands_won)]
    lines = [
        *detail(f"{shorten(name, 30)} against {shorten(other_name, 30)}", rows),
        *detail("The leader of the first hand, against its dealer", by_seat),
        wrap(f"{_played(analysis)} Intervals: {level_text(analysis.level)}."),
        *reasons((name, scale, estimate) for scale, _, estimate in rows),
    ]
    return [wrap(run_verdict(analysis)), "\n".join(lines)]


def _played(analysis: Analysis) -> str:
    return (
        f"{analysis.played} to {count(analysis.target, 'game point')}, played hand by hand with the score; "
        "both of a pair have the same packs, and each side leads the first hand of one. A match that nobody has won "
        "after 1,024 hands counts half."
    )


def _tournament(analysis: Analysis) -> list[str]:
    return [wrap(run_verdict(analysis)), _ranking(analysis), *_head_to_head(analysis)]


def _ranking(analysis: Analysis) -> str:
    d_elo = ELO.decimals(agent.elo for agent in analysis.agents)
    head = "".join(f"{text:>{CELL}}" for text in ("matches won", "match Elo", "matches"))
    lines = [f"{'#':>3} {'agent':<{NAME_WIDTH}}{head}{'ranks':>{RANKS}}"]
    lines += [
        f"{ranked(agent)}{write_share(agent.matches_won):>{CELL}}{ELO.write(agent.elo, d_elo):>{CELL}}"
        f"{agent.n_hands:>{CELL},}{ranks(agent):>{RANKS}}"
        for agent in analysis.agents
    ]
    level = level_text(analysis.level)
    foot = (
        f"Match Elo is against {reference(analysis, analysis.elo.anchor)}; ranked by net wins a match: won less lost. "
        f"By each pairing: {_played(analysis)} Intervals: {level}, all matches of the same packs "
        f"taken together; ranks: {level} for all of them at once."
    )
    return "\n".join([*lines, wrap(foot), *notes(analysis, _SCALES)])


def _head_to_head(analysis: Analysis) -> list[str]:
    """Write who wins how much against whom, as many columns at a time as fit."""
    met = {frozenset((p.first, p.second)): p for p in analysis.pairings if p.estimates.n_deals}
    n_columns = (WIDTH - 4 - NAME_WIDTH) // CELL

    def cell(row: AgentLine, column: AgentLine) -> str:
        pairing = met.get(frozenset((row.number, column.number)))
        if pairing is None or row is column:
            return NO_NUMBER
        return write_share(pairing.seen_from(row.number).hands_won)

    panels = []
    for k in range(0, len(analysis.agents), n_columns):
        columns = analysis.agents[k : k + n_columns]
        head = f"{'#':>3} {'agent':<{NAME_WIDTH}}" + "".join(f"{f'against {c.rank}':>{CELL}}" for c in columns)
        lines = [ranked(row) + "".join(f"{cell(row, column):>{CELL}}" for column in columns) for row in analysis.agents]
        panels.append("\n".join([head, *lines]))
    panels[0] = "Head to head\n" + panels[0]
    panels[-1] += "\n" + wrap(
        f"Matches won by the row against the column, by rank; intervals: {level_text(analysis.level)}, none where it "
        "says ± ?."
    )
    return panels
