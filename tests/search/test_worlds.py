"""Worlds that agree with a view: exactly those that some deal leads to, each as likely as the others."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import factorial
from random import Random
from typing import Any

import numpy as np
import pytest

from harness.core.apply import apply
from harness.core.bits import members
from harness.core.cards import MELD
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import OVER, STATE_DTYPE, VIEW_DTYPE, View, records
from harness.core.view import clear_view, fill_view
from harness.search.clues import FREE, N_CLUES, read_clues
from harness.search.worlds import NO_MORE, first_hand, n_hands, next_hand, place, sample_hand, shuffle_stock
from tests.helpers.engine import CARDS, CoreHand
from tests.helpers.modes import lines_elsewhere
from tests.helpers.possible_hands import Past, hidden_hands, possible_hands, random_pasts
from tests.helpers.reference_presets import PRESETS
from tests.helpers.search_lines import search_lines
from tests.helpers.worlds import view_of

LONG_HANDS: dict[str, dict[str, object]] = {
    "marriages-declared-at-any-time": PRESETS["schnapsen"] | {"declare.automatic": False, "close.first_lead": True},
    "king-led-and-closed-before-the-draw": PRESETS["skillgames"]
    | {"declare.automatic": False, "marriage.lead": "king", "close.before_draw": True},
}
"""Rules by which marriages are declared by leading, and hands go on after 66: most is left open by their histories."""


def clues_of(view: View, rules: Any) -> Any:
    """Read the clues of a view."""
    clues = np.full(N_CLUES, -1, np.int64)
    read_clues(view, rules, clues)
    return clues


def listed_hands(view: View, clues: Any) -> list[int]:
    """All hands that the enumeration gives."""
    hands = []
    hand = first_hand(view, clues)
    while hand != NO_MORE:
        hands.append(int(hand))
        hand = next_hand(view, clues, hand)
    return hands


def may_tell(past: Past) -> bool:
    """Say whether the other side's actions may tell anything: a king or queen led, or a reply in closed play."""
    replies_tell = past.state.closer >= 0
    leads_tell = past.rules.marriage_automatic and len(past.draws) > 0
    return bool(past.state.n_stock > 0 and (replies_tell or leads_tell)) and len(hidden_hands(past.views()[0])) <= 300


@pytest.mark.parametrize("name", [*PRESETS, *LONG_HANDS])
def test_the_hands_listed_are_those_that_some_deal_leads_to(name: str) -> None:
    n_views = 0
    for past in islice(random_pasts((PRESETS | LONG_HANDS)[name], seed=11), 3000):
        if n_views < 8 and may_tell(past):
            n_views += 1
            view = past.views()[0]
            clues = clues_of(view, past.rules)
            listed, possible = listed_hands(view, clues), possible_hands(past)
            assert len(listed) == len(set(listed)) == n_hands(clues)
            assert set(listed) == possible
            assert past.own_hand() in possible
    assert n_views == (0 if name == "schnapsen-vu" else 8)  # nobody closes there, and marriages are announced


def test_random_views_without_telling_history_leave_all_hands_open() -> None:
    for past in islice(random_pasts(PRESETS["sixtysix"], seed=3), 0, 300, 7):
        view = past.views()[0]
        if view.closer < 0 and len(hidden_hands(view)) <= 1000:
            assert listed_hands(view, clues_of(view, past.rules)) == sorted(hidden_hands(view))


@pytest.mark.parametrize(
    ("preset", "counts"), [("schnapsen", {10: 2002, 4: 56, 2: 6}), ("sixtysix", {12: 12_376, 4: 84, 2: 7})]
)
def test_as_many_hands_as_published_agree_with_a_lead(preset: str, counts: dict[int, int]) -> None:
    rules = PRESETS[preset] | {"marriage.automatic": False}
    seen = {}
    for past in islice(random_pasts(rules, seed=1), 400):
        view = past.views()[0]
        if view.led < 0 and view.known == 0 and view.closer < 0:
            seen[int(view.n_stock)] = int(n_hands(clues_of(view, past.rules)))
    assert {n: seen[n] for n in counts} == counts


def test_one_world_is_left_when_the_stock_is_gone() -> None:
    n_views = 0
    for past in islice(random_pasts(PRESETS["schnapsen"], seed=2), 600):
        view = past.views()[0]
        if view.n_stock == 0:
            n_views += 1
            assert listed_hands(view, clues_of(view, past.rules)) == [past.own_hand()]
    assert n_views > 50


@kernel
def count_samples(v: View, clues: Any, rng: Any, hands: Any, counts: Any) -> None:
    """Count how often each of the `hands` (sorted) is drawn, in ``40 * len(hands)`` samples."""
    for _ in range(40 * len(hands)):
        hand = sample_hand(v, clues, rng)
        at = np.searchsorted(hands, hand)
        counts[at if hands[at] == hand else -1] += 1


def assert_uniform(counts: Any) -> None:
    """Within five standard deviations of what chi-square has when all are equally likely."""
    expected = counts.sum() / len(counts)
    n_free = len(counts) - 1
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    assert abs(chi_square - n_free) < 5 * np.sqrt(2 * n_free)


def test_every_possible_hand_is_as_likely_as_the_others() -> None:
    rng = np.array([2026], np.uint64)
    kinds: Counter[str] = Counter()
    for name in ("american", "skillgames", "schnapsen"):
        for past in islice(random_pasts(PRESETS[name], seed=4), 0, 1500, 2):
            view = past.views()[0]
            clues = clues_of(view, past.rules)
            kind = "plain" if clues[FREE] == view.unseen else "closed" if view.closer >= 0 else "told"
            if n_hands(clues) < 10 or kinds[kind] == 6:
                continue
            kinds[kind] += 1
            hands = np.array(sorted(listed_hands(view, clues)), np.int64)
            counts = np.zeros(len(hands) + 1, np.int64)
            count_samples(view, clues, rng, hands, counts)
            assert counts[-1] == 0
            assert_uniform(counts[:-1])
    assert kinds == {"told": 6, "closed": 6, "plain": 6}


