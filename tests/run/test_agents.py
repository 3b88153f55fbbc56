"""The agents of a run: a wrong one is told of at once, and the first compilation before it begins."""

import subprocess
import sys

import pytest

from harness.errors import FaultsError
from harness.run.agents import load_agents
from tests.helpers.command import clean_environment

BEFORE_THE_LINE = ("agents", "config", "folder", "manner")


def test_nothing_is_compiled_before_the_user_is_told() -> None:
    imports = "; ".join(f"import harness.run.{module}" for module in BEFORE_THE_LINE)
    code = f"{imports}; import harness.game.transcript, sys; print('harness.play.loop' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=clean_environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"


def test_a_misspelt_agent_does_not_wait_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.run.agents.warm_up", lambda tell: pytest.fail("compiled first"))
    with pytest.raises(FaultsError) as caught:
        load_agents(["nrmal", "easy", "rndom"], tell=lambda text: None)
    assert ['"nrmal"' in caught.value.faults[0], '"rndom"' in caught.value.faults[1]] == [True, True]
