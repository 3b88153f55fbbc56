"""Streams, shuffles and deals against published values, exact chances and a plain-Python shuffle."""

from collections import Counter
from itertools import product
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from harness.core.bits import members, popcount
from harness.core.cards import CARD_POINTS
from harness.core.deal import deal_hand, shuffle
from harness.core.records import STATE_DTYPE, records
from harness.core.rng import agent_stream, deal_stream, next_below, next_unit, next_word
from tests.helpers.engine import CARD_NAMES, PACK, CoreHand, rules_record
from tests.helpers.reference import ReferenceHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.splitmix import DECK, SplitMix, key, shuffled_pack

N_DEALS = 24_000


def stream(start: int) -> Any:
    return np.array([start], np.uint64)


@pytest.fixture(scope="module")
def packs() -> Any:
    """Packs of seed 5, shape (N_DEALS, 24)."""
    packs = np.zeros((N_DEALS, 24), np.int8)
    for deal in range(N_DEALS):
        shuffle(5, deal, packs[deal])
    return packs


@pytest.mark.parametrize(
    ("seed", "published"),
    [
        # the sequence of Vigna's splitmix64.c from 0
        (0, [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B]),
        # Rosetta Code, "Pseudo-random numbers/Splitmix64"
        (
            1234567,
            [
                *(6457827717110365317, 3203168211198807973, 9817491932198370423),
                *(4593380528125082431, 16408922859458223821),
            ],
        ),
    ],
)
def test_published_words(seed: int, published: list[int]) -> None:
    rng = stream(seed)
    assert [int(next_word(rng)) for _ in published] == published
    plain = SplitMix(seed)
    assert [plain.word() for _ in published] == published


def test_published_fractions() -> None:
    """Rosetta Code, the same task: 100,000 fractions of seed 987654321 fall into five equal bins like this."""
    rng = stream(987654321)
    bins = Counter(int(next_unit(rng) * 5) for _ in range(100_000))
    assert [bins[i] for i in range(5)] == [20027, 19892, 20073, 19978, 20030]


@pytest.mark.parametrize("n", [1, 2, 3, 20, 24])
def test_numbers_below_n_are_equally_likely(n: int) -> None:
    rng = stream(99)
    counts = Counter(int(next_below(rng, n)) for _ in range(20_000))
    assert set(counts) == set(range(n))
    spread = 5 * sqrt(20_000 / n * (1 - 1 / n))
    assert all(abs(count - 20_000 / n) <= spread for count in counts.values())


def test_no_two_streams_start_alike() -> None:
    numbers = [0, 1, 2, 3, 7, 2**31, 2**40, 2**63 - 1]
    deals = {int(deal_stream(seed, deal)) for seed, deal in product(numbers, repeat=2)}
    agents = {int(agent_stream(*who)) for who in product(numbers, numbers, (0, 1), (0, 1))}
    assert len(deals) == len(numbers) ** 2
    assert len(agents) == 4 * len(numbers) ** 2
    assert not deals & agents
    assert int(deal_stream(3, 7)) == key(1, 3, 7)
    assert int(agent_stream(3, 7, 1, 0)) == key(2, 3, 7, 2)


@pytest.mark.parametrize("seed", [0, 1, 5, 2**63 - 1])
def test_the_shuffle_is_that_of_plain_python(seed: int) -> None:
    pack = np.zeros(24, np.int8)
    for deal in [*range(50), 2**40]:
        shuffle(seed, deal, pack)
        assert pack.tolist() == shuffled_pack(seed, deal)


def test_every_pack_holds_every_card(packs: Any) -> None:
    assert np.array_equal(np.sort(packs, axis=1), np.broadcast_to(np.array(DECK), packs.shape))
    assert len({pack.tobytes() for pack in packs}) == N_DEALS


def test_every_card_is_equally_likely_in_every_place(packs: Any) -> None:
    expected = N_DEALS / 24
    counts = np.array([[np.count_nonzero(packs[:, place] == card) for card in DECK] for place in range(24)])
    assert np.abs(counts - expected).max() <= 5 * sqrt(expected * 23 / 24)
    chi_square = ((counts - expected) ** 2 / expected).sum()  # 23 * 23 degrees of freedom
    assert abs(chi_square - 529) <= 5 * sqrt(2 * 529)


@pytest.mark.parametrize("first", range(22))
def test_neighbours_are_independent(packs: Any, first: int) -> None:
    """All 552 ordered pairs of cards in two places, by a chi-square."""
    pairs = np.bincount(packs[:, first].astype(np.int64) * 32 + packs[:, first + 2], minlength=1024)
    expected = N_DEALS / 552
    chi_square = ((pairs[pairs > 0] - expected) ** 2 / expected).sum() + (552 - (pairs > 0).sum()) * expected
    assert abs(chi_square - 551) <= 5 * sqrt(2 * 551)


# ------------------------------------------------------------------------------------------------- deals


