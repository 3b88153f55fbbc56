"""`crazy`: imagines more deals than `hard`, and calculates closed play, the last open trick and the end exactly."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from agents.playing_out import play_out_options
from agents.sampling import best_action, sound_options
from agents.sense import is_strict
from harness.agent_api.compiled import Compiled, judgement, parameter, policy
from harness.core.apply import apply
from harness.core.bits import highest, lowest
from harness.core.cards import CLOSE, DECLARE, EXCHANGE, MELD, N_ACTION_CODES, OUT
from harness.core.kernel import kernel
from harness.core.legal import legal_mask
from harness.core.records import OVER, STATE_DTYPE, VIEW_DTYPE, RulesRecord, View
from harness.core.score import result_for
from harness.core.view import fill_view
from harness.search.clues import N_CLUES, read_clues
from harness.search.double_dummy import solve_options
from harness.search.equity import fill_worth
from harness.search.last_lead import lead_means
from harness.search.options import are_few
from harness.search.solver import SOLVER_WORDS
from harness.search.worlds import first_hand, place

WORLDS, CLOSED_WORLDS, CLOSE_LESS = range(3)
"""Places of the parameters, in the order of the fields of `Crazy`."""
FEW_WORLDS = 25
"""Worlds that show whether to close is out of the question: most of the time it is."""
FAR = 4.0
"""Standard errors that it has to be below the other options for that."""
SAME = 1e-9
"""Worths closer than this are equal."""


@kernel
def is_solved(v: View) -> bool:
    """Say whether the solver judges this decision: strict play, and the reply after which all cards are known."""
    return is_strict(v) or (v.n_stock == 2 and v.led >= 0)


@kernel
def judge_close(
    v: View,
    r: RulesRecord,
    params: Any,
    clues: Any,
    worth: Any,
    work: Any,
    rng: Any,
    means: Any,
    errors: Any,
    best: float,
) -> None:
    """Judge CLOSE by the best of the leads after it, each solved in the same worlds: few, if it is far below `best`."""
    after, after_errors = np.zeros(N_ACTION_CODES), np.zeros(N_ACTION_CODES)
    for n_worlds in (FEW_WORLDS, int(params[CLOSED_WORLDS])):
        leads = solve_options(v, r, CLOSE, clues, n_worlds, worth, work, rng, after, after_errors) & ~(1 << DECLARE)
        lead = best_action(leads, after)
        means[CLOSE], errors[CLOSE] = after[lead], after_errors[lead]
        if means[CLOSE] + FAR * errors[CLOSE] <= best or are_few(v, clues, n_worlds):
            break
    means[CLOSE] -= params[CLOSE_LESS]


@kernel
def judge_going_on(
    v: View,
    r: RulesRecord,
    params: Any,
    action: int,
    clues: Any,
    worth: Any,
    work: Any,
    rng: Any,
    means: Any,
    errors: Any,
) -> None:
    """Judge what comes before the card of the last open lead, a marriage or the exchange, by the best that follows."""
    states, views = np.zeros(1, STATE_DTYPE), np.zeros(1, VIEW_DTYPE)
    s, after_it = states[0], views[0]
    place(v, r, first_hand(v, clues), s)
    apply(s, r, action)
    if s.phase != OVER and s.points[v.seat] >= OUT and (legal_mask(s, r) >> DECLARE) & 1:
        apply(s, r, DECLARE)
    if s.phase == OVER:
        means[action], errors[action] = worth[result_for(s, v.seat) + 3], 0.0
        return
    after_it.history[:] = v.history
    after_it.n_history = v.n_history
    fill_view(s, r, v.seat, after_it)
    after, after_errors = np.full(N_ACTION_CODES, -np.inf), np.zeros(N_ACTION_CODES)
    best = best_action(lead_means(after_it, r, clues, worth, work, rng, after, after_errors), after)
    if (after_it.legal >> CLOSE) & 1:
        judge_close(after_it, r, params, clues, worth, work, rng, after, after_errors, after[best])
        if after[CLOSE] > after[best]:
            best = CLOSE
    means[action], errors[action] = after[best], after_errors[best]


@kernel
def judge_last_lead(
    v: View,
    r: RulesRecord,
    params: Any,
    options: int,
    clues: Any,
    worth: Any,
    work: Any,
    rng: Any,
    means: Any,
    errors: Any,
) -> None:
    """Judge the cards, and what may come before them (marriages, the exchange), of the last open lead."""
    lead_means(v, r, clues, worth, work, rng, means, errors)
    for action in range(MELD, CLOSE):
        if (options >> action) & 1:
            judge_going_on(v, r, params, action, clues, worth, work, rng, means, errors)


@judgement
def judge_crazy(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any, means: Any, errors: Any) -> None:
    """Solve what can be solved, play the rest out, and take off a little from the solved value of closing."""
    clues, worth = np.zeros(N_CLUES, np.int64), np.zeros(7)
    read_clues(view, rules, clues)
    fill_worth(view, rules, worth)
    if is_solved(view):
        solve_options(view, rules, -1, clues, int(params[CLOSED_WORLDS]), worth, scratch, rng, means, errors)
        return
    options = sound_options(view) & ~(1 << CLOSE)
    if view.n_stock == 2:
        judge_last_lead(view, rules, params, options, clues, worth, scratch, rng, means, errors)
    else:
        play_out_options(view, rules, options, clues, int(params[WORLDS]), worth, rng, means, errors)
    if (view.legal >> CLOSE) & 1:
        best = means[best_action(options, means)]
        judge_close(view, rules, params, clues, worth, scratch, rng, means, errors, best)


@kernel
def equal_best(options: int, means: Any) -> int:
    """Mask of those options that no other is better than."""
    best = means[best_action(options, means)]
    equal = 0
    while options:
        action = lowest(options)
        options &= options - 1
        if means[action] >= best - SAME:
            equal |= 1 << action
    return equal


@kernel
def hardest_to_answer(v: View, r: RulesRecord, options: int, params: Any, rng: Any) -> int:
    """Of options that are equal against perfect play the one that pays best when `normal` plays on."""
    clues, worth, means = np.zeros(N_CLUES, np.int64), np.zeros(7), np.zeros(N_ACTION_CODES)
    read_clues(v, r, clues)
    fill_worth(v, r, worth)
    play_out_options(v, r, options, clues, int(params[CLOSED_WORLDS]), worth, rng, means, np.zeros(N_ACTION_CODES))
    return best_action(options, means)


@policy
def choose_crazy(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Choose what is worth most; of equals what asks most of the other side. A single option needs no thought."""
    options = sound_options(view)
    if view.n_stock == 2 and (options >> EXCHANGE) & 1:
        return EXCHANGE  # whoever is dealt the last card gets the lower trump then
    if options & (options - 1) == 0:
        return lowest(options)
    means, errors = np.full(N_ACTION_CODES, -np.inf), np.zeros(N_ACTION_CODES)
    judge_crazy(view, rules, params, rng, scratch, means, errors)
    best = equal_best(options, means)
    if best & (best - 1) == 0 or not is_solved(view):
        return highest(best)  # a marriage rather than a card that is worth the same
    return hardest_to_answer(view, rules, best, params, rng)


