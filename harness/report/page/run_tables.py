"""The tables of a run's page; every number in them is one of its summary."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from harness.core.records import DRAWN, ENDINGS
from harness.report.analysis import AgentLine, Analysis, PairingLine
from harness.report.lines import leader_first, ranks, reference, why_missing
from harness.report.page.blocks import bullets, code, folded, note, paragraph
from harness.report.page.markup import Html, element, join
from harness.report.page.table import Cell, Column, estimates, shares, table, whole_numbers, words
from harness.report.tables import ALL_FORFEITED, ONE_A_DEAL
from harness.report.words import ELO, HOW, POINTS, SHARE, level_text, write_share
from harness.stats.estimate import Estimate
from harness.texts import count


def ratings(analysis: Analysis) -> Iterator[Html]:
    """Write the ratings of all agents, the best one first."""
    agents, unit = analysis.agents, analysis.unit
    rating = f"{unit.points} a {unit.name}"
    scales = {
        rating: [agent.game_points_rating for agent in agents],
        f"{unit.plural} won": [agent.hands_won for agent in agents],
        "Elo": [agent.elo for agent in agents],
    }
    matches = {} if unit.is_match else {"matches won": [agent.matches_won for agent in agents]}
    columns = [
        whole_numbers("#", (agent.rank for agent in agents)),
        words("agent", (agent.name for agent in agents)),
        Column("ranks", tuple(Cell(ranks(agent), agent.ranks.best) for agent in agents)),
        estimates(rating, POINTS, scales[rating]),
        estimates(f"{unit.plural} won", SHARE, scales[f"{unit.plural} won"]),
        *(shares(head, values) for head, values in matches.items()),
        estimates("Elo", ELO, scales["Elo"]),
        estimates(f"average {unit.points}", POINTS, [agent.game_points for agent in agents]),
        whole_numbers(unit.plural, (agent.n_hands for agent in agents)),
    ]
    yield table(f"Ratings of {count(len(agents), 'agent')}", columns, heading=1)
    yield note(*_about_ratings(analysis))
    missing = [
        (agent.name, scale, value)
        for scale, values in {**scales, **matches}.items()
        for agent, value in zip(agents, values, strict=True)
    ]
    yield _reasons(missing)


def _about_ratings(analysis: Analysis) -> Iterator[str]:
    unit, level = analysis.unit, level_text(analysis.level)
    elo, points = reference(analysis, analysis.elo.anchor), reference(analysis, analysis.game_points.anchor)
    yield f"{unit.points.capitalize()} a {unit.name} are ratings against {points}; Elo, from {unit.plural} won, is one"
    yield f"against {elo}. Average {unit.points} are those of all {unit.plural} of an agent, whoever its opponents."
    if not unit.is_match:
        target = count(analysis.target, "game point")
        yield f"Matches won are computed from hands: to {target}, the mean over all opponents of an agent."
    yield f"n = {analysis.played}{'' if unit.is_match else ', each played twice'} by each pairing."
    yield f"Intervals: {level}, all {unit.plural} of a {unit.pack} taken together; ranks: {level} for all at once."


class _Met(NamedTuple):
    """A pairing that has been played, its better ranked agent first."""

    better: AgentLine
    worse: AgentLine
    line: PairingLine


def _met(analysis: Analysis) -> list[_Met]:
    rows = []
    for line in analysis.pairings:
        if line.estimates.n_deals:
            sides = analysis.agent(line.first), analysis.agent(line.second)
            better, worse = sorted(sides, key=lambda agent: agent.rank)
            rows.append(_Met(better, worse, line))
    return sorted(rows, key=lambda row: (row.better.rank, row.worse.rank))


def pairings(analysis: Analysis) -> Iterator[Html]:
    """Write what came of each pairing, from the side of its better ranked agent."""
    met = _met(analysis)
    if not met:
        return
    unit = analysis.unit
    seen = [one.line.seen_from(one.better.number) for one in met]
    matches = [one.line.matches_seen_from(one.better.number) for one in met]
    scales = {
        f"{unit.plural} won": [of.hands_won for of in seen],
        "match Elo" if unit.is_match else "Elo": [of.elo for of in seen],
    }
    if not unit.is_match:
        scales |= {"matches won": [of.matches_won for of in matches], "match Elo": [of.elo for of in matches]}
    columns = [
        words("agent", (one.better.name for one in met)),
        words("against", (one.worse.name for one in met)),
        estimates(f"{unit.points} a {unit.name}", POINTS, [of.game_points for of in seen]),
        *(
            estimates(head, ELO, values) if head.endswith("Elo") else shares(head, values)
            for head, values in scales.items()
        ),
        whole_numbers(unit.pairs, (of.n_deals for of in seen)),
    ]
    names = [f"{one.better.name} against {one.worse.name}" for one in met]
    yield table(f"{count(len(met), 'pairing')}, each from the side of its better ranked agent", columns)
    yield note(*_about_pairings(analysis))
    points = [of.game_points for of in seen]
    yield _reasons(
        (name, scale, value)
        for scale, values in {unit.points: points, **scales}.items()
        for name, value in zip(names, values, strict=True)
    )


def _about_pairings(analysis: Analysis) -> Iterator[str]:
    unit = analysis.unit
    if unit.is_match:
        yield f"Matches are to {count(analysis.target, 'game point')}, played hand by hand with the score."
    else:
        yield "Each deal is played twice, with the seats swapped. Elo is from hands won; a hand nobody won counts half."
        yield (
            f"Matches won are computed from hands: to {count(analysis.target, 'game point')}, of hands like these "
            "whatever the score, each side leading first in half of them; match Elo is from matches won."
        )
    yield f"Intervals: {level_text(analysis.level)}."


def endings(analysis: Analysis) -> Iterator[Html]:
    """Write how the hands of all pairings end; of two agents, how each of them wins as well."""
    if analysis.unit.is_match or not analysis.n_hands:
        return
    pooled = analysis.endings
    if not pooled.n_hands:
        yield paragraph(ALL_FORFEITED)
        return
    came = [how for how in range(len(ENDINGS)) if pooled.by_ending[how].value]
    n_decimals = SHARE.decimals(pooled.by_ending[how] for how in came)
    columns = [
        words("how", (HOW[how] for how in came)),
        _rare("all", [pooled.by_ending[how] for how in came], n_decimals),
    ]
    for k in range(3):
        by_points = [None if how == DRAWN else pooled.by_points[how][k] for how in came]
        columns.append(_rare(f"for {count(k + 1, 'point')}", by_points, n_decimals))
    yield table(f"How the hands end: shares of {count(pooled.n_hands, 'hand')}", columns)
    if len(analysis.agents) == 2:
        yield _endings_by_winner(analysis)
    level = level_text(analysis.level)
    yield note(f"Intervals: {level}, ± half their length, {ONE_A_DEAL}. Forfeited hands are left out.")


def _endings_by_winner(analysis: Analysis) -> Html:
    (line,) = analysis.pairings
    leader, other = leader_first(line)
    sides = [(analysis.name(agent), 0 if agent == line.first else 1) for agent in (leader, other)]
    shown = line.endings
    hows = [how for how in range(len(ENDINGS)) if any(shown.by_ending[side][how].value for _, side in sides)]
    n_decimals = SHARE.decimals(shown.by_ending[side][how] for _, side in sides for how in hows)
    columns = [
        words("how", [*(HOW[how] for how in hows), *(f"for {count(g, 'game point')}" for g in (1, 2, 3)), HOW[DRAWN]]),
        *(
            _rare(
                f"{name} wins",
                [
                    *(shown.by_ending[side][how] for how in hows),
                    *shown.by_points[side],
                    shown.drawn if k == 0 else None,
                ],
                n_decimals,
            )
            for k, (name, side) in enumerate(sides)
        ),
    ]
    return table(f"How each wins: shares of {count(shown.n_hands, 'hand')}", columns, can_sort=False)


def _rare(head: str, values: Sequence[Estimate | None], n_decimals: int) -> Column:
    return Column(
        head,
        tuple(Cell("", None) if e is None else Cell(write_share(e, n_decimals), e.value) for e in values),
    )


def seat(analysis: Analysis) -> Iterator[Html]:
    """Write what it is worth to lead, over all pairings and in each of them."""
    met = _met(analysis)
    if not met:
        return
    unit, over_all = analysis.unit, analysis.game_points.seat
    who, short = ("Seat 0, which leads,", "seat 0")
    if unit.is_match:
        who, short = "The leader of the first hand", "its leader"
    elo = analysis.elo.seat
    sizes = [f"{POINTS.write(over_all)} {unit.points} a {unit.name}"] if over_all.value is not None else []
    sizes += [f"{ELO.write(elo)} Elo"] if elo.value is not None else []
    if sizes:
        yield paragraph(f"{who} has {' and '.join(sizes)} over all pairings ({level_text(analysis.level)}).")
    columns = [
        words("agent", (one.better.name for one in met)),
        words("against", (one.worse.name for one in met)),
        estimates(f"{unit.points} of {short}", POINTS, [one.line.estimates.seat_game_points for one in met]),
        shares(f"{unit.plural} won by {short}", [one.line.estimates.seat_hands_won for one in met]),
        whole_numbers(unit.pairs, (one.line.estimates.n_deals for one in met)),
    ]
    yield table(f"{who} in each pairing, whichever agent that is", columns)


def faults(analysis: Analysis) -> Iterator[Html]:
    """Write who forfeited how many hands by what, with an example of each."""
    if not analysis.faults:
        return
    unit = analysis.unit
    columns = [
        words("agent", (analysis.name(line.agent) for line in analysis.faults)),
        words("what it did", (line.words for line in analysis.faults)),
        whole_numbers(f"{unit.plural} forfeited", (line.n_hands for line in analysis.faults)),
        whole_numbers("of", (analysis.agent(line.agent).n_hands for line in analysis.faults)),
    ]
    yield table(f"{unit.plural.capitalize()} forfeited by faults", columns)
    if not unit.is_match:
        yield note("A forfeited hand counts -3 game points and is left out of how the hands end.")
    for line in analysis.faults:
        if line.example is None:
            continue
        row, name, opponent = line.example.row, analysis.name(line.agent), analysis.name(line.example.opponent)
        where = f"deal {row.deal}, {'second' if row.half else 'first'} half, against {opponent}"
        yield element("h3", f"{name} {line.words}")
        yield paragraph(f"For example in {where}: it {line.example.what}")
        yield code(line.example.command, "The command that shows this hand")
        if row.story:
            yield folded("What it left behind", code(row.story, f"What {name} left behind"))


def checks(analysis: Analysis) -> Iterator[Html]:
    """Write what the results say about the harness that made them."""
    if not analysis.checks:
        return
    columns = [
        words("check", (verdict.name for verdict in analysis.checks)),
        words("result", ("passed" if verdict.passed else "FAILED" for verdict in analysis.checks)),
        Column("p", tuple(Cell("-" if v.p is None else f"{v.p:.2g}", v.p) for v in analysis.checks)),
        words("what was found", (verdict.found for verdict in analysis.checks)),
    ]
    yield table("Checks of the harness by the results of this run", columns)


def _reasons(estimates_of: Iterable[tuple[str, str, Estimate]]) -> Html:
    return join([bullets(why, class_="note")]) if (why := why_missing(estimates_of)) else Html()
