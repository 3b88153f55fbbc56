"""Agents that break their contract, each in one way; all play their lowest legal action otherwise."""

from __future__ import annotations

import os
import random
import sys
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from harness.agent_api.bounds import check_bounds, parameter
from harness.agent_api.compiled import Compiled, policy
from harness.agent_api.contract import HandInfo
from harness.agent_api.seat_view import SeatView
from harness.core.bits import highest, lowest
from harness.core.cards import PACK_MASK
from harness.core.records import STATE_DTYPE, VIEW_DTYPE
from harness.play.step import VIEW_WORDS, VIEWS_AT

assert STATE_DTYPE.fields is not None and VIEW_DTYPE.fields is not None


IS_ABROAD = "pytest" not in sys.modules
"""Whether this is a process that a check has started."""


class Sound:
    """Plays the lowest legal action."""

    def choose(self, view: SeatView) -> int:
        return view.legal[0]


def lowest_or_highest(view: SeatView, is_high: bool) -> int:
    """The lowest or the highest legal card, or the only action."""
    cards = [action for action in view.legal if action < 32] or view.legal
    return cards[-1] if is_high else cards[0]


# ------------------------------------------------------------------------------------------- how it is built


class Doubler(Sound):
    """Keeps another value than it was given.

    Parameters
    ----------
    depth
        Anything.
    """

    def __init__(self, depth: int = 3):
        self.depth = 2 * depth


class Clamper(Sound):
    """Quietly repairs a bad value.

    Parameters
    ----------
    depth
        Anything.
    """

    def __init__(self, depth: int = -1):
        self.depth = max(0, depth)


class Forgetful(Sound):
    """Keeps its parameter under another name.

    Parameters
    ----------
    depth
        Anything.
    """

    def __init__(self, depth: int = 3):
        self._depth = depth


class Numbered(Sound):
    """Every one of it is another."""

    made = 0

    def __init__(self) -> None:
        Numbered.made += 1
        self._number = Numbered.made

    def __repr__(self) -> str:
        return f"Numbered({self._number})"


class OnlyOne(Sound):
    """There can be only one in a process at a time."""

    lives = 0

    def __init__(self) -> None:
        if OnlyOne.lives:
            raise RuntimeError("there is one already")
        OnlyOne.lives += 1

    def close(self) -> None:
        OnlyOne.lives -= 1


class Undescribed(Sound):
    pass


class HalfDocumented(Sound):
    """Tells of one parameter only.

    Parameters
    ----------
    depth
        Anything.

    Notes
    -----
    width
        No parameter stands here.
    """

    def __init__(self, depth: int = 3, width: int = 2):
        self.depth = depth
        self.width = width


@dataclass
class Generated(Sound):
    depth: int = 3


class Misspelt(Sound):
    """Waits for a call that never comes."""

    def start_hands(self, info: HandInfo, seed: int) -> None: ...


class Narrow(Sound):
    """Takes less than it is given."""

    def inform(self, action: int) -> None: ...


@dataclass
class Unchecked(Sound):
    """Declares bounds and does not check them.

    Parameters
    ----------
    depth
        1 to 5.
    """

    depth: int = parameter(3, 1, 5)


@dataclass
class BadDefault(Sound):
    """Has a default outside its bounds.

    Parameters
    ----------
    depth
        1 to 5.
    """

    depth: float = parameter(7, 1, 5)


@dataclass
class StricterThanItSays(Sound):
    """Refuses one of its bounds.

    Parameters
    ----------
    depth
        1 to 5.
    """

    depth: float = parameter(3, 1, 5)

    def __post_init__(self) -> None:
        check_bounds(self)
        if self.depth == 5:
            raise ValueError("5 is too deep")


@dataclass
class CrashesAtABound:
    """Divides by its parameter.

    Parameters
    ----------
    depth
        0 to 5.
    """

    depth: float = parameter(3, 0, 5)

    def __post_init__(self) -> None:
        check_bounds(self)

    def choose(self, view: SeatView) -> int:
        return view.legal[0 if 1 / self.depth > 0 else -1]


# --------------------------------------------------------------------------------------------- how it plays


