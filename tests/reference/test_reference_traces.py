"""The reference plays the hands of four other engines move by move, and counts what they counted."""

import pytest

from tests.helpers.reference import ReferenceHand
from tests.helpers.traces import PERFT_RULES, REPLAYS, load_perft, load_trace, perft


@pytest.mark.parametrize("name", REPLAYS)
def test_every_hand_of_a_trace_is_replayed(name: str) -> None:
    records = load_trace(name)
    assert len(records) == 100
    for record in records:
        REPLAYS[name](ReferenceHand.from_cards, record)


@pytest.mark.parametrize("column", PERFT_RULES)
@pytest.mark.parametrize("deal", range(3))
def test_move_sequences_are_counted_alike(column: str, deal: int) -> None:
    record = load_perft()[deal]
    assert perft(ReferenceHand.from_cards, PERFT_RULES[column], record, 5) == record[column]
