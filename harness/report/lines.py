"""Lines and sentences that the tables of hands and those of matches share."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from harness.report.analysis import AgentLine, Analysis, PairingLine
from harness.report.words import NO_NUMBER, Scale, wrap
from harness.stats.estimate import Estimate
from harness.stats.ratings import REFERENCE
from harness.texts import shorten

NAME_WIDTH: Final = 19
CELL: Final = 15
RANKS: Final = 12


def who_forfeited(analysis: Analysis, hands: Mapping[int, int]) -> Iterator[str]:
    """Say which agents have forfeited how many hands or matches, if any have."""
    lost = [f"{analysis.name(agent)} {n_hands:,}" for agent, n_hands in hands.items() if n_hands]
    if lost:
        yield f"{analysis.unit.forfeits}: {', '.join(lost)}."


def detail(title: str, rows: Sequence[tuple[str, Scale, Estimate]]) -> list[str]:
    """Write a title and below it estimates, each with the ends of its interval."""
    return [title, *(line for left, scale, e in rows for line in _detail_line(left, scale.write(e), scale.ends(e)))]


def _detail_line(left: str, size: str, interval: str) -> list[str]:
    return wrap(interval, indent=" " * 42, first=f"  {left:<21}{size:<17}  ").splitlines()


def ranked(agent: AgentLine) -> str:
    """Begin the line of an agent."""
    return f"{agent.rank:>3} {shorten(agent.name, NAME_WIDTH):<{NAME_WIDTH}}"


def ranks(agent: AgentLine) -> str:
    """Write the ranks that an agent may have."""
    best, worst = agent.ranks.best, agent.ranks.worst
    if best is None or worst is None:
        return NO_NUMBER
    return str(best) if best == worst else f"{best} to {worst}"


def reference(analysis: Analysis, anchor: int | None) -> str:
    """Say what ratings are against."""
    return "the mean of the rated agents" if anchor is None else analysis.name(anchor)


def notes(analysis: Analysis, scales: Mapping[str, Callable[[AgentLine], Estimate]]) -> list[str]:
    """Say why a number or an interval is missing, once for each reason."""
    return reasons((agent.name, scale, of(agent)) for agent in analysis.agents for scale, of in scales.items())


def reasons(estimates: Iterable[tuple[str, str, Estimate]]) -> list[str]:
    """Write why estimates of somebody on some scale lack a number or an interval, one reason a line."""
    return [wrap(sentence, indent="    ", first="  - ") for sentence in why_missing(estimates)]


def why_missing(estimates: Iterable[tuple[str, str, Estimate]]) -> list[str]:
    """Say why estimates of somebody on some scale lack a number or an interval, once for each reason."""
    missing: dict[str, dict[str, list[str]]] = {}
    for name, scale, estimate in estimates:
        if estimate.half_width is None and estimate.note != REFERENCE:
            missing.setdefault(estimate.note, {}).setdefault(scale, []).append(name)
    return [f"{'; '.join(_who_lacks(scales))}: {reason}." for reason, scales in missing.items()]


def _who_lacks(scales: Mapping[str, Sequence[str]]) -> list[str]:
    """Write who lacks something on which scales; those on which the same ones do are said together."""
    by_names: dict[str, list[str]] = {}
    for scale, names in scales.items():
        by_names.setdefault(", ".join(names), []).append(scale)
    return [f"{names}: {', '.join(same)}" for names, same in by_names.items()]


def leader_first(pairing: PairingLine) -> tuple[int, int]:
    """Give the agents of a pairing, the one with more game points first."""
    behind = (pairing.estimates.game_points.value or 0.0) < 0
    return (pairing.second, pairing.first) if behind else (pairing.first, pairing.second)
