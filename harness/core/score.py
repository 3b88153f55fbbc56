"""Who wins a hand, and how many game points it pays."""

from harness.core.cards import OUT, SCHNEIDER
from harness.core.kernel import kernel
from harness.core.records import (
    CLOSE_FAILED,
    CLOSE_MADE,
    DECLARED,
    DRAWN,
    FALSE_DECLARATION,
    GRADED_AT_CLOSING,
    LAST_TRICK,
    MOST_POINTS,
    OVER,
    OVERTAKEN,
    RAN_OUT,
    SOLE_66,
    RulesRecord,
    State,
)


@kernel
def win(s: State, seat: int, game_points: int, how: int) -> None:
    """End the hand: `seat` wins `game_points` and the carry."""
    s.winner = seat
    s.game_points = game_points + s.carry
    s.how = how
    s.phase = OVER


@kernel
def nobody_wins(s: State) -> None:
    """End the hand without a winner."""
    s.winner = -1
    s.game_points = 0
    s.how = DRAWN
    s.phase = OVER


@kernel
def grade(points: int, tricks: int) -> int:
    """Game points that a loser with these counted points and tricks pays: 3 schwarz, 2 schneider, 1."""
    if tricks == 0:
        return 3
    return 2 if points < SCHNEIDER else 1


@kernel
def go_out(s: State, r: RulesRecord, seat: int) -> None:
    """End the hand: `seat` has 66 and says so (or the rules say it for him)."""
    other = 1 - seat
    if s.closer == other:
        pay = r.close_overtaken if s.closed_tricks else r.close_overtaken_trickless
        win(s, seat, pay, OVERTAKEN)
    elif s.closer == seat:
        if r.close_graded == GRADED_AT_CLOSING:
            win(s, seat, grade(s.closed_points, s.closed_tricks), CLOSE_MADE)
        else:
            win(s, seat, grade(s.points[other], s.tricks[other]), CLOSE_MADE)
    else:
        win(s, seat, grade(s.points[other], s.tricks[other]), DECLARED)


@kernel
def failed_close(s: State, r: RulesRecord) -> int:
    """Game points that a closer who does not reach 66 pays."""
    return r.close_failed if s.closed_tricks else r.close_failed_trickless


@kernel
def declare_falsely(s: State, r: RulesRecord, seat: int) -> None:
    """End the hand: `seat` said 66 and has fewer, or forfeits the hand by a fault."""
    other = 1 - seat
    pay = r.declare_false_penalty if s.tricks[other] else r.declare_false_trickless
    if s.closer == seat:
        pay = max(pay, failed_close(s, r))
    win(s, other, pay, FALSE_DECLARATION)


@kernel
def declare(s: State, r: RulesRecord, seat: int) -> None:
    """End the hand: `seat` claims 66, rightly or not."""
    if s.points[seat] >= OUT:
        go_out(s, r, seat)
    else:
        declare_falsely(s, r, seat)


@kernel
def finish_played_out(s: State, r: RulesRecord) -> None:
    """End a hand whose cards are all played; `s.leader` has taken the last trick."""
    if s.closer >= 0:
        if s.points[s.closer] >= OUT:
            go_out(s, r, s.closer)
        else:
            win(s, 1 - s.closer, failed_close(s, r), CLOSE_FAILED)
    else:
        finish_ran_out(s, r)


@kernel
def finish_ran_out(s: State, r: RulesRecord) -> None:
    """End a hand whose stock ran out: the last trick's winner may have 66, else the field `undeclared` decides."""
    last = s.leader
    other = 1 - last
    if r.undeclared != MOST_POINTS:
        s.points[last] += r.last_trick_bonus
    if s.points[last] >= OUT:
        go_out(s, r, last)
        return
    if r.undeclared == MOST_POINTS:
        s.points[last] += r.last_trick_bonus
        if s.points[last] == s.points[other]:
            nobody_wins(s)
        else:
            winner = last if s.points[last] > s.points[other] else other
            loser = 1 - winner
            win(s, winner, grade(s.points[loser], s.tricks[loser]), RAN_OUT)
    elif r.undeclared == LAST_TRICK:
        win(s, last, 1, RAN_OUT)
    elif r.undeclared == SOLE_66 and s.points[other] >= OUT:
        win(s, other, grade(s.points[last], s.tricks[last]), RAN_OUT)
    else:
        nobody_wins(s)


@kernel
def result_for(s: State, seat: int) -> int:
    """Game points of a seat in a finished hand, the carry left out; negative when lost."""
    if s.winner < 0:
        return 0
    points = s.game_points - s.carry
    return points if s.winner == seat else -points
