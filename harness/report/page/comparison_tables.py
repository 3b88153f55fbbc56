"""The tables of a comparison's page; every number in them is one of its summary."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from harness.core.records import ENDINGS
from harness.game.rules import value_text
from harness.report.compare_analysis import MATCHES, ComparedPairing, ComparedRules, Line
from harness.report.compare_tables import difference_writer, p_text
from harness.report.compare_words import FINE_POINTS
from harness.report.page.blocks import note
from harness.report.page.markup import Html
from harness.report.page.table import Cell, Column, estimates, shares, table, whole_numbers, words
from harness.report.words import HOW, NO_NUMBER, POINTS, SHARE, Scale, level_text, write_share
from harness.stats.comparison import Difference
from harness.texts import count

_PERCENT_MORE: Final = Scale(1, 2, 100, " %")
_BASE: Final = "base"


class _Row(NamedTuple):
    """One pairing under one rule set."""

    pairing: ComparedPairing
    line: Line


def agents(compared: ComparedRules) -> Iterator[Html]:
    """Write what each agent of three or more earns under each rule set, against all the others together."""
    if len(compared.agents) < 3:
        return
    rows = [(agent.name, line) for agent in compared.by_strength for line in agent.lines]
    lines = [line for _, line in rows]
    changes = [line.change for line in lines]
    columns = [
        words("agent", (name for name, _ in rows)),
        words("rules", (compared.names[line.rule_set] for line in lines)),
        estimates("game points a hand", POINTS, [line.game_points for line in lines]),
        shares("hands won", [line.hands_won for line in lines]),
        _changes("against the base", FINE_POINTS, changes),
        _p_values("p", changes),
    ]
    yield table(f"{count(len(compared.agents), 'agent')}, each against all the others together", columns)
    yield note(
        f"Against the base: game points a hand more or less than under {compared.names[0]}, on common deals. "
        f"{_about(compared, 'agents')}"
    )


def pairings(compared: ComparedRules) -> Iterator[Html]:
    """Write what came of each pairing under each rule set, and how much that is more or less than under the base."""
    rows = [_Row(pairing, line) for pairing in compared.pairings if not pairing.is_mirror for line in pairing.lines]
    if not rows:
        return
    lines = [row.line for row in rows]
    points, won, matches = (_differences(lines, name) for name in ("game points", "hands won", MATCHES))
    columns = [
        *_names(compared, rows),
        estimates("game points a hand", POINTS, [line.estimates.game_points for line in lines]),
        _changes("against the base", FINE_POINTS, points),
        _p_values("p", points),
        shares("hands won", [line.estimates.hands_won for line in lines]),
        _changes("hands won, against the base", _PERCENT_MORE, won),
        shares("matches won", [line.matches.matches_won for line in lines]),
        _changes("matches won, against the base", _PERCENT_MORE, matches),
        _other_deals(lines),
    ]
    if any(line.n_forfeits for line in lines):
        columns.append(whole_numbers("hands forfeited", (line.n_forfeits for line in lines)))
    yield table(_title(compared, "each from the side of the agent named first"), columns)
    yield note(
        f"Against the base: more or less than under {compared.names[0]}, on common deals. Other deals: those whose "
        f"result, in either half, is another one. A hand nobody won counts half a win. {_about(compared, 'pairings')}"
    )


def seats(compared: ComparedRules) -> Iterator[Html]:
    """Write what it is worth to lead under each rule set."""
    rows = [_Row(pairing, line) for pairing in compared.pairings for line in pairing.lines]
    lines = [row.line for row in rows]
    points = _differences(lines, "seat game points")
    columns = [
        *_names(compared, rows),
        estimates("game points of seat 0", POINTS, [line.estimates.seat_game_points for line in lines]),
        _changes("against the base", FINE_POINTS, points),
        _p_values("p", points),
        shares("hands won by seat 0", [line.estimates.seat_hands_won for line in lines]),
    ]
    yield table(_title(compared, "seat 0, which leads"), columns)
    yield note(_about(compared, "pairings"))


def endings(compared: ComparedRules) -> Iterator[Html]:
    """Write how all hands of all pairings end under each rule set."""
    if not any(each.n_hands for each in compared.endings):
        return
    by_ending = [[each.by_ending[how] for each in compared.endings] for how in range(len(ENDINGS))]
    came = [how for how, found in enumerate(by_ending) if any(share.value for share in found)]
    n_decimals = SHARE.decimals(share for how in came for share in by_ending[how])
    columns = [words("rules", compared.names)]
    for how in came:
        cells = (Cell(write_share(share, n_decimals), share.value) for share in by_ending[how])
        columns.append(Column(HOW[how], tuple(cells)))
    columns.append(whole_numbers("hands", (each.n_hands for each in compared.endings)))
    yield table("How the hands of all pairings end", columns)
    yield note(f"Intervals: {level_text(compared.level)}, ± half their length. Forfeited hands are left out.")


def rule_sets(compared: ComparedRules, summary: Mapping[str, Any]) -> Html:
    """Write what the rule sets are, and what their runs came to."""
    sets = summary["rule_sets"]
    columns = [
        words("rules", compared.names),
        words("as preset and changes", (each["rules"] for each in sets)),
        words("differs from the base in", (_fields(each["differs_from_base_in"]) for each in sets)),
        words("folder", (each["folder"] for each in sets)),
        words("digest", (each["digest"] for each in sets)),
    ]
    return table(f"{len(sets)} rule sets, each with a run of its own", columns)


def _other_deals(lines: Sequence[Line]) -> Column:
    """Make the column of the deals that come out otherwise than under the base."""
    values = [None if line.change is None else line.change.changed for line in lines]
    known = [value for value in values if value is not None]
    n_decimals = SHARE.decimals(known)
    return Column(
        "other deals",
        tuple(Cell(_BASE, None) if e is None else Cell(write_share(e, n_decimals), e.value) for e in values),
    )


def _names(compared: ComparedRules, rows: Sequence[_Row]) -> list[Column]:
    rules = words("rules", (compared.names[row.line.rule_set] for row in rows))
    if len(compared.pairings) == 1:
        return [rules]
    first, second = (row.pairing.first for row in rows), (row.pairing.second for row in rows)
    return [words("agent", first), words("against", second), rules]


def _title(compared: ComparedRules, what: str) -> str:
    if len(compared.pairings) == 1:
        (pairing,) = compared.pairings
        return f"{pairing.first} against {pairing.second} under {len(compared.names)} rule sets, {what}"
    return f"{len(compared.pairings)} pairings under {len(compared.names)} rule sets, {what}"


def _about(compared: ComparedRules, family: str) -> str:
    of = f" and {family}" if len(compared.pairings) > 1 else ""
    return (
        f"p: of no difference to the base in game points, after Holm over all other rule sets{of}. Intervals: "
        f"{level_text(compared.level)}, for one number at a time; n = {count(compared.n_deals, 'deal')}, each played "
        "twice by each pairing."
    )


def _differences(lines: Sequence[Line], measure: str) -> list[Difference | None]:
    return [line.against_base(measure) for line in lines]


def _changes(head: str, scale: Scale, changes: Sequence[Difference | None]) -> Column:
    """Make a column of differences to the base, with the base itself among the rows."""
    write = difference_writer(scale, [each for each in changes if each is not None])
    return Column(
        head,
        tuple(Cell(_BASE, None) if each is None else Cell(write(each), each.difference.value) for each in changes),
    )


def _p_values(head: str, changes: Sequence[Difference | None]) -> Column:
    return Column(
        head,
        tuple(Cell("", None) if each is None else Cell(p_text(each.adjusted_p), each.adjusted_p) for each in changes),
    )


def _fields(changed: Mapping[str, Any]) -> str:
    return ", ".join(f"{field}={value_text(value)}" for field, value in changed.items()) or NO_NUMBER
