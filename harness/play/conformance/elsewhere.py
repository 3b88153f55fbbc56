"""An agent in a process of its own, started from nothing as workers are where there is no fork."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

from harness.agent_api.registry import load_agent
from harness.errors import UsageError
from harness.game.presets import rules_from_text, rules_text
from harness.play.conformance.hands import Case, play_hand, seat
from harness.play.conformance.subject import OPPONENT, Stage, close
from harness.play.conformance.verdict import CheckFailedError

_SECONDS: Final = 120.0
"""How long the process may take, with its start."""
_N_HANDS: Final = 4
_STDOUT, _STDERR = 1, 2
_PROGRAM: Final = "import sys; sys.path[:] = {path!r}; from harness.play.conformance.elsewhere import main; main()"


def new_process(stage: Stage) -> str:
    """It is built in a new process from its text, and plays there as it does here."""
    records = [record for record in stage.repeatable if record.case.names[1] == OPPONENT][:_N_HANDS]
    answers = _play_elsewhere([record.case for record in records])
    hint = "what it needs must come from its text: no globals set from outside, no order of sets or hashes of texts"
    if isinstance(answers, str):
        raise CheckFailedError(f"in a new process {answers}", hint)
    for record, actions in zip(records, answers, strict=True):
        ours = [action for _, action in record.actions]
        if ours != actions:
            n_same = next((i for i, pair in enumerate(zip(ours, actions, strict=False)) if pair[0] != pair[1]), 0)
            number = sum(decision.n_before < n_same for decision in record.decisions)
            place = record.place(min(number, len(record.decisions) - 1))
            raise CheckFailedError("in a new process it plays differently", hint, place)
    return f"{sum(len(record.decisions) for record in records)} decisions"


def _play_elsewhere(cases: Sequence[Case]) -> list[list[int]] | str:
    """Return all actions of some hands played in a new process, or what went wrong there."""
    request = {
        "names": cases[0].names,
        "rules": rules_text(cases[0].rules),
        "hands": [(case.deal, case.half) for case in cases],
    }
    words = [sys.executable, "-c", _PROGRAM.format(path=sys.path)]
    try:
        done = subprocess.run(
            words, input=json.dumps(request), stdout=subprocess.PIPE, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it was not done after {_SECONDS:g} s"
    if done.returncode or not done.stdout:
        return f"it ended the process (exit status {done.returncode})"
    answer: list[list[int]] | str = json.loads(done.stdout)
    return answer


def main() -> None:
    """Play the hands that stdin asks for, and write their actions to stdout: what the new process does."""
    results = os.fdopen(os.dup(_STDOUT), "w")
    os.dup2(_STDERR, _STDOUT)  # what an agent prints is no result
    sys.stdout = sys.stderr
    with results:
        json.dump(_played(json.load(sys.stdin)), results)


def _played(request: dict[str, Any]) -> list[list[int]] | str:
    names, rules = request["names"], rules_from_text(request["rules"])
    try:
        agents = [load_agent(name) for name in names]
    except UsageError as error:
        return f"it cannot be built: {error}"
    try:
        sides = seat(agents[0], rules, 0), seat(agents[1], rules, 1)
        records = [play_hand(Case(rules, (names[0], names[1]), deal, half), sides) for deal, half in request["hands"]]
    finally:
        for agent in agents:
            close(agent)
    return [[action for _, action in record.actions] for record in records]