@pytest.mark.parametrize(
    ("preset", "hand0", "hand1", "turned_up", "next_up"),
    [
        # three each, three each again, the turn-up
        ("sixtysix", PACK[0:3] + PACK[6:9], PACK[3:6] + PACK[9:12], PACK[12], PACK[13]),
        # without nines: JS QS KS, TS AS JH, the turn-up QH, KH TH, AH JC
        ("schnapsen", ["JS", "QS", "KS", "KH", "TH"], ["TS", "AS", "JH", "AH", "JC"], "QH", "QC"),
    ],
)
def test_the_packets(preset: str, hand0: list[str], hand1: list[str], turned_up: str, next_up: str) -> None:
    hands = CoreHand.from_pack(PRESETS[preset], PACK)
    assert hands.hands == [set(hand0), set(hand1)]
    assert (hands.stock[-1], hands.stock[0], hands.trump) == (turned_up, next_up, turned_up[1])


@pytest.mark.parametrize("preset", PRESETS)
def test_deals_are_those_of_the_reference(packs: Any, preset: str) -> None:
    for pack in packs[:100]:
        names = [CARD_NAMES[card] for card in pack.tolist()]
        ours, theirs = CoreHand.from_pack(PRESETS[preset], names), ReferenceHand(PRESETS[preset], names)
        assert ours.hands == theirs.hands
        assert ours.stock == theirs.stock


def test_rule_sets_share_their_packs(packs: Any) -> None:
    """Without nines the cards come in the same order: hands, turn-up and stock strung together again."""
    for pack in packs[:100]:
        names = [CARD_NAMES[card] for card in pack.tolist()]
        order = [name for name in names if name[0] != "9"]
        hand = CoreHand.from_pack(PRESETS["schnapsen"], names)
        assert hand.hands == [set(order[0:3] + order[7:9]), set(order[3:6] + order[9:11])]
        assert hand.stock == [*order[11:], order[6]]


@pytest.mark.parametrize("preset", ["sixtysix", "schnapsen"])
def test_nothing_of_an_earlier_hand_stays(packs: Any, preset: str) -> None:
    """Dealing changes everything but score and carry; of stock and history only what the counts reach is in use."""
    rules = rules_record(PRESETS[preset])[0]
    used, new = records(STATE_DTYPE, 2)
    for number in (1, 77, -5):
        for name in STATE_DTYPE.names or ():
            used[name] = number
        deal_hand(used, rules, packs[3])
        deal_hand(new, rules, packs[3])
        in_use = slice(int(new.stock_top), int(new.stock_top + new.n_stock))
        assert used.stock[in_use].tolist() == new.stock[in_use].tolist()
        for name in set(STATE_DTYPE.names or ()) - {"score", "carry", "stock", "history"}:
            assert np.array_equal(used[name], new[name]), name
        assert (used.score.tolist(), used.carry) == ([number, number], number)


def openings(packs: Any, preset: str) -> tuple[Any, Any]:
    """Trumps and points of the opening hands of both seats, each of shape (N_DEALS, 2)."""
    state, rules = records(STATE_DTYPE)[0], rules_record(PRESETS[preset])[0]
    points = CARD_POINTS.tolist()
    trumps, worth = np.zeros((2, N_DEALS, 2), np.int64)
    for deal, pack in enumerate(packs):
        deal_hand(state, rules, pack)
        for seat in (0, 1):
            hand = int(state.hand[seat])
            trumps[deal, seat] = popcount(hand >> 8 * int(state.trump) & 0x3F)
            worth[deal, seat] = sum([points[card] for card in members(hand)])
    return trumps, worth


@pytest.mark.parametrize(
    ("preset", "n_cards", "percent", "deviation"),
    [
        ("sixtysix", 24, [18.4, 42.4, 30.3, 8.1, 0.8, 0.02], 8.85),
        ("schnapsen", 20, [25.83, 46.96, 23.48, 3.61, 0.13], 7.43),
    ],
)
def test_opening_hands(packs: Any, preset: str, n_cards: int, percent: list[float], deviation: float) -> None:
    """Trumps by the hypergeometric chances, the turned-up card being a trump; 30 points a hand on average."""
    trumps, worth = openings(packs, preset)
    size, others = n_cards // 4, n_cards // 4 - 1
    for n, listed in enumerate(percent):
        chance = comb(others, n) * comb(n_cards - 1 - others, size - n) / comb(n_cards - 1, size)
        assert 100 * chance == pytest.approx(listed, abs=0.05 if listed > 0.1 else 0.005)
        seen = (trumps == n).sum(axis=0)
        assert np.abs(seen - N_DEALS * chance).max() <= 5 * sqrt(N_DEALS * chance * (1 - chance))
    assert np.abs(worth.mean(axis=0) - 30).max() <= 5 * deviation / sqrt(N_DEALS)
    assert np.abs(worth.std(axis=0) - deviation).max() <= 5 * deviation / sqrt(2 * N_DEALS) + 0.005
