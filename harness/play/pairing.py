"""The hands or matches of one pairing: compiled agents in one kernel, all others hand by hand, with equal results."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.agent_api.contract import CRASHES
from harness.agent_api.registry import LoadedAgent
from harness.core.records import STATE_DTYPE, VIEW_DTYPE, records
from harness.game.rules import Rules
from harness.play.codes import FORFEIT, HAND_DTYPE, MOST_HANDS, codes_of, endings_of
from harness.play.conduct import Conduct
from harness.play.digest import hash_forfeit
from harness.play.fault import Fault, wrong_answer
from harness.play.loop import play_hands
from harness.play.match_table import MatchTable
from harness.play.players import crash, policy_arrays
from harness.play.pulse import ACTION, HAND, NOBODY, SIDE, new_pulse
from harness.play.table import Table

_HISTORY_SHAPE = STATE_DTYPE["history"].shape
_FORFEIT_POINTS = 3
_FORFEIT_MATCH_POINTS = 1


@dataclass(frozen=True)
class Played:
    """Results of a block of deals.

    Attributes
    ----------
    hands
        HandRow records, both halves of each deal in order.
    histories
        Their public histories, int8, shape (n_hands, 48); no rows where they are not kept.
    faults
        The agents' faults; each has cost its hand.
    """

    hands: Any
    histories: Any
    faults: list[Fault] = field(default_factory=list)

    @property
    def codes(self) -> npt.NDArray[np.uint8]:
        """One byte a deal (`harness.play.codes`)."""
        return codes_of(self.hands)

    @property
    def endings(self) -> npt.NDArray[np.int64]:
        """How the hands ended, int64, shape (2, 2, 7, 4): half, winning side, how, game points; without forfeits."""
        return endings_of(self.hands)

    @property
    def digest(self) -> int:
        """Sum of the hands' hashes modulo 2**64."""
        return int(self.hands["hash"].sum(dtype=np.uint64))

    def packed_histories(self) -> bytes:
        """Return the histories one after another, each as long as it is (``hands["n_actions"]``)."""
        used = np.arange(_HISTORY_SHAPE[0]) < self.hands["n_actions"][: len(self.histories), None]
        return self.histories[used].tobytes()  # type: ignore[no-any-return]


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
    keep_histories
        Whether the public histories are kept; of matches none can be.
    match_play
        Whether whole matches to the target of the rules are played instead of single hands.
    pulse, conduct
        As for `harness.play.table.Table`.
    """

    def __init__(
        self,
        rules: Rules,
        agent_a: LoadedAgent,
        agent_b: LoadedAgent,
        seed: int,
        pairing: int,
        *,
        keep_histories: bool = False,
        match_play: bool = False,
        pulse: Any = None,
        conduct: Conduct | None = None,
    ):
        self._seed = seed
        self._pairing = pairing
        self._keep_histories = keep_histories and not match_play
        self._most_hands = MOST_HANDS if match_play else 0
        self._forfeit_points = _FORFEIT_MATCH_POINTS if match_play else _FORFEIT_POINTS
        self._pulse = new_pulse() if pulse is None else pulse
        self.is_compiled = agent_a.is_compiled and agent_b.is_compiled
        if self.is_compiled:
            arrays_a, arrays_b = policy_arrays(agent_a.agent), policy_arrays(agent_b.agent)
            self._policies = (agent_a.agent.policy, agent_b.agent.policy)
            self._arrays = (arrays_a[0], arrays_b[0], arrays_a[1], arrays_b[1])
            self._records = (records(STATE_DTYPE), records(VIEW_DTYPE, 2), np.repeat(rules.record(), 3))
        else:
            table = MatchTable if match_play else Table
            self._table = table(rules, (agent_a, agent_b), seed, self._pulse, conduct)

    def play(self, first_deal: int, n_deals: int, lost: Mapping[int, int] | None = None) -> Played:
        """Play `n_deals` deals from `first_deal`, each twice with the seats swapped.

        A hand in which an agent does wrong is forfeited: it pays the other side 3 game points, whatever had happened.
        So is a match, which the other side wins. A deal of matches is a pair of them: in half 0 side 0 leads first.

        Parameters
        ----------
        first_deal, n_deals
            Which deals.
        lost
            Hands, by ``2 * deal + half``, that are not played since it is known which side forfeits them.
        """
        hands = records(HAND_DTYPE, 2 * n_deals)
        histories = np.zeros((2 * n_deals if self._keep_histories else 0, *_HISTORY_SHAPE), np.int8)
        played = Played(hands, histories)
        play = self._play_compiled if self.is_compiled else self._play_at_table
        play(2 * first_deal, played, lost or {})
        return played

    def _play_compiled(self, first_hand: int, played: Played, lost: Mapping[int, int]) -> None:
        n = len(played.hands)
        stops = sorted(hand - first_hand for hand in lost if 0 <= hand - first_hand < n)
        at = 0
        for stop in [*stops, n]:
            while at < stop:
                done, fault = self._run_kernel(first_hand + at, played, slice(at, stop))
                at += done
                if fault is not None:
                    played.faults.append(fault)
                    self._forfeit(first_hand + at, played.hands[at : at + 1], fault.side)
                    at += 1
            if stop < n:
                self._forfeit(first_hand + stop, played.hands[stop : stop + 1], lost[first_hand + stop])
                at += 1

    def _run_kernel(self, first_hand: int, played: Played, part: slice) -> tuple[int, Fault | None]:
        """Play hands until all are finished or an agent does wrong; returns how many are, and the fault."""
        pulse = self._pulse
        pulse[SIDE] = NOBODY
        before = (self._seed, self._pairing, self._most_hands, first_hand)
        after = (played.hands[part], played.histories[part], pulse)
        try:
            done = play_hands(*before, *self._records, *self._policies, *self._arrays, *after)
        except CRASHES as error:
            if pulse[SIDE] == NOBODY:
                raise
            found = crash(int(pulse[SIDE]), error)
            kind, what, story = found.kind, found.what, found.story
        else:
            if done == part.stop - part.start:
                return done, None
            (kind, what), story = wrong_answer(int(pulse[ACTION])), ""
        hand, side = int(pulse[HAND]), int(pulse[SIDE])
        pulse[SIDE] = NOBODY
        return hand - first_hand, Fault(hand >> 1, hand & 1, side, kind, what, story)

    def _play_at_table(self, first_hand: int, played: Played, lost: Mapping[int, int]) -> None:
        words = played.hands.view(np.int64)
        no_history = np.zeros(0, np.int8)
        for i in range(len(played.hands)):
            hand = first_hand + i
            side = lost.get(hand)
            if side is None:
                fault = self._table.play(hand >> 1, hand & 1)
                if fault is not None:
                    played.faults.append(fault)
                    side = fault.side
            if side is not None:
                self._forfeit(hand, played.hands[i : i + 1], side)
                continue
            history = played.histories[i] if self._keep_histories else no_history
            self._table.write(self._pairing, hand, words[2 * i : 2 * i + 2], history)

    def _forfeit(self, hand: int, rows: Any, side: int) -> None:
        """Write a hand or match that a side has forfeited into the one row of `rows`."""
        rows["hash"] = hash_forfeit(self._pairing, hand, side)
        rows["points"] = self._forfeit_points if side else -self._forfeit_points
        rows["how"] = FORFEIT
        rows["closer"] = -1
        for name in ("trick_points", "tricks", "n_actions"):
            rows[name] = 0
