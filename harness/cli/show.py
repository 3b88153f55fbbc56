"""``sixtysix show``: one hand, card by card."""

from typing import Annotated

import typer

from harness.cli.options import First, Quiet, RuleChanges, RulesName, Second, Seed, examples, given, whole_number
from harness.cli.output import adviser, show
from harness.errors import AgentFaultError, UsageError

EXAMPLES = examples(
    "sixtysix show normal easy --seed 7 --deal 123",
    "sixtysix show normal easy --seed 7 --deal 123 --half 1 --rules schnapsen",
)


def show_hand(
    first: First,
    second: Second,
    deal: Annotated[
        int, typer.Option("--deal", metavar="N", parser=whole_number, help="Number of the deal, from 0.")
    ] = 0,
    half: Annotated[
        int,
        typer.Option(
            "--half", metavar="0|1", parser=whole_number, help="0: the first agent leads; 1: the second one does."
        ),
    ] = 0,
    rules: RulesName = None,
    rule: RuleChanges = None,
    seed: Seed = None,
    quiet: Quiet = False,
) -> None:
    """Play one hand of a run again and print it card by card."""
    from harness.game.hand import Hand
    from harness.game.transcript import write_transcript
    from harness.run.agents import load_agents
    from harness.run.clean_stdout import clean_stdout
    from harness.run.config import build_config

    if half not in (0, 1):
        raise UsageError(f"half = {half}: must be 0 or 1")
    if deal < 0:
        raise UsageError(f"deal = {deal}: must be a whole number from 0")
    config = build_config(given(agents=[first, second], rules=rules, seed=seed), rule or ())
    one, other = load_agents(config.agents, adviser(quiet))

    from harness.play.table import Table

    with clean_stdout():
        table = Table(config.rules, (one, other), config.seed)
        fault = table.play(deal, half)
    hand = Hand.of_deal(config.rules, config.seed, deal)
    for action in table.actions():
        hand.do(action)
    names = config.agent_names[::-1] if half else config.agent_names
    show(write_transcript(hand, (names[0], names[1])))
    if fault is not None:
        raise AgentFaultError(fault.sentence(one.name, other.name, config.seed, config.rules))
