"""``sixtysix pit``: two agents, paired deals."""

from harness.cli.options import (
    AsJson,
    Deals,
    First,
    Out,
    Quiet,
    Replace,
    RuleChanges,
    RulesName,
    Second,
    Seed,
    Workers,
    examples,
    given,
)

EXAMPLES = examples(
    "sixtysix pit normal easy",
    "sixtysix pit normal easy --rules schnapsen --deals 100000",
    "sixtysix pit easy:slip=0.1 easy:slip=0.3 --seed 7 --json",
    "sixtysix pit bots/mine.py:Mine normal --rule close.graded=closing",
)


def pit(
    first: First,
    second: Second,
    rules: RulesName = None,
    rule: RuleChanges = None,
    deals: Deals = None,
    seed: Seed = None,
    workers: Workers = None,
    out: Out = None,
    replace: Replace = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play two agents against each other.

    Every deal is played twice, with the seats swapped.
    """
    from harness.cli.playing import play_and_report
    from harness.run.config import build_config

    config = build_config(given(agents=[first, second], rules=rules, deals=deals, seed=seed), rule or ())
    play_and_report(config, workers=workers, out=out, replace=replace, quiet=quiet, as_json=as_json)
