"""`crazy`: imagines more deals than `hard`, and calculates closed play, the last open trick and the end exactly."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from harness.search.solver import SOLVER_WORDS

from agents.playing_out import play_out_options
from agents.sampling import best_action, sound_options
from harness.agent_api.compiled import Compiled, judgement, parameter, policy
from harness.core.bits import lowest
from harness.core.cards import CLOSE, MELD
from harness.core.kernel import kernel
from harness.core.records import RulesRecord, View
from harness.search.clues import N_CLUES, read_clues
from harness.search.double_dummy import solve_options
from harness.search.equity import fill_worth
from harness.search.last_lead import lead_means

WORLDS, CLOSED_WORLDS, CLOSE_LESS = range(3)
"""Places of the parameters, in the order of the fields of `Crazy`."""


@kernel
def highest_mean(options: int, means: Any, errors: Any) -> tuple[float, float]:
    """Mean and error of the best of some options."""
    best = best_action(options, means)
    return means[best], errors[best]


@kernel
def judge_last_lead(
    v: View, r: RulesRecord, options: int, clues: Any, worth: Any, work: Any, rng: Any, means: Any, errors: Any
) -> None:
    """Judge the cards, and the marriages before them, of the lead before the stock is gone."""
    lead_means(v, r, -1, clues, worth, work, rng, means, errors)
    after, after_errors = np.zeros(40), np.zeros(40)
    for first in range(MELD, CLOSE):
        if (options >> first) & 1:
            cards = lead_means(v, r, first, clues, worth, work, rng, after, after_errors)
            means[first], errors[first] = highest_mean(cards, after, after_errors)


@judgement
def judge_crazy(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any, means: Any, errors: Any) -> None:
    """Solve what can be solved, play the rest out, and take off a little from the solved value of closing."""
    clues, worth = np.zeros(N_CLUES, np.int64), np.zeros(7)
    read_clues(view, rules, clues)
    fill_worth(view, rules, worth)
    options = sound_options(view)
    n_closed = int(params[CLOSED_WORLDS])
    if view.closer >= 0 or view.n_stock == 0 or (view.n_stock == 2 and view.led >= 0):
        solve_options(view, rules, -1, clues, n_closed, worth, scratch, rng, means, errors)
        return
    open_options = options & ~(1 << CLOSE)
    if view.n_stock == 2:
        judge_last_lead(view, rules, open_options, clues, worth, scratch, rng, means, errors)
    else:
        n_worlds = int(params[WORLDS])
        play_out_options(view, rules, open_options, clues, n_worlds, worth, rng, means, errors)
    if options != open_options:
        closed, closed_errors = np.zeros(40), np.zeros(40)
        leads = solve_options(view, rules, CLOSE, clues, n_closed, worth, scratch, rng, closed, closed_errors)
        means[CLOSE], errors[CLOSE] = highest_mean(leads, closed, closed_errors)
        means[CLOSE] -= params[CLOSE_LESS]


@policy
def choose_crazy(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Choose what is worth most; a single option needs no thought."""
    options = sound_options(view)
    if options & (options - 1) == 0:
        return lowest(options)
    means, errors = np.full(40, -np.inf), np.zeros(40)
    judge_crazy(view, rules, params, rng, scratch, means, errors)
    return best_action(options, means)


@dataclass(frozen=True)
class Crazy(Compiled):
    """Imagines more deals and calculates strict play exactly; perfect once the stock is gone.

    Parameters
    ----------
    worlds
        Deals imagined for an open decision.
    closed_worlds
        Deals solved exactly for a decision in closed play and for the question whether to close.
    close_less
        Game points taken off the solved value of closing, which flatters the side that closes.
    """

    policy: ClassVar[Any] = staticmethod(choose_crazy)
    judgement: ClassVar[Any] = staticmethod(judge_crazy)
    n_scratch: ClassVar[int] = SOLVER_WORDS
    worlds: int = parameter(100, 1, 10_000)
    closed_worlds: int = parameter(100, 1, 10_000)
    close_less: float = parameter(0.06, 0, 3)
