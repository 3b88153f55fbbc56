"""The deals of one pairing: compiled agents in one kernel, all others hand by hand, with equal results."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from harness.agent_api.registry import LoadedAgent
from harness.core.records import STATE_DTYPE, VIEW_DTYPE, records
from harness.errors import AgentFaultError
from harness.game.rules import Rules
from harness.play.codes import ENDINGS_SHAPE
from harness.play.fault import Fault
from harness.play.loop import append_half, play_deals
from harness.play.players import policy_arrays
from harness.play.table import Table

_DIGEST_MASK = (1 << 64) - 1


@dataclass(frozen=True)
class Played:
    """Results of a block of deals.

    Attributes
    ----------
    codes
        One uint8 a deal, ``(r1 + 3) * 7 + (r2 + 3)`` with the first agent's game points in its two halves.
    endings
        int64, shape (2, 2, 7, 4): hands by half, winning side, how they ended, game points.
    digest
        Sum of the hands' hashes modulo 2**64.
    """

    codes: Any
    endings: Any
    digest: int


class PairingPlayer:
    """Plays the deals of one pairing.

    Parameters
    ----------
    rules, seed
        The house rules; the seed of packs and agents' luck.
    agent_a, agent_b
        Side 0 and side 1.
    pairing
        Number of the pairing in its run; it goes into every hand's hash.
    """

    def __init__(self, rules: Rules, agent_a: LoadedAgent, agent_b: LoadedAgent, seed: int, pairing: int):
        self._rules = rules
        self._agents = (agent_a, agent_b)
        self._seed = seed
        self._pairing = pairing
        self.is_compiled = agent_a.is_compiled and agent_b.is_compiled
        if self.is_compiled:
            arrays_a, arrays_b = policy_arrays(agent_a.agent), policy_arrays(agent_b.agent)
            self._policies = (agent_a.agent.policy, agent_b.agent.policy)
            self._arrays = (arrays_a[0], arrays_b[0], arrays_a[1], arrays_b[1])
            self._records = (records(STATE_DTYPE), records(VIEW_DTYPE, 2), np.repeat(rules.record(), 3))
        else:
            self._table = Table(rules, self._agents, seed)

    def play(self, first_deal: int, n_deals: int) -> Played:
        """Play `n_deals` deals from `first_deal`, each twice with the seats swapped.

        Raises
        ------
        AgentFaultError
            If an agent crashes or chooses an action that is not legal.
        """
        codes = np.zeros(n_deals, np.uint8)
        endings = np.zeros(ENDINGS_SHAPE, np.int64)
        play = self._play_compiled if self.is_compiled else self._play_at_table
        return Played(codes, endings, play(first_deal, codes, endings))

    def _play_compiled(self, first_deal: int, codes: Any, endings: Any) -> int:
        fault = np.full(4, -1, np.int64)
        try:
            digest = play_deals(
                self._seed,
                self._pairing,
                first_deal,
                *self._records,
                *self._policies,
                *self._arrays,
                codes,
                endings,
                fault,
            )
        except Exception as error:
            raise self._crash(first_deal, len(codes)) or error from None
        if fault[0] >= 0:
            deal, half, side, action = fault.tolist()
            raise self._fault_error(Fault(deal, half, side, action=action))
        return int(digest)

    def _play_at_table(self, first_deal: int, codes: Any, endings: Any) -> int:
        digest = 0
        for i in range(len(codes)):
            code = 0
            for half in (0, 1):
                fault = self._table.play(first_deal + i, half)
                if fault is not None:
                    raise self._fault_error(fault)
                digest += self._table.hash(self._pairing, first_deal + i, half)
                code = append_half(code, self._table.count(half, endings))
            codes[i] = code
        return digest & _DIGEST_MASK

    def _crash(self, first_deal: int, n_deals: int) -> AgentFaultError | None:
        """Find the hand in which a policy raised: the kernel cannot say, a table plays the same hands and can."""
        table = Table(self._rules, self._agents, self._seed)
        for deal in range(first_deal, first_deal + n_deals):
            for half in (0, 1):
                fault = table.play(deal, half)
                if fault is not None:
                    return self._fault_error(fault)
        return None

    def _fault_error(self, fault: Fault) -> AgentFaultError:
        first, second = self._agents
        return AgentFaultError(fault.sentence(first.name, second.name, self._seed, self._rules))
