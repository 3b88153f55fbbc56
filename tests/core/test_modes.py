"""The same hands compiled, uncompiled and with checked bounds: three modes, one digest."""

import pytest

from tests.helpers.digests import N_HANDS, digest_lines
from tests.helpers.modes import MODES, lines_elsewhere


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: next(iter(mode)))
def test_one_digest_in_every_mode(mode: dict[str, str]) -> None:
    assert N_HANDS > 200
    assert lines_elsewhere("tests.helpers.digests", mode) == list(digest_lines())
