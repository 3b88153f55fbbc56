"""What an agent tells of each action: asked in the same way whoever wrote it, and refused where it makes no sense."""

from pathlib import Path

import numpy as np
import pytest

from harness.agent_api.judging import Judgement, check_judges, judge
from harness.agent_api.registry import load_agent
from harness.core.bits import members
from harness.errors import AgentFaultError, UsageError
from harness.game.hand import Hand
from harness.game.presets import load_rules

BOT = '''"""A bot with a judgement."""
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from harness.agent_api.compiled import Compiled, judgement, policy
from harness.core.bits import lowest


@judgement
def think(view, rules, params, rng, scratch, means, errors):
    {body}


@policy
def first(view, rules, params, rng, scratch):
    return lowest(view.legal)


@dataclass(frozen=True)
class Bot(Compiled):
    """Takes the first action."""

    policy: ClassVar[Any] = staticmethod(first)
    judgement: ClassVar[Any] = staticmethod(think)
'''
PYTHON_BOT = '''"""A bot in plain Python."""


class Bot:
    """Takes the first action."""

    def judgement(self, view):
        return 0

    def choose(self, view):
        return view.legal[0]
'''


def opening() -> Hand:
    return Hand.of_deal(load_rules("sixtysix"), 1, 0)


def judged(folder: Path, body: str) -> Judgement:
    """What a bot thinks of the first lead of a hand, its judgement having such a body."""
    (folder / "bot.py").write_text(BOT.format(body=body))
    hand = opening()
    return judge(load_agent(f"{folder / 'bot.py'}:Bot"), hand.view(0), hand.rules.record()[0], 1)


def test_a_plug_in_may_judge_some_actions_and_leave_others_out(tmp_path: Path) -> None:
    thought = judged(tmp_path, "means[lowest(view.legal)], errors[lowest(view.legal)] = 1.5, 0.25")
    first = min(members(int(opening().view(0).legal)))
    assert (thought.choice, thought.values[first], thought.errors[first]) == (first, 1.5, 0.25)
    assert np.isnan(thought.values).sum() == 39


def test_what_a_judgement_writes_into_its_view_does_not_reach_the_policy(tmp_path: Path) -> None:
    assert judged(tmp_path, "view.legal = 1 << 39").choice in members(int(opening().view(0).legal))


def test_an_infinite_value_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(AgentFaultError, match="judged an action as infinite"):
        judged(tmp_path, "means[:] = np.inf")


def test_a_judgement_that_crashes_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(AgentFaultError, match="crashed: ValueError: no idea"):
        judged(tmp_path, 'raise ValueError("no idea")')


def test_a_bot_in_plain_python_does_not_judge(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(PYTHON_BOT)
    with pytest.raises(UsageError, match="does not tell what it thinks of each action"):
        check_judges(load_agent(f"{tmp_path / 'bot.py'}:Bot"))
