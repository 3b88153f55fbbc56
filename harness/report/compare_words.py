"""What house rules change, in words: who is better under each, which change the result and by how much."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from harness.report.advice import FEW_DEALS
from harness.report.compare_analysis import ALPHA, ComparedPairing, ComparedRules, Line, told_apart
from harness.report.compare_leads import Lead
from harness.report.units import HAND
from harness.report.verdicts import who_leads
from harness.report.words import POINTS, level_text, rounded_up
from harness.stats.comparison import Difference
from harness.stats.estimate import Estimate
from harness.texts import count

ONLY_MIRRORS_MET: Final = "Every agent has met itself only, so none is better; the rules move the seats."
_MOST_NAMED = 6
FINE_POINTS: Final = replace(POINTS, most=4)
"""Differences of game points a hand: on common deals they can be very well known."""


def comparison_verdict(compared: ComparedRules) -> list[str]:
    """Say what came of a comparison: first in a sentence, then one by one."""
    if len(compared.pairings) == 1:
        return verdict(compared, compared.pairings[0])
    if not compared.leads:
        return [ONLY_MIRRORS_MET]
    return [_who_leads(compared), *(_lead(compared, lead) for lead in compared.leads)]


def verdict(compared: ComparedRules, pairing: ComparedPairing) -> list[str]:
    """Say what came of a pairing under the rule sets, in a few sentences."""
    sentences = [_even(compared, pairing) if pairing.is_mirror else _who_is_better(compared, pairing)]
    if not pairing.is_mirror:
        sentences += _what_changes(compared, pairing, "game points", pairing.first)
    seat = pairing.lines[0].estimates.seat_game_points
    sentences.append(f"Under {compared.names[0]}, seat 0, which leads, earns {POINTS.write(seat)} game points a hand.")
    sentences += _what_changes(compared, pairing, "seat game points", "seat 0")
    untouched = [line for line in pairing.lines if _untouched(line)]
    if untouched:
        sentences.append(f"Not a single deal comes out otherwise under {_names(compared, untouched)}.")
    return sentences


def about_leads(compared: ComparedRules) -> list[str]:
    """Say what the size of a lead is, where there are leads."""
    if not compared.leads:
        return []
    return [
        "A lead is the difference of two ratings on game points, as in the report of that rule set: from all of its "
        "pairings, all hands of a deal taken together. What two agents earned against each other alone, which can be "
        "more or less, is told of their pairing."
    ]


def common_deals(compared: ComparedRules) -> list[str]:
    """Say what the rule sets share, and what they do not."""
    texts = [
        f"Common deals: under every rule set the {count(compared.n_deals, 'pack')} "
        f"{'is' if compared.n_deals == 1 else 'are'} shuffled alike, each played twice with "
        "the seats swapped. A difference is taken deal by deal, so that most of the luck of the cards cancels.",
    ]
    if len({rules.nines for rules in compared.rules}) > 1:
        texts.append("Without nines a pack is the same shuffle of 24 cards with the nines left out.")
    targets = sorted({rules.match.target for rules in compared.rules})
    if len(targets) > 1:
        words = f"{', '.join(map(str, targets[:-1]))} or {targets[-1]}"
        texts.append(f"Matches won are matches to each rule set's own target ({words} game points).")
    return texts


def compared_advice(compared: ComparedRules, left_out: Sequence[str]) -> list[str]:
    """List what to know before trusting the numbers, in whole sentences; `left_out` are the rule sets that lack."""
    sentences = [f"Left out: {sentence}." for sentence in left_out]
    if compared.n_deals < FEW_DEALS:
        sentences.append(
            f"Only {count(compared.n_deals, 'deal')} of each pairing: intervals are rough, play more deals."
        )
    if compared.n_forfeits:
        sentences.append(
            f"{count(compared.n_forfeits, 'hand')} forfeited by faults, at -3 game points each: the report of each "
            "rule set tells who and how."
        )
    return sentences


def _who_leads(compared: ComparedRules) -> str:
    """Say in one sentence who leads under which rule sets, and where that is more than chance."""
    groups: dict[str, list[Lead]] = {}
    for lead in compared.leads:
        who = f"{lead.first} and {lead.second} are level" if lead.gap.value == 0 else f"{lead.first} leads"
        groups.setdefault(who, []).append(lead)
    parts = [
        f"{who} under {_all_of(len(group)) if len(group) == len(compared.leads) else _names(compared, group)}"
        for who, group in groups.items()
    ]
    close = [lead for lead in compared.leads if not lead.told_apart]
    where = "everywhere" if not close else f"everywhere but under {_names(compared, close)}"
    if len(close) == len(compared.leads):
        where = "nowhere"
    return f"{'; '.join(parts)}; the leader is told apart from the second {where} ({level_text(compared.level)})."


def _lead(compared: ComparedRules, lead: Lead) -> str:
    return f"Under {compared.short_name(lead.rule_set)}: {who_leads(lead.first, lead.second, lead.gap, HAND)}"


def _all_of(n_rule_sets: int) -> str:
    return "both rule sets" if n_rule_sets == 2 else f"all {n_rule_sets} rule sets"


def _who_is_better(compared: ComparedRules, pairing: ComparedPairing) -> str:
    def sure(line: Line) -> int:
        points = line.estimates.game_points
        return 0 if points.value is None or not points.excludes(0) else 1 if points.value > 0 else -1

    n, first, second = len(pairing.lines), pairing.first, pairing.second
    groups = {side: [line for line in pairing.lines if sure(line) == side] for side in (1, -1, 0)}
    for side, better, worse in ((1, first, second), (-1, second, first)):
        if len(groups[side]) == n:
            ordered = sorted(pairing.lines, key=lambda line: abs(line.estimates.game_points.value or 0.0))
            low, high = (
                f"{_size(line, side)} under {compared.short_name(line.rule_set)}" for line in (ordered[0], ordered[-1])
            )
            return (
                f"{better} beats {worse} under {_all_of(n)}: by {low} at least, by "
                f"{high} at most (game points a hand, {level_text(compared.level)})."
            )
    parts = [
        f"{better} beats {worse} under {_names(compared, groups[side])}"
        for side, better, worse in ((1, first, second), (-1, second, first))
        if groups[side]
    ]
    if groups[0]:
        parts.append(f"the two are not told apart under {_names(compared, groups[0])}")
    return f"{'; '.join(parts)} ({level_text(compared.level)}, game points a hand)."


def _even(compared: ComparedRules, pairing: ComparedPairing) -> str:
    """Say that an agent is as good as itself, as far as the deals show."""
    names = f"{pairing.first} against itself"
    if all(line.estimates.game_points.value == 0 for line in pairing.lines):
        return f"{names}: both halves of each deal come out alike, so neither side is ahead under any of the rules."
    points = [line.estimates.game_points for line in pairing.lines]
    far = max(points, key=lambda estimate: abs(estimate.value or 0.0))
    return f"{names}: neither side is better, whatever the rules; {POINTS.write(far)} game points a hand at most."


def _what_changes(compared: ComparedRules, pairing: ComparedPairing, measure: str, whose: str) -> Iterator[str]:
    """Sort the rule sets by what they do to game points, compared with the base; `measure` is those of `whose`."""
    changes = [(line, line.change.difference(measure)) for line in pairing.lines if line.change is not None]
    told = [(line, d) for line, d in changes if told_apart(d)]
    for is_more, word in ((True, "rise"), (False, "fall")):
        group = [(line, d) for line, d in told if ((d.difference.value or 0.0) > 0) == is_more]
        group.sort(key=lambda pair: -abs(pair[1].difference.value or 0.0))
        if group:
            yield f"Game points a hand of {whose} {word} against {compared.names[0]} under {_sized(compared, group)}."
    rest = [(line, d) for line, d in changes if not told_apart(d) and not _untouched(line)]
    if rest:
        names = _names(compared, [line for line, _ in rest])
        far = max((_reach(d.difference) for _, d in rest), key=lambda reach: -1.0 if reach is None else reach)
        within = "" if far is None else f"; the intervals reach {rounded_up(far, 3)} at the furthest"
        why = f"p after Holm {ALPHA:g} or more{within}"
        yield f"No change of {whose}'s game points a hand is proved under {names} ({why})."


def _untouched(line: Line) -> bool:
    """Say whether not one deal comes out otherwise than under the base."""
    return line.change is not None and line.change.changed.value == 0


def _reach(difference: Estimate) -> float | None:
    """How far from zero the interval of a difference reaches."""
    ends = [abs(end) for end in (difference.low, difference.high) if end is not None]
    return max(ends) if ends else None


def _size(line: Line, side: int) -> str:
    """Write what the first agent earns, or for a side below 0 the second."""
    points = line.estimates.game_points
    return POINTS.write(points if side > 0 else points.turned())


def _sized(compared: ComparedRules, group: Sequence[tuple[Line, Difference]]) -> str:
    return _listed([f"{compared.short_name(line.rule_set)} ({FINE_POINTS.write(d.difference)})" for line, d in group])


def _names(compared: ComparedRules, lines: Sequence[Line | Lead]) -> str:
    return _listed([compared.short_name(line.rule_set) for line in lines])


def _listed(names: Sequence[str], most: int = _MOST_NAMED) -> str:
    """Join names by commas and an "and"; of many only the first few, and how many more there are."""
    if len(names) > most + 1:
        return f"{', '.join(names[:most])} and {count(len(names) - most, 'other')}"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else list(names))
