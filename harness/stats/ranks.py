"""Between which ranks each agent lies, from all differences of ratings at once.

An agent is above another if the hypothesis "not above" is rejected; these n (n - 1) one-sided hypotheses are tested
together by Holm's method. With the confidence asked for, none of the rejected ones is true, and then every agent's
true rank lies in its interval, all of them at once (Mogstad, Romano, Shaikh and Wilhelm 2024, "Inference for ranks").
"""

from dataclasses import dataclass

import numpy as np

from harness.stats.codes import BoolArray
from harness.stats.comparison import holm
from harness.stats.estimate import one_sided_p
from harness.stats.ratings import Ratings


@dataclass(frozen=True)
class RankInterval:
    """Best and worst rank, from 1, that an agent may have among the rated ones; None and a note without a rating."""

    best: int | None
    worst: int | None
    note: str = ""


def rank_intervals(ratings: Ratings) -> tuple[RankInterval, ...]:
    """Give the interval of every agent, at the confidence level of the ratings."""
    above = clearly_above(ratings)
    n_rated = int(ratings.rated.sum())
    return tuple(
        RankInterval(1 + int(above[:, agent].sum()), n_rated - int(above[agent].sum()))
        if ratings.rated[agent]
        else RankInterval(None, None, ratings.notes[agent])
        for agent in range(len(ratings.values))
    )


def clearly_above(ratings: Ratings) -> BoolArray:
    """Tell which agents are rated above which others beyond doubt, shape (n_agents, n_agents).

    A difference without an interval, for lack of deals or of spread, leaves the doubt.
    """
    n_agents = len(ratings.values)
    p_values: list[float | None] = []
    for first in range(n_agents):
        p_values += [
            None if first == second else one_sided_p(ratings.difference(first, second)) for second in range(n_agents)
        ]
    rejected = [p is not None and p <= 1 - ratings.level for p in holm(p_values)]
    return np.array(rejected, dtype=np.bool_).reshape(n_agents, n_agents)
