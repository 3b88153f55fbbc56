import itertools

import numpy as np
import pytest

from harness.run.schedule import MOST_DEALS, Chunk, Pace, schedule


@pytest.mark.parametrize("deals", [1, 7, 100, 1000])
@pytest.mark.parametrize("sizes", [{0: 1}, {0: 100, 1: 100}, {0: 64, 3: 5, 1: 7}, {2: 10_000}])
def test_every_deal_of_every_pairing_is_there_exactly_once(deals: int, sizes: dict[int, int]) -> None:
    played = {pairing: np.zeros(deals, int) for pairing in sizes}
    for number, chunk in enumerate(schedule(deals, sizes)):
        assert chunk.number == number
        assert 1 <= chunk.n_deals <= sizes[chunk.pairing]
        played[chunk.pairing][chunk.first_deal : chunk.first_deal + chunk.n_deals] += 1
        assert chunk.first_deal + chunk.n_deals <= deals
    assert all((times == 1).all() for times in played.values())


def test_pairings_take_turns_block_by_block() -> None:
    assert list(schedule(5, {0: 4, 2: 2})) == [
        Chunk(0, 0, 0, 4),
        Chunk(1, 2, 0, 2),
        Chunk(2, 2, 2, 2),
        Chunk(3, 0, 4, 1),
        Chunk(4, 2, 4, 1),
    ]


def test_a_schedule_without_end_begins_at_once() -> None:
    chunks = list(itertools.islice(schedule(10**12, {0: MOST_DEALS, 1: 64}), 1026))
    assert chunks[-1] == Chunk(1025, 0, MOST_DEALS, MOST_DEALS)


@pytest.mark.parametrize("done", [{}, {0: 100}, {0: 10, 3: 100}, {0: 33, 3: 21, 1: 0}])
def test_only_what_is_missing_is_played_each_pairing_in_order(done: dict[int, int]) -> None:
    """After any interruption what a pairing has played is again its deals from 0 on."""
    sizes = {0: 8, 3: 5, 1: 30}
    played = {pairing: done.get(pairing, 0) for pairing in sizes}
    for number, chunk in enumerate(schedule(100, sizes, done, first_number=7), start=7):
        assert chunk.number == number
        assert chunk.first_deal == played[chunk.pairing]
        assert chunk.n_deals <= sizes[chunk.pairing]
        played[chunk.pairing] += chunk.n_deals
    assert set(played.values()) == {100}


def test_sizes_may_change_while_the_schedule_goes_on() -> None:
    sizes = {0: 2, 1: 2}
    chunks = schedule(50, sizes)
    assert [next(chunks).n_deals for _ in range(4)] == [2, 2, 2, 2]
    sizes |= {0: 20, 1: 10}
    assert [(chunk.pairing, chunk.n_deals) for chunk in chunks] == [
        *[(0, 20), (1, 10), (1, 10)] * 2,
        *[(0, 6), (1, 6)],
    ]


@pytest.mark.parametrize(("seconds_a_deal", "size"), [(1e-6, 62_500), (1e-4, 5_000), (0.01, 50), (1.0, 1), (60.0, 1)])
def test_a_chunk_is_half_a_second_of_play_and_a_short_run_is_shared_out(seconds_a_deal: float, size: int) -> None:
    pace = Pace([0, 1], 1_000_000)
    for _ in range(10):
        pace.heard(0, pace.sizes[0], pace.sizes[0] * seconds_a_deal)
    assert pace.sizes == {0: size, 1: 4}


def test_the_first_chunks_grow_step_by_step_and_old_news_changes_nothing() -> None:
    pace = Pace([0], 1_000_000)
    sizes = [pace.sizes[0]]
    for _ in range(3):
        pace.heard(0, pace.sizes[0], 1e-9)
        sizes.append(pace.sizes[0])
    pace.heard(0, 4, 1e-9)
    assert [*sizes, pace.sizes[0]] == [4, 32, 256, 2048, 2048]


@pytest.mark.parametrize(("deals", "most"), [(1, 1), (16, 1), (1000, 63), (10**9, MOST_DEALS)])
def test_a_short_run_is_still_shared_out(deals: int, most: int) -> None:
    pace = Pace([0], deals)
    for _ in range(10):
        pace.heard(0, pace.sizes[0], 0.0)
    assert pace.sizes[0] == most