@dataclass(frozen=True)
class Crazy(Compiled):
    """Imagines more deals and calculates strict play exactly; perfect once the stock is gone.

    With four cards or more in the open stock it plays options out as `hard` does, in more worlds. The lead before the
    stock is gone is calculated against an opponent who guesses the face-down card evenly, the reply to such a lead and
    all that follows exactly. In closed play every option is solved in each world, and so is closing itself, by its best
    lead. Of moves that are equal against perfect play it takes the one that pays most when `normal` plays on.

    Over `hard` it wins 0.28 game points a hand under `sixtysix` and 0.23 under `schnapsen`, 16,667 deals each: match
    Elo 127 and 86.

    Parameters
    ----------
    worlds
        Deals imagined for an open decision, 1 to 10,000.
    closed_worlds
        Deals solved for a decision in closed play and for the question whether to close, 1 to 10,000; where there are
        no more worlds than that, each is solved once.
    close_less
        Game points taken off the solved value of closing, 0 to 3; it flatters the side that closes, as the solver lets
        it choose with the hidden cards in sight.
    """

    policy: ClassVar[Any] = staticmethod(choose_crazy)
    judgement: ClassVar[Any] = staticmethod(judge_crazy)
    n_scratch: ClassVar[int] = SOLVER_WORDS
    worlds: int = parameter(300, 1, 10_000)
    closed_worlds: int = parameter(200, 1, 10_000)
    close_less: float = parameter(0.06, 0, 3)
