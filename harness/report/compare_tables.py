"""A comparison of rule sets as plain text of 80 columns: what it comes to in words, then the numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from harness.report.compare_agents import AgentUnderRules
from harness.report.compare_analysis import MATCHES, ComparedPairing, ComparedRules, Line, differences_to_base
from harness.report.compare_words import FINE_POINTS, about_leads, common_deals, comparison_verdict, verdict
from harness.report.words import NO_NUMBER, POINTS, SHARE, Scale, at_most, level_text, wrap
from harness.stats.comparison import Difference
from harness.stats.estimate import Estimate
from harness.texts import shorten

NAME_WIDTH = 24
_ENDINGS_WIDTHS = (9, 8, 8, 7, 6, 8, 8)
_PERCENT = Scale(1, 2, 100, "", sign=False)
_PERCENT_MORE = Scale(1, 2, 100, "")
_ENDINGS_HEAD = (
    ("", "closed,", "closed,", "over-", "ran", "nobody", "false"),
    ("declared", "made", "failed", "taken", "out", "won", "declar."),
)


@dataclass(frozen=True)
class _Level:
    """A column of the table of levels."""

    head: str
    scale: Scale
    of: Callable[[Line], Estimate]


@dataclass(frozen=True)
class _Change:
    """A column of the table of differences to the base, with two lines of heading."""

    head: str
    unit: str
    width: int
    scale: Scale
    measure: str


_Earned: TypeAlias = tuple[Line | AgentUnderRules, Estimate, Difference | None, Estimate]
"""Under which rules, the game points a hand, how much they are above those under the base, the hands won."""

_LEVEL_WIDTH = 18
_LEVELS = (
    _Level("game points", POINTS, lambda line: line.estimates.game_points),
    _Level("hands won", SHARE, lambda line: line.estimates.hands_won),
    _Level("matches won", SHARE, lambda line: line.matches.matches_won),
)
_CHANGES = (
    _Change("game points", "a hand", 16, FINE_POINTS, "game points"),
    _Change("hands won", "%", 14, _PERCENT_MORE, "hands won"),
    _Change("matches", "won, %", 14, _PERCENT_MORE, MATCHES),
)
_SEAT_LEVELS = (
    _Level("game points", POINTS, lambda line: line.estimates.seat_game_points),
    _Level("hands won", SHARE, lambda line: line.estimates.seat_hands_won),
)
_SEAT_CHANGES = (
    _Change("game points", "of seat 0", 18, FINE_POINTS, "seat game points"),
    _Change("hands won", "by seat 0, %", 18, _PERCENT_MORE, "seat hands won"),
)


def comparison_text(compared: ComparedRules) -> str:
    """Write a comparison: who leads, the agents, for each pairing the verdict and its tables, what the deals share."""
    parts = ["\n".join(map(wrap, comparison_verdict(compared)))] if len(compared.pairings) > 1 else []
    parts += [wrap(sentence) for sentence in about_leads(compared)]
    parts += _agents(compared)
    parts += [part for pairing in compared.pairings for part in _pairing(compared, pairing)]
    foot = [
        *common_deals(compared),
        f"Intervals: {level_text(compared.level)}, for one number at a time. p: of no difference to the base; that "
        "of a pairing is after Holm over all other rule sets and pairings. Seat 0 leads the hand. A hand nobody won "
        "counts half a win.",
    ]
    if any(name.startswith(f"{compared.names[0]} ") for name in compared.names[1:]):
        foot.append(f"FIELD=VALUE is {compared.names[0]} with that one field changed.")
    return "\n\n".join([*parts, wrap(" ".join(foot))]) + "\n"


def _agents(compared: ComparedRules) -> Iterator[str]:
    if len(compared.agents) < 3:
        return
    yield _underlined("Each agent against all the others")
    for agent in compared.by_strength:
        rows = [(line, line.game_points, line.change, line.hands_won) for line in agent.lines]
        yield _against_base(compared, agent.name, rows)
    yield wrap(
        "An average against all the others is about these opponents; it is no rating. p: of game points, after Holm "
        "over all other rule sets and agents."
    )


def _pairing(compared: ComparedRules, pairing: ComparedPairing) -> Iterator[str]:
    if len(compared.pairings) > 1:
        yield _underlined(f"{shorten(pairing.first, 35)} against {shorten(pairing.second, 35)}")
    yield "\n".join(wrap(sentence) for sentence in verdict(compared, pairing))
    if pairing.is_mirror:
        yield _levels(compared, "Seat 0, which leads", pairing.lines, _SEAT_LEVELS)
        yield _changes(compared, pairing.lines[1:], _SEAT_CHANGES)
    else:
        yield _levels(compared, f"{pairing.first} under", pairing.lines, _LEVELS)
        yield _changes(compared, pairing.lines[1:], _CHANGES)
        yield _against_base(compared, "Seat 0", [_of_seat_0(line) for line in pairing.lines])
    yield _endings(compared, pairing)
    yield _worth(compared, pairing)


def _levels(compared: ComparedRules, title: str, lines: Sequence[Line], columns: Sequence[_Level]) -> str:
    estimates = [[column.of(line) for line in lines] for column in columns]
    cells = [
        [f"{column.scale.write(e, column.scale.decimals(values)):>{_LEVEL_WIDTH}}" for e in values]
        for column, values in zip(columns, estimates, strict=True)
    ]
    name = shorten(title, NAME_WIDTH - 1)
    head = f"{name:<{NAME_WIDTH}}" + "".join(f"{column.head:>{_LEVEL_WIDTH}}" for column in columns)
    rows = [(line, "".join(texts)) for line, *texts in zip(lines, *cells, strict=True)]
    return _table(compared, [head], rows)


def _changes(compared: ComparedRules, lines: Sequence[Line], columns: Sequence[_Change]) -> str:
    by_column = [differences_to_base(lines, column.measure) for column in columns]
    cells = []
    for column, differences in zip(columns, by_column, strict=True):
        write = difference_writer(column.scale, differences)
        cells.append([f"{write(each):>{column.width}}" for each in differences])
    heads = [
        (f"against {shorten(compared.names[0], 17)}", [column.head for column in columns], "p", "other"),
        ("on common deals", [column.unit for column in columns], "", "deals%"),
    ]
    head = [
        f"{left:<{NAME_WIDTH}}"
        + "".join(f"{text:>{column.width}}" for text, column in zip(texts, columns, strict=True))
        + f"{p:>6}{deals:>6}"
        for left, texts, p, deals in heads
    ]
    rows = [
        (line, f"{''.join(texts)}{p_text(first.adjusted_p):>6}{_changed(line):>6}")
        for line, first, *texts in zip(lines, by_column[0], *cells, strict=True)
    ]
    foot = wrap("p: of game points. Other deals: those whose result, in either half, is another one.")
    return f"{_table(compared, head, rows)}\n{foot}"


def _of_seat_0(line: Line) -> _Earned:
    of = line.estimates
    return line, of.seat_game_points, line.against_base("seat game points"), of.seat_hands_won


def _against_base(compared: ComparedRules, who: str, earned: Sequence[_Earned]) -> str:
    """Write what someone earns under each rule set, how much more or less that is than under the base."""
    lines, points, changes, won = zip(*earned, strict=True)
    write = difference_writer(FINE_POINTS, [change for change in changes if change])
    d_points, d_won = POINTS.decimals(points), SHARE.decimals(won)
    name = shorten(who, NAME_WIDTH - 1)
    head = f"{name:<{NAME_WIDTH}}{'game points':>16}{'against base':>17}{'p':>6}{'hands won':>17}"
    rows = []
    for line, p, change, w in zip(lines, points, changes, won, strict=True):
        against = f"{write(change):>17}{p_text(change.adjusted_p):>6}" if change else f"{'base':>17}{'':>6}"
        rows.append((line, f"{POINTS.write(p, d_points):>16}{against}{SHARE.write(w, d_won):>17}"))
    return _table(compared, [head], rows)


def _endings(compared: ComparedRules, pairing: ComparedPairing) -> str:
    head = [
        f"{left:<{NAME_WIDTH}}" + _ending_cells(texts)
        for left, texts in zip(("How hands end, % of", "all hands of both"), _ENDINGS_HEAD, strict=True)
    ]
    shares = [line.endings.by_ending for line in pairing.lines]
    rows = [
        (line, _ending_cells([_percent(share) for share in by_ending]))
        for line, by_ending in zip(pairing.lines, shares, strict=True)
    ]
    widest = at_most((share for by_ending in shares for share in by_ending), SHARE)
    foot = [wrap(f"Each {widest} at most; a dash where no hand ended so.")] if widest else []
    return "\n".join([_table(compared, head, rows), *foot])


def _worth(compared: ComparedRules, pairing: ComparedPairing) -> str:
    """Write what hands are worth: the base as shares, the others as differences to it."""
    names = ("hands nobody won", "hands worth 1", "hands worth 2", "hands worth 3")
    others = pairing.lines[1:]
    by_name = {name: differences_to_base(others, name) for name in names}
    writers = {name: difference_writer(_PERCENT_MORE, differences) for name, differences in by_name.items()}
    head = f"{'Hands worth, %':<{NAME_WIDTH}}" + "".join(
        f"{t:>14}" for t in ("nothing", "1 point", "2 points", "3 points")
    )
    shares = [by_name[name][0].first for name in names]
    n_decimals = _PERCENT.decimals(shares)
    base = "".join(f"{_PERCENT.write(share, n_decimals):>14}" for share in shares)
    rows = [(pairing.lines[0], base)]
    rows += [
        (line, "".join(f"{writers[name](by_name[name][k]):>14}" for name in names)) for k, line in enumerate(others)
    ]
    foot = f"The first line has the shares, the others have differences to {compared.names[0]} on common deals."
    return f"{_table(compared, [head], rows)}\n{wrap(foot)}"


def _underlined(title: str) -> str:
    return f"{title}\n{'=' * len(title)}"


def _table(compared: ComparedRules, head: Sequence[str], rows: Sequence[tuple[Line | AgentUnderRules, str]]) -> str:
    """Put the names of the rule sets before the rows; one that is too long gets a line of its own."""
    lines = list(head)
    for line, cells in rows:
        name = compared.short_name(line.rule_set)
        if len(name) >= NAME_WIDTH:
            lines.append(name)
            name = ""
        lines.append(f"{name:<{NAME_WIDTH}}{cells}".rstrip())
    return "\n".join(lines)


def difference_writer(scale: Scale, differences: Sequence[Difference]) -> Callable[[Difference], str]:
    """Return what writes differences of a column, all with the same decimals; none at all is written as 0."""
    n_decimals = scale.decimals([each.difference for each in differences])

    def write(each: Difference) -> str:
        estimate = each.difference
        return "0" if estimate.half_width is None and estimate.value == 0 else scale.write(estimate, n_decimals)

    return write


def p_text(p: float | None) -> str:
    """Write a p-value in at most five characters."""
    if p is None:
        return NO_NUMBER
    return "<.001" if p < 0.001 else "1" if p > 0.9995 else f"{p:.3f}"[1:]


def _changed(line: Line) -> str:
    changed = line.change.changed.value if line.change is not None else None
    if changed is None:
        return NO_NUMBER
    return "0" if changed == 0 else "<.1" if changed < 0.001 else f"{100 * changed:.1f}"


def _ending_cells(texts: Sequence[str]) -> str:
    return "".join(f"{text:>{width}}" for text, width in zip(texts, _ENDINGS_WIDTHS, strict=True))


def _percent(share: Estimate) -> str:
    return NO_NUMBER if not share.value else f"{100 * share.value:.1f}" if share.value >= 0.0005 else "<.1"
