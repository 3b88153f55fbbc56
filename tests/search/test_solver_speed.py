"""How fast the solver is: ``pytest tests/search/test_solver_speed.py --benchmark-enable -s``, never a reason to fail.

All cards are known. Measured are leads as `normal` leaves them to itself with so many cards in the stock, 0 being
endings as the stock is gone, and hands closed on the first lead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from harness.core.apply import apply
from harness.core.cards import CLOSE
from harness.core.deal import deal_hand, shuffle
from harness.core.kernel import kernel
from harness.core.records import STATE_DTYPE, RulesRecord, records
from harness.search.solver import SOLVER_WORDS, solve
from tests.helpers.engine import rules_record
from tests.helpers.left_by_normal import SEED, left_by_normal
from tests.helpers.reference_presets import PRESETS


@kernel
def fill_closed_at_once(states: Any, r: RulesRecord, pack: Any) -> None:
    """Fill `states` with random deals, closed on the first lead."""
    for deal in range(len(states)):
        shuffle(SEED, deal, pack)
        deal_hand(states[deal], r, pack)
        apply(states[deal], r, CLOSE)


@kernel
def solve_all(states: Any, r: RulesRecord, work: Any) -> int:
    """Solve all; returns the sum of the values."""
    total = 0
    for i in range(len(states)):
        total += solve(states[i], r, work)
    return total


def positions(preset: str, n_stock: int, n: int) -> tuple[Any, Any]:
    """Positions as `normal` leaves them (`n_stock` -1: closed at once), and their rules."""
    r, states, pack = rules_record(PRESETS[preset])[0], records(STATE_DTYPE, n), np.zeros(24, np.int8)
    if n_stock < 0:
        fill_closed_at_once(states, r, pack)
    else:
        return left_by_normal(preset, n_stock, n), r
    return states, r


@pytest.mark.parametrize("preset", ["sixtysix", "schnapsen-pagat"])
@pytest.mark.parametrize(("n_stock", "n"), [(0, 20_000), (-1, 10_000), (2, 3_000), (4, 1_000), (6, 200), (8, 50)])
def test_speed_of_the_solver(preset: str, n_stock: int, n: int, benchmark: BenchmarkFixture) -> None:
    """The table is empty at the start of each round."""
    n = n if benchmark.enabled else 20
    states, r = positions(preset, n_stock, n)
    benchmark.extra_info["positions"] = n
    totals = benchmark.pedantic(  # type: ignore[no-untyped-call]
        solve_all, setup=lambda: ((states, r, np.zeros(SOLVER_WORDS, np.uint64)), {}), rounds=5, warmup_rounds=1
    )
    if benchmark.enabled and benchmark.stats:
        print(f"\n{preset}, stock {n_stock}: {n / benchmark.stats.stats.min:,.0f} positions a second")
    assert abs(totals) <= 3 * n
