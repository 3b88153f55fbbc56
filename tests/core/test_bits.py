"""Bits compiled, with the processor's own instructions, and in plain Python: the same numbers."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.core.bits import highest, lowest, members, nth_set_bit, popcount
from harness.core.kernel import kernel

MASKS = st.integers(1, (1 << 40) - 1)


@kernel
def compiled(mask: int, n: int) -> Any:
    return popcount(mask), lowest(mask), highest(mask), nth_set_bit(mask, n)


@given(MASKS, st.data())
def test_compiled_and_plain_agree(mask: int, data: st.DataObject) -> None:
    places = [place for place in range(40) if mask >> place & 1]
    n = data.draw(st.integers(0, len(places) - 1))
    expected = (len(places), places[0], places[-1], places[n])
    assert compiled(mask, n) == expected
    assert (popcount(mask), lowest(mask), highest(mask), nth_set_bit(mask, n)) == expected
    assert members(mask) == tuple(places)


@pytest.mark.parametrize(("function", "expected"), [(popcount, 0), (lowest, 64), (highest, -1)])
def test_the_empty_mask(function: Any, expected: int) -> None:
    assert function(0) == expected
