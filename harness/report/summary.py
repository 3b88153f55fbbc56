"""The summary of a run as plain values: what ``summary.json`` holds and ``--json`` prints."""

from typing import Any, Final

from harness.agent_api.faults import FAULT_KINDS
from harness.core.records import ENDINGS
from harness.report.advice import advice
from harness.report.analysis import AgentLine, Analysis, PairingLine
from harness.report.faults import FaultLine
from harness.report.results import RunResults
from harness.stats.codes import IntArray
from harness.stats.endings import EndingShares, PooledEndings
from harness.stats.estimate import Estimate
from harness.stats.ranks import RankInterval
from harness.stats.self_checks import Verdict

SCHEMA = 1
"""Version of the form below; raised when a key changes its meaning or goes away."""

MEAN_OF_RATED = "mean of the rated agents"
ESTIMATES_OF_PAIRINGS: Final = (
    "game_points",
    "hands_won",
    "elo",
    "matches_won",
    "match_elo",
    "seat_0_game_points",
    "seat_0_hands_won",
)
"""Keys of the estimates of a pairing, in a run's report and in that of a comparison."""


def summary_of(run: RunResults, analysis: Analysis) -> dict[str, Any]:
    """Put a run and its statistics into the form of the summary.

    Every estimate is ``{"value", "low", "high", "n_deals", "note"}``; value, low or high are None where there
    is no honest number, and the note says why. Game points and hands won are a hand; matches won and match Elo are
    computed from hands, elo is from hands won.

    Where "unit" is "match", matches were played: what is called hands are matches, a deal is a pair of them, game
    points are 1 for a match won and -1 for one lost, matches won and match Elo are those that were played.
    """
    return {
        "schema": SCHEMA,
        "complete": analysis.complete,
        "changed_agents": list(analysis.changed_agents),
        "name": run.name,
        "config": dict(run.config),
        "config_digest": run.config_digest,
        "versions": dict(run.versions),
        "machine": dict(run.machine),
        "seconds": run.seconds,
        "digest": f"{run.digest % 2**64:016x}",
        "level": analysis.level,
        "unit": analysis.unit.name,
        "deals": analysis.n_deals,
        "hands": analysis.n_hands,
        "match_target": analysis.target,
        "elo_against": _reference(analysis, analysis.elo.anchor),
        "game_points_against": _reference(analysis, analysis.game_points.anchor),
        "agents": [_agent(analysis, line) for line in analysis.agents],
        "seat_0": {"elo": estimate(analysis.elo.seat), "game_points": estimate(analysis.game_points.seat)},
        "differences": _differences(analysis),
        "pairings": [_pairing(analysis, line) for line in analysis.pairings],
        "endings": _pooled(analysis.endings),
        "fault_examples": [_fault_example(analysis, line) for line in analysis.faults],
        "self_checks": [_check(verdict) for verdict in analysis.checks],
        "advice": list(advice(analysis)),
    }


def estimate(value: Estimate) -> dict[str, float | int | str | None]:
    """Put an estimate into plain values."""
    return {"value": value.value, "low": value.low, "high": value.high, "n_deals": value.n, "note": value.note}


def _reference(analysis: Analysis, anchor: int | None) -> str:
    return MEAN_OF_RATED if anchor is None else analysis.name(anchor)


def _agent(analysis: Analysis, line: AgentLine) -> dict[str, Any]:
    faults = {fault.kind: fault.n_hands for fault in analysis.faults if fault.agent == line.number}
    return {
        "name": line.name,
        "rank": line.rank,
        "ranks": _ranks(line.ranks),
        "hands": line.n_hands,
        "forfeits": sum(faults.values()),
        "faults": {kind.value: faults.get(kind, 0) for kind in FAULT_KINDS},
        "elo": estimate(line.elo),
        "game_points_rating": estimate(line.game_points_rating),
        "game_points": estimate(line.game_points),
        "hands_won": estimate(line.hands_won),
        "matches_won": estimate(line.matches_won),
    }


def _ranks(interval: RankInterval) -> dict[str, int | str | None]:
    return {"best": interval.best, "worst": interval.worst, "note": interval.note}


def _check(verdict: Verdict) -> dict[str, bool | float | str | None]:
    return {
        "check": verdict.name,
        "passed": verdict.passed,
        "p": verdict.p,
        "found": verdict.found,
        "advice": verdict.advice,
    }


def _differences(analysis: Analysis) -> list[dict[str, Any]]:
    """Differences of the ratings between all agents, the better ranked one first."""
    return [
        {
            "first": better.name,
            "second": worse.name,
            "elo": estimate(analysis.elo.difference(better.number, worse.number)),
            "game_points": estimate(analysis.game_points.difference(better.number, worse.number)),
        }
        for better in analysis.agents
        for worse in analysis.agents[better.rank :]
    ]


def _pairing(analysis: Analysis, line: PairingLine) -> dict[str, Any]:
    estimates = line.estimates
    return {
        "first": analysis.name(line.first),
        "second": analysis.name(line.second),
        "deals": estimates.n_deals,
        "hands": 2 * estimates.n_deals,
        "forfeits": line.n_forfeits,
        "first_faults": _faults(line.faults[0]),
        "second_faults": _faults(line.faults[1]),
        "game_points": estimate(estimates.game_points),
        "hands_won": estimate(estimates.hands_won),
        "elo": estimate(estimates.elo),
        "matches_won": estimate(line.equity.matches_won),
        "match_elo": estimate(line.equity.elo),
        "hands_a_match": None if line.equity.table is None else line.equity.table.hands_a_match,
        "seat_0_game_points": estimate(estimates.seat_game_points),
        "seat_0_hands_won": estimate(estimates.seat_hands_won),
        "pairing_gain": estimates.pairing_gain,
        "endings": _endings(line.endings),
    }


def _faults(by_kind: IntArray) -> dict[str, int]:
    return {kind.value: int(n) for kind, n in zip(FAULT_KINDS, by_kind, strict=True)}


def _fault_example(analysis: Analysis, line: FaultLine) -> dict[str, Any]:
    """Put the example of an agent's kind of fault into plain values; None where no example is at hand."""
    example = line.example
    return {
        "agent": analysis.name(line.agent),
        "kind": line.kind.value,
        "opponent": None if example is None else analysis.name(example.opponent),
        "deal": None if example is None else example.row.deal,
        "half": None if example is None else example.row.half,
        "what": None if example is None else example.row.what,
        "story": None if example is None else example.row.story,
        "show": None if example is None else example.command,
    }


def _endings(shares: EndingShares) -> dict[str, Any]:
    sides = {
        side: {
            "by_ending": {
                how: estimate(share) for how, share in zip(ENDINGS, by_ending, strict=True) if how != "drawn"
            },
            "by_game_points": {str(g): estimate(share) for g, share in enumerate(by_points, start=1)},
        }
        for side, by_ending, by_points in zip(
            ("first_won", "second_won"), shares.by_ending, shares.by_points, strict=True
        )
    }
    return {"hands": shares.n_hands, **sides, "drawn": estimate(shares.drawn)}


def _pooled(endings: PooledEndings) -> dict[str, Any]:
    return {
        "hands": endings.n_hands,
        "by_ending": {how: estimate(share) for how, share in zip(ENDINGS, endings.by_ending, strict=True)},
        "by_game_points": {
            how: {str(g): estimate(share) for g, share in enumerate(by_points, start=1)}
            for how, by_points in zip(ENDINGS, endings.by_points, strict=True)
            if how != "drawn"
        },
    }
