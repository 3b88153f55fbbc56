"""Made-up runs for the tests of reports."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from harness.agent_api.faults import FAULT_KINDS, FaultKind
from harness.core.records import CLOSE_FAILED, CLOSE_MADE, DECLARED, DRAWN, RAN_OUT
from harness.game.rules import Rules
from harness.play.codes import NOT_PLAYED
from harness.report.analysis import analyse
from harness.report.summary import summary_of
from harness.stats.codes import GAME_POINTS, CodeArray, FloatArray, IntArray
from harness.stats.endings import TALLY_SHAPE
from harness.store.rows import FaultRow, PairingRow
from tests.helpers.deals import counts_of, random_block, round_robin


@dataclass(frozen=True)
class MadeUpRun:
    """A run whose deals are all in one block."""

    agents: Sequence[str]
    block: CodeArray
    pairings: Sequence[tuple[int, int]]
    endings: IntArray
    anchor: str | None = None
    complete: bool = True
    digest: int = 2**64 - 0x1234
    seconds: float | None = 12.5
    block_size: int = 1000
    name: str = "an evening"
    config_digest: str = "0123456789abcdef"
    rules: Mapping[str, object] = field(default_factory=lambda: Rules().flat())
    texts: Sequence[str] = ()
    by_worker: IntArray | None = None
    played_seconds: FloatArray | None = None
    play: str = "hands"
    format: str = "round-robin"
    versions: Mapping[str, Any] = field(default_factory=lambda: {"sixtysix": "0.1.0"})
    machine: Mapping[str, Any] = field(default_factory=lambda: {"cores": 2})
    folder: Path = Path("results/an-evening")
    changed_agents: Sequence[str] = ()
    forfeited: Sequence[FaultRow] = ()
    numbers_from: int = 0

    @property
    def config(self) -> Mapping[str, Any]:
        agents = list(self.texts or self.agents)
        deals = max(1, self.block.shape[1])
        return {
            "play": self.play,
            "format": self.format,
            "seed": 7,
            "rules": self.rules,
            "agents": agents,
            "deals": deals,
        }

    @property
    def worker_counts(self) -> IntArray:
        return self.counts[np.newaxis] if self.by_worker is None else self.by_worker

    @property
    def pairing_seconds(self) -> FloatArray:
        return np.ones(len(self.pairings)) if self.played_seconds is None else self.played_seconds

    @property
    def pairing_moves(self) -> IntArray:
        """Seven for each hand by the first agent, nine by the second."""
        moves: IntArray = 2 * self.counts.sum(axis=1)[:, np.newaxis] * np.array([7, 9])
        return moves

    @property
    def pairing_rows(self) -> Sequence[PairingRow]:
        return [PairingRow(self.numbers_from + n, *pair) for n, pair in enumerate(self.pairings)]

    @property
    def faults(self) -> IntArray:
        counted = np.zeros((len(self.pairings), 2, len(FAULT_KINDS)), np.int64)
        for row in self.forfeited:
            counted[row.pairing - self.numbers_from, row.side, FAULT_KINDS.index(FaultKind(row.kind))] += 1
        return counted

    def fault_rows(self, limit: int) -> Sequence[FaultRow]:
        return self.forfeited[:limit]

    @property
    def counts(self) -> IntArray:
        return counts_of(self.block)

    def blocks(self) -> Iterator[CodeArray]:
        for start in range(0, self.block.shape[1], self.block_size):
            yield self.block[:, start : start + self.block_size]


def made_up_run(strengths: Mapping[str, float], n_deals: int, anchor: str | None = None, seed: int = 3) -> MadeUpRun:
    """Play a round robin of named strengths."""
    pairings = round_robin(len(strengths))
    block = random_block(np.random.default_rng(seed), list(strengths.values()), pairings, n_deals)
    return MadeUpRun(list(strengths), block, pairings, endings_of(block), anchor)


def with_faults(run: MadeUpRun, *rows: FaultRow) -> MadeUpRun:
    """Let these hands, whatever came of them, be forfeited."""
    block, endings = run.block.copy(), run.endings.copy()
    for row in rows:
        place = row.pairing - run.numbers_from
        forfeited(block[place], endings[place], row)
    return replace(run, block=block, endings=endings, forfeited=[*run.forfeited, *rows])


def forfeited(codes: CodeArray, endings: IntArray, fault: FaultRow) -> None:
    """Change the deals of a pairing and its tally, both in place, as if a hand had been forfeited."""
    deal = codes[None, fault.deal : fault.deal + 1]
    endings[fault.half] -= endings_of(deal)[0, fault.half]
    results = list(divmod(int(codes[fault.deal]), 7))
    results[fault.half] = 6 if fault.side else 0
    codes[fault.deal] = 7 * results[0] + results[1]


def summarise(run: MadeUpRun) -> dict[str, Any]:
    return summary_of(run, analyse(run))


def endings_of(block: CodeArray) -> IntArray:
    """Make a tally that fits the deals; the ending is a function of the game points and the half."""
    how = np.array([[DRAWN, DECLARED, CLOSE_MADE, CLOSE_FAILED], [DRAWN, DECLARED, RAN_OUT, DECLARED]])
    tallies = np.zeros((len(block), *TALLY_SHAPE), dtype=np.int64)
    for tally, row in zip(tallies, block, strict=True):
        for half in (0, 1):
            points = GAME_POINTS[half][row[row != NOT_PLAYED]]
            for value, count in zip(*np.unique(points, return_counts=True), strict=True):
                tally[half, int(value < 0), how[half, abs(value)], abs(value)] += count
    return tallies
