"""The report of a ladder of levels: its verdict in words, tables, summary and rows, and the files of these."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.game.rules import Rules
from harness.report.analysis import analyse
from harness.report.ladder import (
    NOT_PROVED,
    STEP,
    STEP_DOWN,
    SURE,
    Ladder,
    MoveTime,
    Step,
    analyse_ladder,
    is_monotone,
)
from harness.report.report import summary_text, write_rows
from harness.report.results import RunResults
from harness.report.summary import estimate
from harness.report.words import ELO, POINTS, SHARE, WIDTH, level_text, wrap
from harness.stats.estimate import Estimate
from harness.texts import count, shorten

SCHEMA: Final = 1
"""Version of the summary's form; raised when a key changes its meaning or goes away."""
_STEP_WIDTH = 21
_NAME_WIDTH = 24


@dataclass(frozen=True)
class LadderReport:
    """What `write_ladder` has written, and the same in memory."""

    summary: Mapping[str, Any]
    summary_json: Path
    text: str


def ladder_verdict(steps: Sequence[Step]) -> str:
    """Say whether every step is a step, and which are not."""
    at = level_text(SURE)
    if is_monotone(steps):
        names = [steps[0].lower, *(step.upper for step in steps)]
        return f"Every step is a step ({at} each, on game points): {' < '.join(names)}."
    words = {NOT_PROVED: "is not proved to be better than", STEP_DOWN: "is weaker than"}
    parts = [
        f"{step.upper} {words[step.kind]} {step.lower} ({POINTS.write(step.sure_points)} game points a hand)"
        for step in steps
        if step.kind != STEP
    ]
    proved = [f"{step.lower} < {step.upper}" for step in steps if step.kind == STEP]
    rest = f" Proved: {', '.join(proved)}." if proved else ""
    return f"The ladder is not monotone ({at} each, on game points): {'; '.join(parts)}.{rest}"


def ladder_text(ladder: Ladder, rules: Rules) -> str:
    """Write a ladder as text of 80 columns."""
    steps = ladder.steps
    points, elos = [s.estimates.game_points for s in steps], [s.estimates.elo for s in steps]
    won, matches = [s.estimates.hands_won for s in steps], [s.matches.matches_won for s in steps]
    match_elos = [s.matches.elo for s in steps]
    lines = [f"{'step':<{_STEP_WIDTH}}{'game points':>15}{'hands won':>16}{'Elo':>14}{'match Elo':>14}"]
    for step, p, w, e, m in zip(steps, points, won, elos, match_elos, strict=True):
        name = f"{step.upper} over {step.lower}"
        if len(name) >= _STEP_WIDTH:
            lines.append(shorten(name, WIDTH))
            name = ""
        lines.append(
            f"{name:<{_STEP_WIDTH}}{POINTS.write(p, POINTS.decimals(points)):>15}"
            f"{SHARE.write(w, SHARE.decimals(won)):>16}{ELO.write(e, ELO.decimals(elos)):>14}"
            f"{ELO.write(m, ELO.decimals(match_elos)):>14}"
        )
    wins = ", ".join(f"{step.upper} wins {SHARE.write(m)}" for step, m in zip(steps, matches, strict=True))
    foot = (
        f"Of the upper level; {count(points[0].n, 'deal')} a step, each played twice; intervals: "
        f"{level_text(ladder.level)}. Elo is from hands won, match Elo from matches to {rules.match.target}, computed "
        f"from the hands ({wins})."
    )
    return "\n\n".join([wrap(ladder_verdict(steps)), "\n".join([*lines, wrap(foot)]), _levels_text(ladder)]) + "\n"


