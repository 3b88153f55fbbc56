import itertools

import numpy as np
import pytest

from harness.run.schedule import COMPILED_CHUNK, PYTHON_CHUNK, Chunk, chunk_size, schedule


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
    chunks = list(itertools.islice(schedule(10**12, {0: COMPILED_CHUNK, 1: PYTHON_CHUNK}), 1026))
    assert chunks[-1] == Chunk(1025, 0, COMPILED_CHUNK, COMPILED_CHUNK)


@pytest.mark.parametrize(
    ("is_compiled", "deals", "size"),
    [(True, 1_000_000, 62_500), (False, 1_000_000, 64), (True, 1000, 63), (False, 1000, 63), (True, 1, 1)],
)
def test_chunks_are_small_enough_to_share_out_a_short_run(is_compiled: bool, deals: int, size: int) -> None:
    assert chunk_size(is_compiled, deals) == size
