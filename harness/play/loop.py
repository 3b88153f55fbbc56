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
from harness.play.digest import hand_key, hash_hand


@kernel
def is_legal(mask: int, action: int) -> bool:
    """Say whether what an agent returned is a legal action at all."""
    return 0 <= action < N_ACTION_CODES and (mask >> action) & 1 != 0


@kernel
def tally(s: State, half: int, endings: Any) -> int:
    """Count how a finished hand ended in `endings` (int64, ENDINGS_SHAPE); returns side 0's game points."""
    if s.winner < 0:
        endings[half, 0, s.how, 0] += 1
        return 0
    side = s.winner ^ half
    endings[half, side, s.how, s.game_points] += 1
    return s.game_points if side == 0 else -s.game_points


@kernel
def append_half(code: int, points: int) -> int:
    """Append side 0's game points of one half, -3..3, to a deal's code (after two halves 0..48)."""
    return code * 7 + 3 + points


_PLAY_DEALS = types.uint64(
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
    types.uint8[::1],
    types.int64[:, :, :, ::1],
    types.int64[::1],
)


@kernel(signature=_PLAY_DEALS)
def play_deals(  # one explicit signature, hence one long list: what to play, the table, the agents, the results
    seed: int,
    pairing: int,
    first_deal: int,
    states: Any,
    views: Any,
    rules: Any,
    policy_a: Any,
    policy_b: Any,
    params_a: Any,
    params_b: Any,
    scratch_a: Any,
    scratch_b: Any,
    codes: Any,
    endings: Any,
    fault: Any,
) -> np.uint64:
    """Play ``len(codes)`` deals from `first_deal`, each twice with the seats swapped, and hash every hand.

    Changes the one State, the two Views, `scratch_a`, `scratch_b`, and adds to `codes` (uint8) and `endings` (int64,
    ENDINGS_SHAPE). `rules` holds three equal records: one that is played by, and one for each side to look at. Every
    action is checked; an illegal one stops the play and is left in `fault` (int64: deal, half, side, action), whose
    first word is -1 otherwise. Returns the sum of the hands' hashes modulo 2**64.
    """
    r = rules[0]
    s = states[0]
    pack = np.zeros(24, np.int8)
    rng_a = np.zeros(1, np.uint64)
    rng_b = np.zeros(1, np.uint64)
    digest = np.uint64(0)
    for i in range(codes.shape[0]):
        deal = first_deal + i
        shuffle(seed, deal, pack)
        code = 0
        for half in range(2):
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
                if side == 0:
                    action = policy_a(v, rules[1], params_a, rng_a, scratch_a)
                else:
                    action = policy_b(v, rules[2], params_b, rng_b, scratch_b)
                if not is_legal(legal, action):
                    fault[0], fault[1], fault[2], fault[3] = deal, half, side, action
                    return digest
                apply(s, r, action)
            digest += hash_hand(s, hand_key(pairing, deal, half))
            code = append_half(code, tally(s, half, endings))
        codes[i] = code
    return digest