def _levels_text(ladder: Ladder) -> str:
    d_points, d_elo = POINTS.decimals(ladder.game_points), ELO.decimals(ladder.elo)
    lines = [f"{'level':<{_NAME_WIDTH}}{'game points':>15}{'Elo':>15}{'time a move':>13}{'from':>6}{'to':>7}"]
    for name, points, elo, time in zip(ladder.names, ladder.game_points, ladder.elo, ladder.times, strict=True):
        unit, factor = _unit(time.median)
        lines.append(
            f"{shorten(name, _NAME_WIDTH - 1):<{_NAME_WIDTH}}{POINTS.write(points, d_points):>15}"
            f"{ELO.write(elo, d_elo):>15}{f'{_digits(time.median * factor)} {unit}':>13}"
            f"{_digits(time.fastest * factor):>6}{_digits(time.slowest * factor):>7}"
        )
    foot = (
        f"Game points a hand and Elo against {ladder.names[0]}, by the steps in between. The time of a decision, "
        "forced ones and the harness included, is that of this machine: each level against itself on one core, median, "
        f"fastest and slowest of {ladder.times[0].n_runs} runs."
    )
    return "\n".join([*lines, wrap(foot)])


def _unit(seconds: float) -> tuple[str, float]:
    return ("s", 1.0) if seconds >= 1 else ("ms", 1e3) if seconds >= 1e-3 else ("µs", 1e6)


def _digits(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def ladder_summary(run: RunResults, ladder: Ladder) -> dict[str, Any]:
    """Put a ladder into the form of its summary; estimates are those of a run's summary."""
    return {
        "schema": SCHEMA,
        "name": run.name,
        "config": dict(run.config),
        "config_digest": run.config_digest,
        "digest": f"{run.digest % 2**64:016x}",
        "machine": dict(run.machine),
        "level": ladder.level,
        "step_level": SURE,
        "monotone": is_monotone(ladder.steps),
        "verdict": ladder_verdict(ladder.steps),
        "steps": [
            {
                "lower": step.lower,
                "upper": step.upper,
                "kind": step.kind,
                "deals": step.estimates.n_deals,
                **{name: estimate(e) for name, e in _step_estimates(step).items()},
            }
            for step in ladder.steps
        ],
        "levels": [
            {
                "name": name,
                "elo": estimate(elo),
                "game_points": estimate(points),
                "seconds_a_move": {
                    "median": time.median,
                    "fastest": time.fastest,
                    "slowest": time.slowest,
                    "n_runs": time.n_runs,
                },
                "decisions_a_hand": time.decisions_a_hand,
            }
            for name, elo, points, time in zip(ladder.names, ladder.elo, ladder.game_points, ladder.times, strict=True)
        ],
    }


def _step_estimates(step: Step) -> dict[str, Estimate]:
    return {
        "game_points": step.estimates.game_points,
        "game_points_at_step_level": step.sure_points,
        "hands_won": step.estimates.hands_won,
        "elo": step.estimates.elo,
        "matches_won": step.matches.matches_won,
        "match_elo": step.matches.elo,
    }


def ladder_rows(ladder: Ladder) -> Iterator[Sequence[object]]:
    """Give one row a level, from the lowest, after one of names; the step is that from the level below."""
    some = _step_estimates(ladder.steps[0])
    columns = [f"{name}{end}" for name in ("rating_elo", "rating_game_points", *some) for end in ("", "_low", "_high")]
    yield ["level", "seconds_a_move", "decisions_a_hand", "step_from", "step_kind", "deals", *columns]
    for number, (name, time) in enumerate(zip(ladder.names, ladder.times, strict=True)):
        step = ladder.steps[number - 1] if number else None
        below = (step.lower, step.kind, step.estimates.n_deals) if step else ("", "", "")
        cells = [ladder.elo[number], ladder.game_points[number], *(_step_estimates(step).values() if step else ())]
        ends = [end for e in cells for end in (e.value, e.low, e.high)]
        yield [name, time.median, time.decisions_a_hand, *below, *ends, *[None] * (len(columns) - len(ends))]


def write_ladder(run: RunResults, times: Sequence[MoveTime], rules: Rules, folder: Path) -> LadderReport:
    """Write the report of a ladder into a run's report folder, which is there; its files are replaced."""
    ladder = analyse_ladder(analyse(run), times)
    summary = ladder_summary(run, ladder)
    report = LadderReport(summary, folder / "ladder.json", ladder_text(ladder, rules))
    report.summary_json.write_text(summary_text(summary), encoding="utf-8")
    write_rows(folder / "ladder.csv", list(ladder_rows(ladder)))
    (folder / "ladder.txt").write_text(report.text, encoding="utf-8")
    return report
