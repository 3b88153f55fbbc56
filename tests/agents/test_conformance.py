"""Every installed bot passes every check, under every preset."""

import pytest

from harness.agent_api.registry import installed_names
from harness.game.presets import load_rules, preset_names
from harness.play.conformance.subject import Stage, Subject
from harness.play.conformance.suite import HAND_CHECKS, check_agent, check_play
from harness.play.conformance.verdict import Verdict


def failures(verdicts: list[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if verdict.is_failure]


@pytest.mark.parametrize("preset", preset_names())
@pytest.mark.parametrize("agent", installed_names())
def test_every_bot_plays_by_the_contract(agent: str, preset: str) -> None:
    subject, rules = Subject(agent), load_rules(preset)
    verdicts = check_play(Stage(subject, rules, subject.hands_that_fit(rules)))
    assert len(verdicts) == len(HAND_CHECKS)
    assert failures(verdicts) == []


@pytest.mark.parametrize("agent", installed_names())
def test_every_bot_is_built_by_the_contract(agent: str) -> None:
    assert failures(list(check_agent(agent, [load_rules("sixtysix")], 4).verdicts)) == []
