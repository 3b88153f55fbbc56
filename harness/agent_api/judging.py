"""What an agent thinks of each action: its judgement, where it can tell one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from harness.agent_api.build import reason
from harness.agent_api.contract import CRASHES, is_compiled
from harness.agent_api.registry import LoadedAgent, find_class, installed_names
from harness.core.cards import N_ACTION_CODES
from harness.core.rng import agent_stream
from harness.errors import AgentFaultError, UsageError


@dataclass(frozen=True)
class Judgement:
    """What an agent thinks, and what it does.

    Attributes
    ----------
    values, errors
        By action, shape (40,): game points that it expects, and the standard error; nan where it has not judged.
    choice
        The action that it chooses.

    """

    values: npt.NDArray[np.float64]
    errors: npt.NDArray[np.float64]
    choice: int


def can_judge(agent: Any) -> bool:
    """Say whether an agent, or its class, tells what it thinks of each action: only compiled ones can."""
    return is_compiled(agent) and getattr(agent, "judgement", None) is not None


def check_judges(agent: LoadedAgent) -> None:
    """Refuse an agent that does not tell what it thinks, and name the installed ones that do."""
    if can_judge(agent.agent):
        return
    others = [name for name in installed_names() if can_judge(find_class(name))]
    raise UsageError(
        f"{agent.name} does not tell what it thinks of each action: it has no judgement "
        f"(harness.agent_api.compiled); of the installed agents {' and '.join(others) or 'none'} "
        f"{'do' if len(others) > 1 else 'does'}"
    )


def judge(agent: LoadedAgent, view: Any, rules: Any, seed: int) -> Judgement:
    """Ask an agent for its judgement of a view, and then for its choice, with the same luck.

    Parameters
    ----------
    agent
        An agent with a judgement.
    view, rules
        Records of `harness.core.records`, View and RulesRecord.
    seed
        Seed of its luck.

    Raises
    ------
    AgentFaultError
        It has crashed, judged an action as infinite, or its choice is not legal.

    """
    values, errors = np.full((2, N_ACTION_CODES), np.nan)
    one = agent.agent
    params, scratch = np.array(one.params(), np.float64), np.zeros(one.n_scratch, np.uint64)
    stream = agent_stream(seed, 0, int(view.seat), 0)
    try:
        # Each gets a view of its own, as they may write into it.
        one.judgement(view.copy(), rules, params, np.array([stream], np.uint64), scratch, values, errors)
        choice = int(one.policy(view.copy(), rules, params, np.array([stream], np.uint64), scratch))
    except CRASHES as error:
        raise AgentFaultError(f"{agent.name} crashed: {reason(error)}") from error
    if np.isinf(values).any() or np.isinf(errors).any():
        raise AgentFaultError(f"{agent.name} judged an action as infinite: must be a number, or nan for none")
    if not 0 <= choice < N_ACTION_CODES or not int(view.legal) >> choice & 1:
        raise AgentFaultError(f"{agent.name} chose action {choice}, which is not legal in this position")
    return Judgement(values, errors, choice)
