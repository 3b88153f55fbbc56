"""The records that the kernels read and write: rules, state, view.

Each record is declared once, as an annotated class: mypy checks the kernels against it and the NumPy dtype is made
from it. Arrays of records are ``np.recarray``, so that ``s.hand[seat]`` means the same compiled and uncompiled.
Flags are int64 0 or 1, seats 0 (leads first, the non-dealer) and 1, "none" is -1.
"""

from collections.abc import MutableSequence
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

import numpy as np

Pair: TypeAlias = Annotated[MutableSequence[int], np.int64, 2]
Pack: TypeAlias = Annotated[MutableSequence[int], np.int8, 24]
History: TypeAlias = Annotated[MutableSequence[int], np.int8, 48]

# Phases of a hand: what kind of decision comes next.
LEAD, REPLY, DRAW_OR_CLOSE, OVER = range(4)

# Stages of a lead: EXCHANGE, MELD, CLOSE come at most once and in this order. An exchange needs no stage of its own:
# the card that makes it has left the hand.
FRESH, MELDED, CLOSED = range(3)

# How a hand ended.
DECLARED, CLOSE_MADE, CLOSE_FAILED, OVERTAKEN, RAN_OUT, DRAWN, FALSE_DECLARATION = range(7)
ENDINGS = ("declared", "close-made", "close-failed", "overtaken", "ran-out", "drawn", "false-declaration")

# Values of the rule fields that are words; a field's number is the place of its value here.
EXCHANGE_TURNS = ("lead", "any")
MARRIAGE_STOCKS = ("open", "any")
MARRIAGE_COUNTS = ("after-trick", "at-once", "next-trick")
MARRIAGE_LEADS = ("either", "king")
CLOSE_GRADES = ("end", "closing")
UNDECLARED = ("most-points", "last-trick", "sole-66", "nobody")
MATCH_DEALERS = ("alternate", "winner")
TURN_ANY, STOCK_ANY, LEAD_KING, GRADED_AT_CLOSING, WINNER_DEALS = 1, 1, 1, 1, 1
COUNTS_AFTER_TRICK, COUNTS_AT_ONCE, COUNTS_NEXT_TRICK = range(3)
MOST_POINTS, LAST_TRICK, SOLE_66, NOBODY = range(4)


class RulesRecord:
    """One rule set as numbers: field ``close.min_stock`` is ``close_min_stock``, words by their place above."""

    nines: int
    exchange_after_trick: int
    exchange_turn: int
    exchange_min_stock: int
    exchange_first_lead: int
    marriage_stock: int
    marriage_counts: int
    marriage_automatic: int
    marriage_lead: int
    marriage_first_lead: int
    close_allowed: int
    close_before_draw: int
    close_min_stock: int
    close_first_lead: int
    close_graded: int
    close_failed: int
    close_failed_trickless: int
    close_overtaken: int
    close_overtaken_trickless: int
    strict_head: int
    strict_trump: int
    declare_automatic: int
    declare_false_penalty: int
    declare_false_trickless: int
    last_trick_bonus: int
    undeclared: int
    unscored_carry: int
    unscored_same_dealer: int
    match_target: int
    match_dealer: int


class State:
    """A hand with everything in it, hidden cards included; arrays are indexed by seat.

    ``known[seat]`` are the cards in that seat's hand which the other seat has seen. ``points`` are counted points,
    ``pending`` marriage points that wait for a trick. The stock is ``stock[stock_top : stock_top + n_stock]`` in draw
    order, its last card ``turned_up``; a close leaves it lying. ``closed_points`` and ``closed_tricks`` are those of
    the closer's opponent at the moment of CLOSE. ``lead_open`` says whether the stock was open when the lead began.
    """

    hand: Pair
    known: Pair
    points: Pair
    pending: Pair
    tricks: Pair
    score: Pair
    gone: int
    trump: int
    turned_up: int
    stock_top: int
    n_stock: int
    leader: int
    to_move: int
    led: int
    phase: int
    lead_stage: int
    lead_open: int
    meld_suit: int
    closer: int
    closed_points: int
    closed_tricks: int
    carry: int
    winner: int
    game_points: int
    how: int
    n_history: int
    stock: Pack
    history: History


class View:
    """What one seat may know when it has to decide; of two-element arrays the first is mine, the second theirs.

    ``hand`` are my cards, ``legal`` the mask of legal actions, ``known`` the cards that I know to be in the other
    hand, ``shown`` the cards of mine that the other side knows, ``gone`` the cards of finished tricks, ``unseen`` the
    cards that I cannot place: the rest of the other hand and the face-down stock. ``led`` is the card to reply to or
    -1, ``meld_suit`` the suit announced on this lead or -1, ``closer`` 0 me, 1 them, -1 nobody; ``closed_points`` and
    ``closed_tricks`` are those of the closer's opponent when it happened. ``turned_up`` lies under the stock (face
    down after a close), -1 once drawn. ``history`` holds ``action | seat << 6`` for each public action so far.
    """

    hand: int
    legal: int
    known: int
    shown: int
    gone: int
    unseen: int
    trump: int
    turned_up: int
    n_stock: int
    led: int
    phase: int
    lead_open: int
    meld_suit: int
    closer: int
    closed_points: int
    closed_tricks: int
    seat: int
    leader: int
    target: int
    carry: int
    points: Pair
    pending: Pair
    tricks: Pair
    score: Pair
    n_history: int
    history: History


def dtype_of(record: type) -> np.dtype[Any]:
    """Make the record dtype that an annotated class describes."""
    fields: list[tuple[Any, ...]] = []
    for name, hint in get_type_hints(record, include_extras=True).items():
        fields.append((name, np.int64) if hint is int else (name, *get_args(hint)[1:]))
    return np.dtype((np.record, fields))


RULES_DTYPE = dtype_of(RulesRecord)
STATE_DTYPE = dtype_of(State)
VIEW_DTYPE = dtype_of(View)


def records(dtype: np.dtype[Any], n: int = 1) -> Any:
    """Make `n` zeroed records of a dtype, as an ``np.recarray`` of shape (n,)."""
    return np.zeros(n, dtype).view(np.recarray)
