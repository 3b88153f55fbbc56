"""What an agent writes into its view and its rules changes nothing: legality is the harness's own, always."""

import re

import numpy as np
import pytest

from harness.game.presets import load_rules
from harness.play.pairing import PairingPlayer
from harness.play.table import Table
from tests.helpers.bots import First, Recorder, RulesReader, Scribbler, loaded

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
    faults = player.play(0, 200).faults
    assert faults
    assert all(re.fullmatch(r"chose PLAY .., which is not legal there", fault.what) for fault in faults)


def test_no_agent_reads_what_the_other_has_written_into_the_rules() -> None:
    """Both loops, both halves: each side has its own copy, whatever seat it sits on."""
    scribbled = PairingPlayer(load_rules("sixtysix"), loaded(Scribbler()), loaded(RulesReader()), 7, 0).play(0, 20)
    table = Table(load_rules("sixtysix"), (loaded(Scribbler()), loaded(RulesReader())), 7)
    assert [table.play(deal, half) for deal in range(20) for half in (0, 1)] == [None] * 40
    assert len(scribbled.codes) == 20
