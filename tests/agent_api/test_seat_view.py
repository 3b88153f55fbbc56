"""What a Python agent reads is what the record of the view holds, decoded."""

from random import Random

import pytest

from harness.agent_api.seat_view import SeatView
from harness.core.records import VIEW_DTYPE
from tests.helpers.both import walk
from tests.helpers.engine import ACTIONS, CARDS, CoreHand
from tests.helpers.reference import SUITS
from tests.helpers.reference_presets import PRESETS
from tests.helpers.worlds import numbers, view_of

HANDS = 15


def none_or_seat(seat: int | None, me: int) -> int | None:
    """A seat as the view has it: 0 me, 1 the other side."""
    return None if seat is None else int(seat != me)


def mine_first(pair: list[int], me: int) -> tuple[int, int]:
    return pair[me], pair[1 - me]


def seat_view(hand: CoreHand, seat: int) -> SeatView:
    """What a Python agent at this seat is given."""
    return SeatView(view_of(hand, seat).view("int64").tolist())


@pytest.mark.parametrize("preset", ["sixtysix", "bicycle", "schnapsen-sharp", "santase"])
def test_every_field_against_the_reference(preset: str) -> None:
    rng = Random(f"seat view {preset}")
    for _ in range(HANDS):
        for _, core, reference, history in walk(PRESETS[preset], rng):
            for me in (0, 1):
                other = 1 - me
                view = seat_view(core, me)
                legal = [ACTIONS[action] for action in reference.legal()] if me == reference.to_move else []
                assert view.hand == tuple(sorted(numbers(sorted(reference.hands[me]))))
                assert view.legal == tuple(sorted(legal))
                assert set(view.known) == numbers(sorted(reference.known[other]))
                assert set(view.shown) == numbers(sorted(reference.known[me]))
                assert set(view.gone) == numbers(reference.won[0] + reference.won[1])
                hidden = sorted(reference.hands[other] - reference.known[other])
                assert set(view.unseen) == numbers(hidden + reference.stock[:-1])
                assert view.trump == SUITS.index(reference.trump)
                assert view.turned_up == (CARDS[reference.stock[-1]] if reference.stock else None)
                assert view.n_stock == len(reference.stock)
                assert view.is_open == (bool(reference.stock) and reference.closer is None)
                assert view.led == (None if reference.led is None else CARDS[reference.led])
                assert view.closer == none_or_seat(reference.closer, me)
                assert view.seat == me
                assert view.leader == none_or_seat(reference.leader, me)
                assert view.points == mine_first(reference.points, me)
                assert view.pending == mine_first(reference.pending, me)
                assert view.tricks == mine_first(reference.tricks, me)
                assert view.history == tuple((seat, ACTIONS[action]) for seat, action in history)


def test_masks_are_the_same_sets_as_the_tuples() -> None:
    _, core, _, _ = next(walk(PRESETS["sixtysix"], Random(1)))
    view = seat_view(core, 0)
    for mask, members in (
        (view.hand_mask, view.hand),
        (view.legal_mask, view.legal),
        (view.unseen_mask, view.unseen),
    ):
        assert mask == sum(1 << member for member in members)


def test_an_announced_marriage_and_a_close() -> None:
    hand = CoreHand.from_cards(PRESETS["sixtysix"], ["KH", "QH"], ["9S", "JS"], ["AC", "TC", "AD", "AS"])
    hand.at([0, 20], [1, 2]).play("MELD H", "CLOSE")
    mine, theirs = (seat_view(hand, seat) for seat in (0, 1))
    for view, closer in ((mine, 0), (theirs, 1)):
        assert view.announced == SUITS.index("H")
        assert (view.closer, view.closed_points, view.closed_tricks) == (closer, 20, 2)
        assert not view.is_open
        assert view.turned_up == CARDS["AS"]
    assert theirs.known == mine.shown == (CARDS["QH"], CARDS["KH"])
    hand.play("PLAY KH")
    assert seat_view(hand, 1).announced == SUITS.index("H")


def test_score_target_and_carry() -> None:
    _, core, _, _ = next(walk(PRESETS["santase"], Random(2)))
    core.state.score[0], core.state.score[1], core.state.carry = 6, 4, 2
    view = seat_view(core, 1)
    assert (view.score, view.target, view.carry) == ((4, 6), 11, 2)


def test_the_record_is_whole_words() -> None:
    """The view is handed over as int64 words; every field but the history fills words of its own."""
    fields = VIEW_DTYPE.fields
    assert fields is not None
    assert VIEW_DTYPE.itemsize % 8 == 0
    assert all(offset % 8 == 0 for _, offset, *_ in fields.values())


def test_a_view_cannot_be_changed() -> None:
    _, core, _, _ = next(walk(PRESETS["sixtysix"], Random(3)))
    view = seat_view(core, 0)
    for name in ("trump", "points", "led", "legal_mask"):
        with pytest.raises(AttributeError):
            setattr(view, name, 0)
