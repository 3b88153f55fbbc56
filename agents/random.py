"""`random`: any legal action, and 66 when it is there. The floor that every other agent is measured from."""

from dataclasses import dataclass
from typing import Any, ClassVar

from harness.agent_api.compiled import Compiled, policy
from harness.core.playout import random_action
from harness.core.records import RulesRecord, View


@policy
def choose_random(view: View, rules: RulesRecord, params: Any, rng: Any, scratch: Any) -> int:
    """Draw uniformly from the legal actions; declare exactly at 66."""
    return random_action(view.legal, view.points[0], rng)


@dataclass(frozen=True)
class Random(Compiled):
    """Plays any legal action, each as likely as the others, and declares 66 exactly when it has it."""

    policy: ClassVar[Any] = staticmethod(choose_random)
