"""What an agent writes into its view and its rules changes nothing: legality is the harness's own, always."""

import numpy as np
import pytest

from harness.errors import AgentFaultError
from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer
from tests.helpers.bots import First, Recorder, Scribbler, loaded

OPPONENTS = [First(), Recorder()]


@pytest.mark.parametrize("opponent", OPPONENTS, ids=["compiled", "at a table"])
@pytest.mark.parametrize("preset", ["sixtysix", "schnapsen-sharp"])
def test_scribbling_changes_nothing(preset: str, opponent: object) -> None:
    honest, scribbling = (
        PairingPlayer(load_rules(preset), loaded(agent), loaded(opponent), 7, 0).play(0, 30)
        for agent in (First(), Scribbler())
    )
    assert honest.digest == scribbling.digest
    assert np.array_equal(honest.codes, scribbling.codes)


@pytest.mark.parametrize("opponent", OPPONENTS, ids=["compiled", "at a table"])
def test_a_card_that_may_not_be_played_stays_illegal(opponent: object) -> None:
    player = PairingPlayer(load_rules("sixtysix"), loaded(Scribbler(1)), loaded(opponent), 7, 0)
    with pytest.raises(AgentFaultError, match=r"chose PLAY .., which is not legal there"):
        player.play(0, 200)
