"""Many hands or matches between two compiled agents: policies go in as function pointers, so one kernel serves all."""

from typing import Any

import numba
import numpy as np
from numba import types

from harness.agent_api.compiled import POLICY_TYPE
from harness.core.apply import apply
from harness.core.cards import N_ACTION_CODES
from harness.core.deal import deal_hand, shuffle
from harness.core.kernel import kernel
from harness.core.match import begin_match, is_decided, score_hand
from harness.core.records import OVER, RULES_DTYPE, STATE_DTYPE, VIEW_DTYPE, RulesRecord, State
from harness.core.rng import agent_stream, fold
from harness.core.view import clear_view, fill_view
from harness.play.codes import HAND_DTYPE, MATCH
from harness.play.digest import hand_key, hash_hand
from harness.play.pulse import ACTION, HAND, MOVES, NOBODY, ROUND, SIDE


@kernel
def is_legal(mask: int, action: int) -> bool:
    """Say whether what an agent returned is a legal action at all."""
    return 0 <= action < N_ACTION_CODES and (mask >> action) & 1 != 0


@kernel
def write_hand(s: State, half: int, key: np.uint64, row: Any) -> None:
    """Write a finished hand into its HandRow, with seats turned into sides."""
    row.hash = hash_hand(s, key)
    sign = 1 if s.winner == half else -1
    row.points = sign * s.game_points if s.winner >= 0 else 0
    row.how = s.how
    row.n_actions = s.n_history
    row.closer = s.closer ^ half if s.closer >= 0 else -1
    for side in range(2):
        row.trick_points[side] = s.points[side ^ half]
        row.tricks[side] = s.tricks[side ^ half]


@kernel
def write_match(s: State, r: RulesRecord, leader: int, key: np.uint64, row: Any) -> None:
    """Write a match after its last hand into its HandRow; side `leader` would lead the next one, on seat 0."""
    row.hash = key
    row.points = 0
    for seat in range(2):
        if s.score[seat] >= r.match_target:
            row.points = -1 if seat ^ leader else 1
    row.how = MATCH
    row.n_actions = 0
    row.closer = -1
    for side in range(2):
        row.trick_points[side] = 0
        row.tricks[side] = 0


@kernel
def begin_hand(  # all that a hand starts from and with
    seed: int, deal: int, leader: int, s: State, r: RulesRecord, pack: Any, views: Any, rng_a: Any, rng_b: Any
) -> None:
    """Deal a pack for a hand that side `leader` leads, and give both sides their luck."""
    deal_hand(s, r, pack)
    clear_view(views[0])
    clear_view(views[1])
    rng_a[0] = agent_stream(seed, deal, leader, 0)
    rng_b[0] = agent_stream(seed, deal, 1 - leader, 1)


_PLAY_HANDS = types.int64(
    types.int64,
    types.int64,
    types.int64,
    types.int64,
    numba.from_dtype(STATE_DTYPE)[::1],
    numba.from_dtype(VIEW_DTYPE)[::1],
    numba.from_dtype(RULES_DTYPE)[::1],
    POLICY_TYPE,
    POLICY_TYPE,
    types.float64[::1],
    types.float64[::1],
    types.uint64[::1],
    types.uint64[::1],
    numba.from_dtype(HAND_DTYPE)[::1],
    types.int8[:, ::1],
    types.int64[::1],
)


@kernel(signature=_PLAY_HANDS)
def play_hands(  # one explicit signature, hence one long list: what to play, the table, the agents, the results
    seed: int,
    pairing: int,
    most_hands: int,
    first_hand: int,
    states: Any,
    views: Any,
    rules: Any,
    policy_a: Any,
    policy_b: Any,
    params_a: Any,
    params_b: Any,
    scratch_a: Any,
    scratch_b: Any,
    hands: Any,
    histories: Any,
    pulse: Any,
) -> int:
    """Play ``len(hands)`` hands from number `first_hand`; hand 2 d + h is half h of deal d, in which side h leads.

    Changes the one State, the two Views, `scratch_a`, `scratch_b`, and writes `hands` (HandRow), their public
    histories if `histories` (int8, shape (len(hands) or 0, 48)) has room for them, and `pulse` (`harness.play.pulse`).
    `rules` holds three equal records: one that is played by, and one for each side to look at. Every action is
    checked; an illegal one, and an exception of a policy, end the play: `pulse` tells the hand, the side, the action.
    Returns the number of hands that have been finished.

    With `most_hands` 0 these are hands. Otherwise each is a match of so many hands at most: its hand k is that of deal
    ``d * most_hands + k``, side h leads the first one, and each is hashed on from those before it.
    """
    s, r = states[0], rules[0]
    pack, rng_a, rng_b = np.zeros(24, np.int8), np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    for i in range(hands.shape[0]):
        pulse[HAND] = hand = first_hand + i
        leader = hand & 1
        key, told = hand_key(pairing, hand >> 1, leader), np.uint64(0)
        begin_match(s)
        for k in range(max(1, most_hands)):
            pulse[ROUND] = k
            deal = (hand >> 1) * max(1, most_hands) + k
            if most_hands or leader == 0 or i == 0:
                shuffle(seed, deal, pack)
            begin_hand(seed, deal, leader, s, r, pack, views, rng_a, rng_b)
            while s.phase != OVER:
                v = views[s.to_move]
                fill_view(s, r, s.to_move, v)
                legal = v.legal  # kept here: an agent may write into its view
                pulse[SIDE] = side = s.to_move ^ leader
                pulse[MOVES + side] += 1
                if side == 0:
                    action = policy_a(v, rules[1], params_a, rng_a, scratch_a)
                else:
                    action = policy_b(v, rules[2], params_b, rng_b, scratch_b)
                if not is_legal(legal, action):
                    pulse[ACTION] = action
                    return i
                apply(s, r, action)
            if most_hands:
                told = hash_hand(s, told)
                leader ^= score_hand(s, r)
                if is_decided(s, r):
                    break
        if most_hands:
            write_match(s, r, leader, fold(key, int(told)), hands[i])
        else:
            write_hand(s, leader, key, hands[i])
            if histories.shape[0]:
                histories[i] = s.history
    pulse[SIDE] = NOBODY
    return hands.shape[0]  # type: ignore[no-any-return]
