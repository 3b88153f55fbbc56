"""The bots of the PyPI package ``schnapsen`` at our table; played where SCHNAPSEN_VU_PYTHON is a Python that has it.

The adapter itself compares the package's engine with ours at every decision, the legal moves among it, and ends at the
first difference, which is a fault here.
"""

import os
import shlex
from pathlib import Path

import pytest

from harness.agent_api.registry import load_agent
from harness.game.presets import load_rules
from harness.play.table import Table

ADAPTER = Path(__file__).parents[2] / "configs/examples/schnapsen_vu.py"
VU_PYTHON = os.environ.get("SCHNAPSEN_VU_PYTHON", "")


@pytest.mark.skipif(not VU_PYTHON, reason="SCHNAPSEN_VU_PYTHON does not name a Python that has the package schnapsen")
@pytest.mark.parametrize(("bot", "n_deals"), [("rand", 30), ("bully", 30), ("rdeep --samples 2 --depth 2", 10)])
@pytest.mark.parametrize("other", ["random", "normal"])
def test_their_engine_sees_what_ours_sees(bot: str, n_deals: int, other: str) -> None:
    agent = load_agent(f"cmd:{shlex.join([VU_PYTHON, str(ADAPTER)])} {bot}")
    table = Table(load_rules("schnapsen-vu"), (agent, load_agent(other)), 7)
    try:
        faults = [table.play(deal, half) for deal in range(n_deals) for half in (0, 1)]
    finally:
        agent.agent.close()
    assert set(faults) == {None}


@pytest.mark.skipif(not VU_PYTHON, reason="SCHNAPSEN_VU_PYTHON does not name a Python that has the package schnapsen")
def test_it_refuses_other_rules() -> None:
    agent = load_agent(f"cmd:{shlex.join([VU_PYTHON, str(ADAPTER)])} rand")
    fault = Table(load_rules("schnapsen"), (agent, load_agent("random")), 7).play(0, 0)
    assert fault is not None
    assert fault.kind == "start"
    assert "play under the preset schnapsen-vu; the package's rules are" in fault.story
