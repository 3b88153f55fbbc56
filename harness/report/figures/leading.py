"""The pairing that a figure of one pairing shows: of the two best agents that have met."""

from dataclasses import dataclass

from harness.report.analysis import Analysis, PairingLine


@dataclass(frozen=True)
class Leading:
    """A pairing as its better ranked agent sees it.

    ``row`` is its place among the pairings; ``is_second`` says whether the better one is the second agent.
    """

    row: int
    pairing: PairingLine
    better: int
    other: int

    @property
    def is_second(self) -> bool:
        """Whether the better agent is the second one of the pairing."""
        return self.better == self.pairing.second


def leading_pairing(analysis: Analysis) -> Leading | None:
    """Find the pairing of the two best agents that have met; None before the first deal."""
    rank = {agent.number: agent.rank for agent in analysis.agents}
    met = [
        Leading(row, pairing, *sorted((pairing.first, pairing.second), key=rank.__getitem__))
        for row, pairing in enumerate(analysis.pairings)
        if pairing.estimates.n_deals
    ]
    return min(met, key=lambda one: (rank[one.better], rank[one.other]), default=None)
