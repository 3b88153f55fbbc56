"""A comparison of rule sets as plain values: its summary in JSON, and a table for other programs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.core.records import ENDINGS
from harness.game.presets import differences, rules_text
from harness.report.compare_agents import ComparedAgent
from harness.report.compare_analysis import ComparedPairing, ComparedRules, Line
from harness.report.compare_leads import Lead
from harness.report.compare_words import common_deals, comparison_verdict, verdict
from harness.report.summary import ESTIMATES_OF_PAIRINGS, estimate
from harness.stats.comparison import Difference
from harness.stats.endings import PooledEndings
from harness.stats.estimate import Estimate

SCHEMA: Final = 1
"""Version of the form below; raised when a key changes its meaning or goes away."""


def comparison_summary(
    compared: ComparedRules, common: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Put a comparison into the form of its summary.

    Estimates are those of a run's summary. A ``difference`` is to the base, with its two-sided p-value and that after
    Holm. The ``leads`` are those of the best agent over the second under a rule set, by ratings over all pairings. The
    ``agents`` are against all the others together, the hands and ``endings`` of a rule set those of all pairings that
    were played to an end.

    Parameters
    ----------
    compared
        The statistics.
    common
        What the runs have in common.
    runs
        Of each rule set, what is known of its run.

    """
    base = compared.rules[0]
    return {
        "schema": SCHEMA,
        "common": dict(common),
        "common_deals": " ".join(common_deals(compared)),
        "level": compared.level,
        "deals": compared.n_deals,
        "base": compared.names[0],
        "rule_sets": [
            {
                "name": name,
                "rules": rules_text(rules),
                "differs_from_base_in": {field: values[1] for field, values in differences(base, rules).items()},
                "hands": endings.n_hands,
                "endings": _endings(endings),
                **run,
            }
            for name, rules, endings, run in zip(compared.names, compared.rules, compared.endings, runs, strict=True)
        ],
        "verdict": comparison_verdict(compared),
        "leads": [_lead(compared, lead) for lead in compared.leads],
        "agents": [_agent(compared, agent) for agent in compared.agents],
        "pairings": [_pairing(compared, pairing) for pairing in compared.pairings],
    }


def table_rows(compared: ComparedRules) -> Iterator[Sequence[object]]:
    """Give one row a pairing and rule set, after one of names: estimates, then differences to the base."""
    measures = [difference.measure for difference in _some_change(compared)]
    ends = ("", "_low", "_high")
    yield [
        *("first", "second", "rule_set", "deals", "forfeits"),
        *(name + end for name in ESTIMATES_OF_PAIRINGS for end in ends),
        *(f"{how.replace('-', '_')}_share{end}" for how in ENDINGS for end in ends),
        *(f"deals_changed{end}" for end in ends),
        *(f"{m.replace(' ', '_')}_difference{end}" for m in measures for end in (*ends, "_p", "_p_holm")),
    ]
    for pairing in compared.pairings:
        for line in pairing.lines:
            yield [
                *(pairing.first, pairing.second, compared.names[line.rule_set], line.estimates.n_deals),
                line.n_forfeits,
                *(cell for e in _levels(line).values() for cell in _ends(e)),
                *(cell for e in line.endings.by_ending for cell in _ends(e)),
                *_change_cells(line, len(measures)),
            ]


def _change_cells(line: Line, n_measures: int) -> list[object]:
    if line.change is None:
        return [None] * (3 + 5 * n_measures)
    cells: list[object] = [*_ends(line.change.changed)]
    for each in line.change.differences:
        cells += [*_ends(each.difference), each.p, each.adjusted_p]
    return cells


def _some_change(compared: ComparedRules) -> Sequence[Any]:
    change = compared.pairings[0].lines[-1].change
    return () if change is None else change.differences


def _ends(e: Estimate) -> tuple[float | None, float | None, float | None]:
    return e.value, e.low, e.high


def _levels(line: Line) -> dict[str, Estimate]:
    of = line.estimates
    values = (
        of.game_points,
        of.hands_won,
        of.elo,
        line.matches.matches_won,
        line.matches.elo,
        of.seat_game_points,
        of.seat_hands_won,
    )
    return dict(zip(ESTIMATES_OF_PAIRINGS, values, strict=True))


def _lead(compared: ComparedRules, lead: Lead) -> dict[str, Any]:
    return {
        "rule_set": compared.names[lead.rule_set],
        "first": lead.first,
        "second": lead.second,
        "game_points_ahead": estimate(lead.gap),
        "told_apart": lead.told_apart,
    }


def _pairing(compared: ComparedRules, pairing: ComparedPairing) -> dict[str, Any]:
    return {
        "first": pairing.first,
        "second": pairing.second,
        "verdict": verdict(compared, pairing),
        "rule_sets": [_line(compared, line) for line in pairing.lines],
    }


def _line(compared: ComparedRules, line: Line) -> dict[str, Any]:
    return {
        "name": compared.names[line.rule_set],
        "deals": line.estimates.n_deals,
        "hands": 2 * line.estimates.n_deals,
        "forfeits": line.n_forfeits,
        **{name: estimate(e) for name, e in _levels(line).items()},
        "endings": _endings(line.endings),
        "against_base": _change(line),
    }


def _endings(endings: PooledEndings) -> dict[str, Any]:
    return {how: estimate(share) for how, share in zip(ENDINGS, endings.by_ending, strict=True)}


def _agent(compared: ComparedRules, agent: ComparedAgent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "rule_sets": [
            {
                "name": compared.names[line.rule_set],
                "hands_won": estimate(line.hands_won),
                "game_points": estimate(line.game_points),
                "against_base": None if line.change is None else _difference(line.change),
            }
            for line in agent.lines
        ],
    }


def _difference(change: Difference) -> dict[str, Any]:
    return {"difference": estimate(change.difference), "p": change.p, "p_holm": change.adjusted_p}


def _change(line: Line) -> dict[str, Any] | None:
    if line.change is None:
        return None
    return {
        "common_deals": line.change.n_deals,
        "deals_changed": estimate(line.change.changed),
        "differences": {each.measure: _difference(each) for each in line.change.differences},
    }