def test_every_order_of_the_face_down_cards_is_as_likely_as_the_others() -> None:
    for past in islice(random_pasts(PRESETS["sixtysix"], seed=1), 100):
        if past.state.n_stock == 6:
            break
    view = past.views()[0]
    state = records(STATE_DTYPE)[0]
    place(view, past.rules, past.own_hand(), state)
    rng = np.array([1], np.uint64)
    orders: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        shuffle_stock(state, rng)
        orders[tuple(state.stock[:6].tolist())] += 1
    assert {order[5] for order in orders} == {int(view.turned_up)}
    assert {frozenset(order) for order in orders} == {frozenset(past.state.stock[past.state.stock_top :][:6].tolist())}
    assert len(orders) == factorial(5)
    assert_uniform(np.array(list(orders.values())))


@pytest.mark.parametrize("name", [*PRESETS, *LONG_HANDS])
def test_a_placed_world_looks_the_same_and_plays_the_same(name: str) -> None:
    rng, luck = np.array([3], np.uint64), Random(3)
    states, again = records(STATE_DTYPE), records(VIEW_DTYPE)
    for past in islice(random_pasts((PRESETS | LONG_HANDS)[name], seed=8), 0, 600, 3):
        past.state.score[:], past.state.carry = (3, 5), 2
        views = past.views()
        states.view(np.uint8)[:] = luck.getrandbits(8)
        place(views[0], past.rules, sample_hand(views[0], clues_of(views[0], past.rules), rng), states[0])
        shuffle_stock(states[0], rng)
        clear_view(again[0])
        fill_view(states[0], past.rules, views[0].seat, again[0])
        assert again.tobytes() == views.tobytes()
        place(views[0], past.rules, past.own_hand(), states[0])
        true_stock = past.state.stock[past.state.stock_top :][: past.state.n_stock]
        assert sorted(states[0].stock[: len(true_stock)]) == sorted(true_stock)
        states[0].stock[: len(true_stock)] = true_stock
        assert_plays_alike(states[0], past, luck)


def assert_plays_alike(placed: Any, past: Past, luck: Random) -> None:
    """Play both states to the end by the same random actions: the same is legal all along, and the result is one."""
    true = records(STATE_DTYPE)[0]
    for field in STATE_DTYPE.names or ():
        true[field] = past.state[field]
        if field not in ("stock", "stock_top", "history", "lead_stage"):
            assert np.array_equal(placed[field], true[field]), field
    while true.phase != OVER:
        legal = legal_mask(true, past.rules)
        assert legal_mask(placed, past.rules) == legal
        action = luck.choice(members(int(legal)))
        apply(true, past.rules, action)
        apply(placed, past.rules, action)
    for field in ("hand", "known", "points", "tricks", "gone", "phase", "winner", "game_points", "how"):
        assert np.array_equal(placed[field], true[field]), field
    assert placed.history[: placed.n_history].tolist() == true.history[: true.n_history].tolist()


@pytest.mark.parametrize(("before_draw", "may_announce"), [(True, True), (False, False)])
def test_a_marriage_may_follow_a_close_before_the_draw_and_none_on_the_lead(
    before_draw: bool, may_announce: bool
) -> None:
    rules = PRESETS["sixtysix"] | {"close.before_draw": before_draw}
    mine, theirs = ["AH", "KC", "QC", "9D", "JD", "TD"], ["9H", "9C", "JC", "QD", "KD", "JH"]
    rest = [card for card in CARDS if card not in {*mine, *theirs, "9S"}]
    hand = CoreHand.from_cards(rules, mine, theirs, [*rest, "9S"]).play("PLAY AH", "PLAY 9H", "CLOSE")
    view, state = view_of(hand, 0)[0], records(STATE_DTYPE)[0]
    place(view, hand.rules, hand.state.hand[1], state)
    assert legal_mask(state, hand.rules) == legal_mask(hand.state, hand.rules)
    assert bool(legal_mask(state, hand.rules) >> MELD & 0xF) == may_announce


def test_a_history_that_does_not_lead_to_the_view_tells_nothing() -> None:
    n_views = 0
    for past in islice(random_pasts(PRESETS["schnapsen"], seed=6), 400):
        view = past.views()[0]
        is_lead = view.led < 0  # a card led tells by itself
        all_hands = len(hidden_hands(view)) if is_lead and 0 < view.n_stock <= 6 else 0
        for n in (0, 1, 2, int(view.n_history) - 1):
            if all_hands and n < view.n_history:
                view.n_history = n
                assert n_hands(clues_of(view, past.rules)) == all_hands
                n_views += 1
    assert n_views > 50


def test_there_are_hands_whatever_the_history_says() -> None:
    luck, rng = Random(6), np.array([6], np.uint64)
    for past in islice(random_pasts(PRESETS["schnapsen"], seed=6), 400):
        view = past.views()[0]
        size = int(past.own_hand()).bit_count()
        view.n_history = luck.randrange(49)
        view.history[:] = [luck.randrange(40) | luck.randrange(2) << 6 for _ in range(48)]
        clues = clues_of(view, past.rules)
        for hand in (first_hand(view, clues), sample_hand(view, clues, rng)):
            assert int(hand).bit_count() == size
            assert hand & ~(view.known | view.unseen) == 0


def test_the_same_worlds_with_compilation_off() -> None:
    assert lines_elsewhere("tests.helpers.search_lines", {"NUMBA_DISABLE_JIT": "1"}) == list(search_lines())
