"""Many hands between two compiled agents: one kernel for every pair, since policies go in as function pointers."""

from typing import Any

import numba
import numpy as np
from numba import types

from harness.agent_api.compiled import POLICY_TYPE
from harness.core.apply import apply
from harness.core.cards import N_ACTION_CODES
from harness.core.deal import deal_hand, shuffle
from harness.core.kernel import kernel
from harness.core.records import OVER, RULES_DTYPE, STATE_DTYPE, VIEW_DTYPE, State
from harness.core.rng import agent_stream
from harness.core.view import clear_view, fill_view
from harness.play.codes import HAND_DTYPE
from harness.play.digest import hand_key, hash_hand
from harness.play.pulse import ACTION, CALLS, HAND, NOBODY, SIDE


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


_PLAY_HANDS = types.int64(
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
    """Play ``len(hands)`` hands from number `first_hand`; hand 2 d + h is half h of deal d.

    Changes the one State, the two Views, `scratch_a`, `scratch_b`, and writes `hands` (HandRow), their public
    histories if `histories` (int8, shape (len(hands) or 0, 48)) has room for them, and `pulse` (`harness.play.pulse`).
    `rules` holds three equal records: one that is played by, and one for each side to look at. Every action is
    checked; an illegal one, and an exception of a policy, end the play: `pulse` tells the hand, the side, the action.
    Returns the number of hands that have been finished.
    """
    r = rules[0]
    s = states[0]
    pack = np.zeros(24, np.int8)
    rng_a = np.zeros(1, np.uint64)
    rng_b = np.zeros(1, np.uint64)
    for i in range(hands.shape[0]):
        hand = first_hand + i
        deal = hand >> 1
        half = hand & 1
        pulse[HAND] = hand
        if half == 0 or i == 0:
            shuffle(seed, deal, pack)
        deal_hand(s, r, pack)
        clear_view(views[0])
        clear_view(views[1])
        rng_a[0] = agent_stream(seed, deal, half, 0)
        rng_b[0] = agent_stream(seed, deal, 1 - half, 1)
        while s.phase != OVER:
            v = views[s.to_move]
            fill_view(s, r, s.to_move, v)
            legal = v.legal  # kept here: an agent may write into its view
            side = s.to_move ^ half
            pulse[SIDE] = side
            pulse[CALLS] += 1
            if side == 0:
                action = policy_a(v, rules[1], params_a, rng_a, scratch_a)
            else:
                action = policy_b(v, rules[2], params_b, rng_b, scratch_b)
            if not is_legal(legal, action):
                pulse[ACTION] = action
                return i
            apply(s, r, action)
        write_hand(s, half, hand_key(pairing, deal, half), hands[i])
        if histories.shape[0]:
            histories[i] = s.history
    pulse[SIDE] = NOBODY
    return hands.shape[0]  # type: ignore[no-any-return]
