"""What a player who counts the cards knows."""

from math import comb

import numpy as np
import pytest

from agents.counting import chance_of_any, sure_cards, sure_of_side_suit, sure_trumps
from harness.core.records import VIEW_DTYPE, View, records
from harness.game.notation import parse_cards


def mask(cards: str) -> int:
    return sum(1 << card for card in parse_cards(cards)) if cards else 0


def view_of(hand: str, unseen: str, known: str = "") -> View:
    view: View = records(VIEW_DTYPE)[0]
    view.hand, view.unseen, view.known = mask(hand), mask(unseen), mask(known)
    return view


@pytest.mark.parametrize(("asked", "n"), [("AH", 1), ("AH TH", 2), ("AH TH KH QH", 4)])
def test_a_card_not_seen_is_in_the_other_hand_as_often_as_hands_are_dealt_so(asked: str, n: int) -> None:
    """Hypergeometric: of 12 unseen cards 5 are in the other hand, its sixth is known."""
    view = view_of("AS TS KS QS JS 9S", "AH TH KH QH JH 9H AC TC KC QC JC 9C", "AD")
    assert chance_of_any(view, mask(asked)) == pytest.approx(1 - comb(12 - n, 5) / comb(12, 5))


def test_a_known_card_is_certain_and_one_that_has_gone_impossible() -> None:
    view = view_of("AS TS", "KH QH JH", "AD")
    assert chance_of_any(view, mask("AD AH")) == 1
    assert chance_of_any(view, mask("AH TH")) == 0


@pytest.mark.parametrize(
    ("mine", "against", "sure"),
    [
        ("AS TS QS", "KS", "AS TS QS"),  # the king falls under the ace
        ("AS QS", "TS KS", "AS"),
        ("TS KS", "AS QS", ""),
        ("AS TS 9S", "KS QS", "AS TS 9S"),
        ("QS 9S", "", "QS 9S"),
    ],
)
def test_trumps_from_the_top_pull_theirs(mine: str, against: str, sure: str) -> None:
    assert sure_trumps(mask(mine), mask(against)) == mask(sure)


@pytest.mark.parametrize(
    ("n_trumps", "sure"), [(0, "AH TH"), (1, "AH")], ids=["no trump is out", "one may ruff the second round"]
)
def test_a_side_suit_is_sure_while_it_must_be_followed(n_trumps: int, sure: str) -> None:
    assert sure_of_side_suit(mask("AH TH"), mask("KH QH JH"), n_trumps) == mask(sure)


def test_sure_cards_are_those_that_the_worst_other_hand_cannot_beat() -> None:
    """Spades (0) are trumps: their one falls under the ace, then the ace of hearts is safe, the ten of clubs is not."""
    view = view_of("AS AH TC", "KS KH AC QC")
    view.trump = 0
    assert sure_cards(view) == mask("AS AH")
    assert np.bitwise_count(view.hand) == 3  # nothing has been written into the view
