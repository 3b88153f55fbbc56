"""``sixtysix pit``: two agents, paired deals."""

from typing import Annotated

import typer

from harness.cli.options import (
    AsJson,
    Deals,
    First,
    HandLimit,
    MatchPlay,
    MemoryLimit,
    MoveLimit,
    OnFault,
    Open,
    Out,
    Plot,
    Quiet,
    Record,
    Replace,
    RuleChanges,
    RulesName,
    Second,
    Seed,
    StartLimit,
    Workers,
    examples,
    given,
    half_width,
    limits_given,
    play_of,
)

MOST_DEALS = 1_000_000
"""Deals after which a run that is to stop by itself ends anyway."""
EXAMPLES = examples(
    "sixtysix pit normal easy",
    "sixtysix pit normal easy --rules schnapsen --deals 100000",
    "sixtysix pit normal easy --until 0.02gp",
    "sixtysix pit normal easy --match-play --deals 2000",
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
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="WIDTH",
            show_default=False,
            help="Stop when the lead is known to ± this, as in 0.02gp or 5elo; --deals is the most then, 1,000,000.",
        ),
    ] = None,
    match_play: MatchPlay = False,
    record: Record = None,
    on_fault: OnFault = "forfeit",
    move_limit: MoveLimit = None,
    hand_limit: HandLimit = None,
    start_limit: StartLimit = None,
    memory_limit: MemoryLimit = None,
    plot: Plot = False,
    open_: Open = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> int:
    """Play two agents against each other.

    Every deal is played twice, with the seats swapped.
    """
    from harness.cli.playing import Playing, play_new
    from harness.run.config import build_config

    limits = limits_given(move_limit, hand_limit, start_limit, memory_limit)
    stop = None if until is None else _until(until)
    deals = MOST_DEALS if deals is None and stop else deals
    settings = given(
        agents=[first, second],
        rules=rules,
        deals=deals,
        seed=seed,
        record=record,
        limits=limits,
        stop=stop,
        play=play_of(match_play),
    )
    config = build_config(settings, rule or ())
    return play_new(config, Playing(workers, quiet, as_json, on_fault, plot, open_), out, replace)


def _until(text: str) -> dict[str, object]:
    scale, width = half_width("until", text)
    return {"kind": "until", "scale": scale, "half_width": width}
