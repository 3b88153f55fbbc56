"""Made-up comparisons of rule sets for the tests of their reports."""

from collections.abc import Sequence

import numpy as np

from harness.game.presets import preset
from harness.game.rules import Rules
from harness.report.compare_agents import agent_changes, agent_moments, counted
from harness.report.compare_analysis import CommonDeals, ComparedRules, RuleSetResults, analyse_comparison
from harness.stats.codes import CodeArray
from harness.stats.comparison import JointCounts
from tests.helpers.deals import counts_of, random_block, round_robin
from tests.helpers.runs import endings_of


def compare_blocks(
    names: Sequence[str],
    rules: Sequence[Rules],
    agents: Sequence[str],
    blocks: Sequence[CodeArray],
    texts: Sequence[str] | None = None,
    parts: int = 3,
) -> ComparedRules:
    """Compare rule sets whose deals are blocks of a round robin, added in several parts.

    Parameters
    ----------
    names, rules
        The rule sets, the base first.
    agents
        Names of the agents.
    blocks
        Of each rule set, the codes of all deals.
    texts
        What the agents are; their names where it is not said.
    parts
        In how many parts the deals are read.

    """
    pairings, texts = round_robin(len(agents)), list(texts or agents)
    used = counted(pairings, texts)
    columns = np.array_split(np.arange(blocks[0].shape[1]), parts)
    played, common = [], []
    for number, (name, rule, block) in enumerate(zip(names, rules, blocks, strict=True)):
        moments = agent_moments(len(agents), pairings, used)
        joint, changes = JointCounts(2, len(pairings)), agent_changes(len(agents), pairings, used)
        for part in columns:
            moments.add(block[:, part])
            joint.add([blocks[0][:, part], block[:, part]])
            changes.add(blocks[0][:, part], block[:, part])
        tallies = endings_of(block)
        played.append(RuleSetResults(name, rule, tuple(agents), tuple(pairings), counts_of(block), tallies, moments))
        if number:
            common.append(CommonDeals(joint, changes))
    return analyse_comparison(played, common, texts)


def made_up_comparison(strengths: dict[str, float], rule_sets: Sequence[str], n_deals: int = 300) -> ComparedRules:
    """Compare presets under which strengths count the more, the later they stand, on the same luck."""
    pairings = round_robin(len(strengths))
    blocks = [
        random_block(np.random.default_rng(5), [s * (1 + 0.2 * k) for s in strengths.values()], pairings, n_deals)
        for k in range(len(rule_sets))
    ]
    return compare_blocks(rule_sets, [preset(name).rules for name in rule_sets], list(strengths), blocks)
