"""Which agent forfeited how many hands, by what, with an example of each."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Final

from harness.agent_api.faults import FAULT_KINDS, FAULT_WORDS, FaultKind
from harness.report.results import RunResults
from harness.store.rows import FaultRow

N_EXAMPLES: Final = 1000
"""How many stored faults are looked at for examples."""
DEPENDS_ON_MACHINE: Final = frozenset({FaultKind.MOVE_TIME, FaultKind.HAND_TIME, FaultKind.START, FaultKind.MEMORY})
"""Kinds of faults that need not come again on another machine."""
_MOST_SHOWN: Final = 200


@dataclass(frozen=True)
class Example:
    """A fault as it is stored, with the place of the other agent and the command that shows the hand."""

    row: FaultRow
    opponent: int
    command: str

    @property
    def what(self) -> str:
        """What happened, fit to print: an agent may have put anything into it."""
        text = "".join(c if c.isprintable() else " " for c in self.row.what)
        return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


@dataclass(frozen=True)
class FaultLine:
    """Hands that an agent, by its place in the run's list, has forfeited by faults of one kind."""

    agent: int
    kind: FaultKind
    n_hands: int
    example: Example | None

    @property
    def words(self) -> str:
        """What the agent did, as in ``took too long for a move``."""
        return FAULT_WORDS[self.kind]


def fault_lines(run: RunResults) -> tuple[FaultLine, ...]:
    """List the faults of a run by agent and kind; kinds that never came are left out."""
    if not run.faults.any():
        return ()
    examples: dict[tuple[int, str], Example] = {}
    for row in run.fault_rows(N_EXAMPLES):
        example, agent = _example(run, row)
        examples.setdefault((agent, row.kind), example)
    lines = []
    for agent in range(len(run.agents)):
        sides = [(place, pair.index(agent)) for place, pair in enumerate(run.pairings) if agent in pair]
        for k, kind in enumerate(FAULT_KINDS):
            n_hands = sum(int(run.faults[place, side, k]) for place, side in sides)
            if n_hands:
                lines.append(FaultLine(agent, kind, n_hands, examples.get((agent, kind))))
    return tuple(lines)


def _example(run: RunResults, row: FaultRow) -> tuple[Example, int]:
    """Return a fault as an example, and whose it is."""
    pairing = next(pairing for pairing in run.pairing_rows if pairing.number == row.pairing)
    first, second = pairing.first_agent, pairing.second_agent
    agent, opponent = (second, first) if row.side else (first, second)
    return Example(row, opponent, show_command(run, (first, second), row.deal, row.half)), agent


def show_command(run: RunResults, pairing: tuple[int, int], deal: int, half: int) -> str:
    """Return the command that shows a hand of a run; the pairing by places in the run's list of agents."""
    words = ["sixtysix", "show", str(run.folder), "--deal", str(deal), "--half", str(half)]
    if len(run.pairings) > 1:
        words += [run.agents[agent] for agent in pairing]
    return shlex.join(words)