class Endless(Sound):
    """Never comes to an end as soon as the stock is used up."""

    def choose(self, view: SeatView) -> int:
        while view.n_stock == 0:
            time.sleep(0.01)
        return view.legal[0]


class Unseeded:
    """Draws from the global generator."""

    def choose(self, view: SeatView) -> int:
        return random.choice([action for action in view.legal if action != 38] or view.legal)


class Counter:
    """Plays every other hand from the top."""

    def __init__(self) -> None:
        self._n_hands = 0

    def start_hand(self, info: HandInfo, seed: int) -> None:
        self._n_hands += 1

    def choose(self, view: SeatView) -> int:
        return lowest_or_highest(view, self._n_hands % 4 == 1)


class Peeker:
    """Looks for the table in its callers' frames, and plays by the other hand."""

    def choose(self, view: SeatView) -> int:
        frame = sys._getframe()
        while "table" not in frame.f_locals:
            assert frame.f_back is not None
            frame = frame.f_back
        hands = frame.f_locals["table"][:VIEWS_AT].view(STATE_DTYPE)["hand"][0]
        return lowest_or_highest(view, highest(int(hands[1 - view.seat])) & 1 == 1)


HISTORY_BYTES = VIEW_DTYPE.fields["history"][1]
TO_OTHER_HAND = 8 * VIEW_WORDS - HISTORY_BYTES + VIEW_DTYPE.fields["hand"][1]
"""From a view's history to the hand in the next view, in bytes."""


@policy
def choose_beyond(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Read the second view, which lies behind the first, through an index out of range."""
    cards = view.legal & PACK_MASK
    if view.seat == 0 and cards:
        index = TO_OTHER_HAND + int(params[0])
        if view.history[index] & 1:
            return highest(cards)
    return lowest(view.legal)


@dataclass(frozen=True)
class Overreader(Compiled):
    """Reads past the end of its view.

    Parameters
    ----------
    offset
        Bytes.
    """

    policy: ClassVar[Any] = staticmethod(choose_beyond)
    offset: float = 0


@policy
def choose_and_remember(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Count decisions in the parameters."""
    params[0] += 1.0
    return lowest(view.legal)


@dataclass(frozen=True)
class ParameterWriter(Compiled):
    """Writes into its parameters.

    Parameters
    ----------
    count
        Anything.
    """

    policy: ClassVar[Any] = staticmethod(choose_and_remember)
    count: float = 0


@policy
def choose_by_scratch(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Trust that scratch is zero."""
    cards = view.legal & PACK_MASK
    return highest(cards) if scratch[0] & 1 and cards else lowest(view.legal)


@dataclass(frozen=True)
class DirtyScratch(Compiled):
    """Reads its scratch memory before it has written there."""

    policy: ClassVar[Any] = staticmethod(choose_by_scratch)
    n_scratch: ClassVar[int] = 2


@policy
def choose_with_clean_scratch(view: Any, rules: Any, params: Any, rng: Any, scratch: Any) -> int:
    """Use scratch as it should be."""
    scratch[0] = view.legal
    return lowest(scratch[0])


@dataclass(frozen=True)
class CleanScratch(Compiled):
    """Writes its scratch memory before it reads it."""

    policy: ClassVar[Any] = staticmethod(choose_with_clean_scratch)
    n_scratch: ClassVar[int] = 2


class MatchPoint(Sound):
    """Divides by what is missing to the last point of a match."""

    def choose(self, view: SeatView) -> int:
        return view.legal[0 if 1 / (view.target - 1 - view.score[0]) > 0 else -1]


class CarryBlind(Sound):
    """Believes that nothing is ever carried over."""

    def start_hand(self, info: HandInfo, seed: int) -> None:
        assert info.carry == 0


class HomeBody:
    """Plays from the top where it is not in the first process."""

    def choose(self, view: SeatView) -> int:
        return lowest_or_highest(view, IS_ABROAD)


class DiesAbroad(Sound):
    """Ends every process but the first."""

    def __init__(self) -> None:
        if IS_ABROAD:
            os._exit(7)


class NotAbroad(Sound):
    """Cannot be built but in the first process."""

    def __init__(self) -> None:
        if IS_ABROAD:
            raise RuntimeError("not here")
