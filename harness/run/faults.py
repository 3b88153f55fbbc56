"""The agents' faults in a run: told once each, kept in the log, and, if the user wants it so, the end of the run."""

import logging
from collections import Counter

from harness.agent_api.faults import FaultKind
from harness.errors import AgentFaultError
from harness.play.fault import Fault
from harness.run.config import RunConfig
from harness.store.rows import FaultRow

log = logging.getLogger(__name__)

_LOGGED = 20
"""How many faults of each kind and agent the log has in whole; the database has all of them."""


class FaultDesk:
    """Hears of every fault.

    Parameters
    ----------
    config
        What is played.
    on_fault
        ``forfeit``: the hand or match is lost and the play goes on; ``abort``: the first fault ends the run.

    """

    def __init__(self, config: RunConfig, on_fault: str):
        self._config = config
        self._names = config.agent_names
        self._pairings = {p.number: (p.first, p.second) for p in config.pairings}
        self._on_fault = on_fault
        self._heard: Counter[tuple[int, str]] = Counter()

    def hear(self, row: FaultRow) -> None:
        """Tell of a fault; AgentFaultError if it ends the run."""
        first, second = self._pairings[row.pairing]
        agent = (first, second)[row.side]
        if self._on_fault == "abort":
            raise AgentFaultError(self._sentence(row))
        self._heard[agent, row.kind] += 1
        if self._heard[agent, row.kind] == 1:
            log.warning(
                "%s %s: %s in which it does so are forfeited (deal %d of %s against %s)",
                self._names[agent],
                row.what,
                self._config.play,
                row.deal,
                self._names[first],
                self._names[second],
            )
        if self._heard[agent, row.kind] <= _LOGGED:
            log.info("forfeited: %s", self._sentence(row))

    def _sentence(self, row: FaultRow) -> str:
        first, second = (self._config.agents[agent] for agent in self._pairings[row.pairing])
        fault = Fault(row.deal, row.half, row.side, FaultKind(row.kind), row.what, row.story)
        config = self._config
        return fault.sentence(first, second, config.seed, config.rules, match_play=config.plays_matches)
