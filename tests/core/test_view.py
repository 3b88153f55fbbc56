"""A view holds what its seat may know, all of it and nothing else."""

from collections.abc import Iterator
from random import Random

import pytest

from harness.agent_api.registry import installed_names, load_agent
from harness.core.bits import members
from harness.core.cards import DRAW
from harness.core.records import DRAW_OR_CLOSE, LEAD, OVER, REPLY, VIEW_DTYPE, records
from harness.core.view import clear_view, fill_view
from harness.game.presets import load_rules
from tests.helpers.both import Position, walk
from tests.helpers.engine import ACTIONS, CARDS, mask_of
from tests.helpers.reference import SUITS, ReferenceHand
from tests.helpers.reference_presets import PRESETS
from tests.helpers.worlds import Seated, hide_again, view_of

HANDS = 25


def positions(preset: str, purpose: str) -> Iterator[Position]:
    """Positions of random hands of a preset."""
    rng = Random(f"{purpose} {preset}")
    for _ in range(HANDS):
        yield from walk(PRESETS[preset], rng)


def mine_first(pair: list[int], seat: int) -> list[int]:
    return [pair[seat], pair[1 - seat]]


def of_side(seat: int | None, me: int) -> int:
    """A seat as the view has it: 0 me, 1 the other, -1 nobody."""
    return -1 if seat is None else int(seat != me)


SLOW = {"hard", "crazy"}
"""The check `hidden-cards` of tests/agents/test_conformance.py asks them the same, in fewer hands."""


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("agent", [None, *sorted({*installed_names()} - SLOW)])
def test_hidden_cards_change_neither_the_view_nor_any_choice(agent: str | None, preset: str) -> None:
    rng = Random(f"worlds {agent} {preset}")
    rules = load_rules(preset)
    seated = [Seated(load_agent(agent), rules, seat) for seat in (0, 1)] if agent else []
    for _, core, reference, actions in positions(preset, "hidden"):
        history = [(seat, ACTIONS[action]) for seat, action in actions]
        for seat in (0, 1) if agent is None else (reference.to_move,):
            view = view_of(core, seat)
            truth = hide_again(core, seat, rng)
            other_world = view_of(core, seat)
            core.records[0] = truth[0]
            assert other_world.tobytes() == view.tobytes()
            if agent and not reference.over:
                choice = seated[seat].choose(view, history)
                seated[seat].spoil_scratch(rng)
                assert seated[seat].choose(other_world, history) == choice
                assert choice in members(int(view[0].legal))


@pytest.mark.parametrize("preset", PRESETS)
def test_the_cards_of_a_view(preset: str) -> None:
    for _, core, reference, _ in positions(preset, "cards"):
        for seat in (0, 1):
            other = 1 - seat
            view = view_of(core, seat)[0]
            face_down = reference.stock[:-1]
            assert view.hand == mask_of(reference.hands[seat])
            assert view.known == mask_of(reference.known[other])
            assert view.shown == mask_of(reference.known[seat])
            assert view.gone == mask_of(reference.won[0] + reference.won[1])
            assert view.unseen == mask_of(reference.hands[other] - reference.known[other]) | mask_of(face_down)
            assert view.n_stock == len(reference.stock)
            assert view.turned_up == (CARDS[reference.stock[-1]] if reference.stock else -1)
            assert view.trump == SUITS.index(reference.trump)
            assert view.led == (-1 if reference.led is None else CARDS[reference.led])


class PublicStory:
    """What the public actions tell beyond the state of the reference."""

    def __init__(self) -> None:
        self.at_close = [0, 0]
        self.lead_began_open = True
        self.announced = -1
        self._melded = 0

    def hear(self, seat: int, action: str, reference: ReferenceHand) -> None:
        """Follow one action, after which the reference stands where it is."""
        kind, _, what = action.partition(" ")
        melded = sum(reference.points) + sum(reference.pending)
        if kind == "CLOSE":
            self.at_close = [reference.points[1 - seat], reference.tricks[1 - seat]]
        if kind in ("PLAY", "DRAW") and reference.led is None:
            self.announced = -1
            self.lead_began_open = reference.closer is None and bool(reference.stock)
        elif kind in ("PLAY", "MELD") and melded > self._melded:
            self.announced = SUITS.index(what[-1])
        self._melded = melded


@pytest.mark.parametrize("preset", PRESETS)
def test_the_state_of_play_in_a_view(preset: str) -> None:
    for _, core, reference, history in positions(preset, "play"):
        if not history:
            story = PublicStory()
        else:
            story.hear(*history[-1], reference)
        legal = sorted([ACTIONS[action] for action in reference.legal()])
        phase = REPLY if reference.led else DRAW_OR_CLOSE if DRAW in legal else LEAD
        for me in (0, 1):
            view = view_of(core, me)[0]
            assert list(members(int(view.legal))) == (legal if me == reference.to_move else [])
            assert list(view.points) == mine_first(reference.points, me)
            assert list(view.pending) == mine_first(reference.pending, me)
            assert list(view.tricks) == mine_first(reference.tricks, me)
            assert (view.seat, view.leader) == (me, of_side(reference.leader, me))
            assert view.closer == of_side(reference.closer, me)
            assert [view.closed_points, view.closed_tricks] == story.at_close
            assert view.phase == (OVER if reference.over else phase)
            assert view.meld_suit == story.announced
            if view.phase in (LEAD, REPLY):
                assert view.lead_open == story.lead_began_open


@pytest.mark.parametrize("preset", PRESETS)
def test_the_history_of_a_view_is_the_public_actions(preset: str) -> None:
    """Filled at every decision, as play does, or only once in the end: the history is the same."""
    views = records(VIEW_DTYPE, 2)
    for _, core, reference, history in positions(preset, "history"):
        if not history:
            clear_view(views[0])
            clear_view(views[1])
        seat = reference.to_move
        fill_view(core.state, core.rules, seat, views[seat])
        entries = views[seat].history[: int(views[seat].n_history)].tolist()
        assert entries == [ACTIONS[action] + 64 * seat for seat, action in history]
        assert views[seat].tobytes() == view_of(core, seat)[0].tobytes()


def test_a_match_in_a_view() -> None:
    for preset, target in (("sixtysix", 7), ("santase", 11)):
        _, core, _, _ = next(positions(preset, "match"))
        core.state.score[0], core.state.score[1], core.state.carry = 5, 3, 2
        for seat, score in ((0, [5, 3]), (1, [3, 5])):
            view = view_of(core, seat)[0]
            assert (list(view.score), view.carry, view.target) == (score, 2, target)


def test_a_cleared_view_keeps_nothing_of_the_last_hand() -> None:
    """The second hand of a deal has the same pack, so that its history would tell the hidden cards."""
    hands = [position.core for position in positions("sixtysix", "clear") if position.reference.over]
    views = records(VIEW_DTYPE)
    fill_view(hands[0].state, hands[0].rules, 0, views[0])
    assert views[0].n_history > 0
    clear_view(views[0])
    _, fresh, _, _ = next(positions("sixtysix", "fresh"))
    fill_view(fresh.state, fresh.rules, 0, views[0])
    assert views.tobytes() == view_of(fresh, 0).tobytes()
