"""How fast an agent plays, for the record: no check fails by it."""

import time
from typing import Final

from harness.agent_api.registry import LoadedAgent, load_agent
from harness.game.rules import Rules
from harness.play.conformance.hands import SEED
from harness.play.conformance.subject import OPPONENT, Stage
from harness.play.conformance.verdict import CheckSkippedError
from harness.play.pairing import PairingPlayer

_SECONDS: Final = 0.2


def speed(stage: Stage) -> str:
    """Tell how many hands a second it plays on one core, against itself and against random."""
    if not stage.is_sound:
        raise CheckSkippedError("hands with faults are not timed (see legal)")
    subject, rules = stage.subject, stage.rules
    with subject.fresh() as agent, subject.fresh() as twin:
        itself = _rate(agent, twin, rules)
        other = _rate(agent, load_agent(OPPONENT), rules)
    return f"{itself:,.0f} hands/s against itself, {other:,.0f} against {OPPONENT}"


def _rate(one: LoadedAgent, other: LoadedAgent, rules: Rules) -> float:
    """Measure the hands a second of two agents, in ever larger blocks until one takes long enough."""
    player = PairingPlayer(rules, one, other, SEED, 0)
    player.play(0, 1)  # the first deal may take a start
    n_deals = 1
    while True:
        start = time.perf_counter()
        player.play(0, n_deals)
        taken = time.perf_counter() - start
        if taken >= _SECONDS / 4:
            return 2 * n_deals / taken
        n_deals *= 4
