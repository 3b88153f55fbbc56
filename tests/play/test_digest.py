"""Digest, codes and endings of a block of deals, recomputed in plain Python from the reference of the rules."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from harness.agent_api.registry import load_agent
from harness.core.records import ENDINGS, records
from harness.game.presets import load_rules
from harness.play.codes import HAND_DTYPE
from harness.play.pairing import PairingPlayer, Played
from harness.play.table import Table
from tests.helpers.bots import PlainRandom, loaded
from tests.helpers.engine import ACTION_NAMES, ACTIONS, reference_deal
from tests.helpers.reference import ReferenceHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.splitmix import BITS64, agent_stream, hand_hash, random_choice


def play(preset: str, first: str, second: str, seed: int, deals: range, pairing: int = 0) -> Played:
    player = PairingPlayer(load_rules(preset), load_agent(first), load_agent(second), seed, pairing)
    return player.play(deals.start, len(deals))


def reference_hand(preset: str, seed: int, deal: int, half: int) -> tuple[ReferenceHand, list[tuple[int, int]]]:
    """One hand between two random agents, and its public history."""
    hand = reference_deal(preset, seed, deal)
    streams = [agent_stream(seed, deal, seat, side=seat ^ half) for seat in (0, 1)]
    history = []
    while not hand.over:
        seat = hand.to_move
        legal = sorted([ACTIONS[action] for action in hand.legal()])
        action = random_choice(legal, hand.points[seat], streams[seat])
        history.append((seat, action))
        hand.apply(ACTION_NAMES[action])
    return hand, history


@pytest.mark.parametrize("preset", PRESETS)
def test_random_against_random_by_the_reference(preset: str) -> None:
    seed, pairing, deals = 42, 3, range(1000, 1025)
    digest, codes = 0, []
    endings: Counter[tuple[int, int, int, int]] = Counter()
    for deal in deals:
        code = 0
        for half in (0, 1):
            hand, history = reference_hand(preset, seed, deal, half)
            digest += hand_hash(pairing, deal, half, history, hand.winner, hand.game_points)
            side = 0 if hand.winner is None else hand.winner ^ half
            code = 7 * code + 3 + (hand.game_points if side == 0 else -hand.game_points)
            endings[half, side, ENDINGS.index(hand.how), hand.game_points] += 1
        codes.append(code)
    played = play(preset, "random", "random", seed, deals, pairing)
    assert played.digest == digest & BITS64
    assert played.codes.tolist() == codes
    assert {at: n for at, n in np.ndenumerate(played.endings) if n} == endings


@pytest.mark.parametrize(("first", "second"), [("random", "random"), ("normal", "easy"), ("example", "random")])
def test_blocks_add_up(first: str, second: str) -> None:
    whole = play("sixtysix", first, second, 9, range(60))
    for cuts in ([0, 1, 60], [0, 17, 30, 31, 60]):
        parts = [play("sixtysix", first, second, 9, range(a, b)) for a, b in pairwise(cuts)]
        assert sum(part.digest for part in reversed(parts)) & BITS64 == whole.digest
        assert np.array_equal(np.concatenate([part.codes for part in parts]), whole.codes)
        assert np.array_equal(sum(part.endings for part in parts), whole.endings)


def test_a_block_of_no_deals_is_nothing() -> None:
    nothing = play("sixtysix", "random", "random", 9, range(5, 5))
    assert (nothing.digest, len(nothing.codes), nothing.endings.sum()) == (0, 0, 0)


def test_the_digest_depends_on_seed_deals_pairing_agents_and_rules() -> None:
    """Seed 0 is a seed like any other."""
    digests = [play("sixtysix", "random", "random", seed, range(20)).digest for seed in (0, 1, 2, 2**63 - 1)]
    digests += [
        play("sixtysix", "random", "random", 0, range(1, 21)).digest,
        play("sixtysix", "random", "random", 0, range(20), pairing=1).digest,
        play("sixtysix", "random", "easy", 0, range(20)).digest,
        play("bicycle", "random", "random", 0, range(20)).digest,
    ]
    assert len(set(digests)) == len(digests)
    assert play("sixtysix", "random", "random", 0, range(20)).digest == digests[0]


def test_one_other_action_changes_the_hash() -> None:
    history = [(0, 5), (1, 4), (1, 33), (1, 10)]
    hashes = {hand_hash(0, 1, 0, history, 1, 2)}
    hashes |= {hand_hash(*which, history, 1, 2) for which in ((1, 1, 0), (0, 2, 0), (0, 1, 1), (0, 0, 1))}
    hashes |= {hand_hash(0, 1, 0, history, *result) for result in ((1, 1), (0, 2), (None, 0))}
    hashes |= {hand_hash(0, 1, 0, [*history[:place], (0, 6), *history[place + 1 :]], 1, 2) for place in range(4)}
    assert len(hashes) == 1 + 4 + 3 + 4


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(("first", "second"), [("random", "random"), ("normal", "easy")])
def test_the_loop_and_the_table_play_the_same_hands(first: str, second: str, preset: str) -> None:
    looped = play(preset, first, second, 77, range(300, 330), pairing=2)
    table = Table(load_rules(preset), (load_agent(first), load_agent(second)), 77)
    rows = records(HAND_DTYPE, 60)
    histories = np.zeros((60, 48), np.int8)
    for i in range(60):
        assert table.play(300 + i // 2, i % 2) is None
        table.write(2, 600 + i, rows.view(np.int64)[2 * i : 2 * i + 2], histories[i])
    assert np.array_equal(rows, looped.hands)
    kept = PairingPlayer(load_rules(preset), load_agent(first), load_agent(second), 77, 2, keep_histories=True)
    assert Played(rows, histories).packed_histories() == kept.play(300, 30).packed_histories()


def test_codes_and_endings_are_those_of_the_hands_one_by_one() -> None:
    """Counted once more in plain Python, as `harness.play.codes` describes them."""
    played = play("bicycle", "normal", "easy", 77, range(200))
    codes, endings = [], np.zeros_like(played.endings)
    for i, row in enumerate(played.hands.tolist()):
        points, how = row[1], row[2]
        codes += [points + 3] if i % 2 == 0 else []
        codes[-1] = 7 * codes[-1] + points + 3 if i % 2 else codes[-1]
        endings[i % 2, 1 if points < 0 else 0, how, abs(points)] += 1
    assert codes == played.codes.tolist()
    assert np.array_equal(endings, played.endings)
    assert played.digest == sum(row[0] for row in played.hands.tolist()) % 2**64


@pytest.mark.parametrize("preset", ["sixtysix", "bicycle", "schnapsen"])
def test_a_python_agent_with_the_same_luck_plays_the_same_hands(preset: str) -> None:
    """The seed that `start_hand` gives is the start of the stream that a compiled agent of that side reads."""
    expected = play(preset, "random", "random", 5, range(40))
    plain, random = loaded(PlainRandom()), load_agent("random")
    for agents in ((plain, random), (random, plain), (plain, loaded(PlainRandom()))):
        played = PairingPlayer(load_rules(preset), *agents, 5, 0).play(0, 40)
        assert played.digest == expected.digest
        assert np.array_equal(played.codes, expected.codes)
        assert np.array_equal(played.endings, expected.endings)
