"""What public actions tell about the other hand, one rule a test; hearts are led, spades are trumps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.core.records import VIEW_DTYPE, records
from harness.core.view import clear_view, fill_view
from harness.search.clues import FREE, N_CLUES, read_clues
from harness.search.worlds import NO_MORE, first_hand, next_hand
from tests.helpers.engine import CARDS, CoreHand, cards_of
from tests.helpers.possible_hands import hidden_hands, possible_hands, random_pasts
from tests.helpers.reference_presets import PRESETS
from tests.helpers.rule_sets import rule_sets

ANNOUNCED = PRESETS["sixtysix"]
BY_LEADING = PRESETS["skillgames"] | {"declare.automatic": False}
HIGH = ("TH", "AC", "AD", "TC", "TD", "AS")
LOW = ("9C", "JC", "QC", "9D", "JD")


def in_doubt(hand: CoreHand, seat: int) -> frozenset[str]:
    """The cards that the other hand may hold, as a seat sees it."""
    view, clues = records(VIEW_DTYPE)[0], np.zeros(N_CLUES, np.int64)
    clear_view(view)
    fill_view(hand.state, hand.rules, seat, view)
    read_clues(view, hand.rules, clues)
    return cards_of(int(clues[FREE]))


def unseen(hand: CoreHand, seat: int) -> frozenset[str]:
    """The cards that a seat cannot place."""
    view = records(VIEW_DTYPE)[0]
    clear_view(view)
    fill_view(hand.state, hand.rules, seat, view)
    return cards_of(int(view.unseen))


def dealt(rules: Mapping[str, object], mine: Sequence[str], theirs: Sequence[str]) -> CoreHand:
    """A hand with the nine of spades turned up; the queen and king of hearts are drawn as late as can be."""
    rest = [card for card in CARDS if card not in {*mine, *theirs, "9S", "QH", "KH"}]
    rest += [card for card in ("QH", "KH") if card not in {*mine, *theirs}]
    return CoreHand.from_cards(rules, mine, theirs, [*rest, "9S"])


@pytest.mark.parametrize(
    ("changes", "reply", "absent"),
    [
        ({}, "AH", ""),
        ({}, "KH", "AH"),
        ({}, "KS", "9H JH QH KH AH"),
        ({}, "QD", "9H JH QH KH AH JS QS KS TS"),
        ({"strict.head": False}, "KH", ""),
        ({"strict.trump": False}, "QD", "9H JH QH KH AH"),
    ],
)
def test_a_reply_in_closed_play_shows_what_is_not_there(changes: dict[str, object], reply: str, absent: str) -> None:
    hand = dealt(ANNOUNCED | changes, HIGH, [reply, *LOW]).play("CLOSE", "PLAY TH", f"PLAY {reply}")
    assert in_doubt(hand, seat=0) == unseen(hand, seat=0) - set(absent.split())


def test_a_reply_in_open_play_shows_nothing() -> None:
    hand = dealt(ANNOUNCED, HIGH, ["QD", *LOW]).play("PLAY TH", "PLAY QD")
    assert in_doubt(hand, seat=0) == unseen(hand, seat=0)


@pytest.mark.parametrize(("lead", "partner"), [("KH", "QH"), ("QH", "KH")])
def test_a_king_or_queen_led_alone_shows_that_its_partner_is_absent(lead: str, partner: str) -> None:
    """Until the next draw, with which it may have come."""
    hand = dealt(BY_LEADING, [lead, *HIGH[1:]], ["9H", *LOW]).play(f"PLAY {lead}")
    assert in_doubt(hand, seat=1) == unseen(hand, seat=1) - {partner}
    hand.play("PLAY 9H")
    assert partner in in_doubt(hand, seat=1) == unseen(hand, seat=1)


def test_a_partner_shown_absent_stays_so_once_the_stock_is_closed() -> None:
    rules = BY_LEADING | {"marriage.stock": "any"}
    hand = dealt(rules, ["KH", *HIGH[1:]], ["9H", *LOW]).play("CLOSE", "PLAY KH", "PLAY 9H", "PLAY AC")
    assert in_doubt(hand, seat=1) == unseen(hand, seat=1) - {"QH"}


def test_a_partner_shown_absent_stays_so_while_the_draw_is_open_to_choice() -> None:
    rules = BY_LEADING | {"close.before_draw": True}
    hand = dealt(rules, ["KH", *HIGH[1:]], ["AH", *LOW]).play("PLAY KH", "PLAY AH")
    assert in_doubt(hand, seat=1) == unseen(hand, seat=1) - {"QH"}
    assert in_doubt(hand.play("DRAW"), seat=1) == unseen(hand, seat=1)


@pytest.mark.parametrize(
    ("changes", "lead", "closed"),
    [
        ({"marriage.automatic": False}, "KH", False),
        ({"marriage.lead": "king"}, "QH", False),
        ({"marriage.first_lead": False}, "KH", False),
        ({"marriage.stock": "open"}, "KH", True),
    ],
)
def test_a_lead_that_could_not_declare_tells_nothing(changes: dict[str, object], lead: str, closed: bool) -> None:
    before = ("CLOSE", "PLAY AC", "PLAY JC") if closed else ()
    hand = dealt(BY_LEADING | changes, [lead, *HIGH[1:]], ["9H", *LOW]).play(*before, f"PLAY {lead}")
    assert in_doubt(hand, seat=1) == unseen(hand, seat=1)


@settings(max_examples=30, deadline=None, derandomize=True, database=None)
@given(rules=rule_sets(), seed=st.integers(0, 2**32), skip=st.integers(0, 60))
def test_all_rule_sets_leave_the_hands_that_some_deal_leads_to(rules: dict[str, object], seed: int, skip: int) -> None:
    for number, past in enumerate(random_pasts(rules, seed)):
        view = past.views()[0]
        if number >= skip and view.n_stock > 0 and len(hidden_hands(view)) <= 130:
            clues, listed = np.zeros(N_CLUES, np.int64), set()
            read_clues(view, past.rules, clues)
            theirs = first_hand(view, clues)
            while theirs != NO_MORE:
                listed.add(int(theirs))
                theirs = next_hand(view, clues, theirs)
            assert listed == possible_hands(past)
            break
