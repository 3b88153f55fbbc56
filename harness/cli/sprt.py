"""``sixtysix sprt``: a sequential test of two agents."""

from typing import Annotated

import typer

from harness.cli.options import (
    AsJson,
    First,
    HandLimit,
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
    limits_given,
    number,
    whole_number,
)
from harness.errors import UsageError

EXAMPLES = examples(
    "sixtysix sprt normal easy",
    "sixtysix sprt normal easy --elo0 0 --elo1 10",
    "sixtysix sprt mine.py:New mine.py:Old --points0 0 --points1 0.01 --alpha 0.01 --beta 0.01",
    "sixtysix sprt normal easy --nelo0 -2 --nelo1 2 --deals 200000 --json",
)
_DEFAULT = ("points", 0.0, 0.02)
_NAMES = {"points": "game points a hand", "elo": "Elo", "nelo": "normalised Elo", "match": "match Elo among equals"}


def _bound(name: str) -> object:
    which = "accepted as no better" if name.endswith("0") else "accepted as better"
    return typer.Option(
        f"--{name}",
        metavar="X",
        parser=number,
        show_default=False,
        help=f"A lead of A that is {which}, in {_NAMES[name[:-1]]}.",
    )


def sprt(
    first: First,
    second: Second,
    points0: Annotated[float | None, _bound("points0")] = None,
    points1: Annotated[float | None, _bound("points1")] = None,
    elo0: Annotated[float | None, _bound("elo0")] = None,
    elo1: Annotated[float | None, _bound("elo1")] = None,
    nelo0: Annotated[float | None, _bound("nelo0")] = None,
    nelo1: Annotated[float | None, _bound("nelo1")] = None,
    match0: Annotated[float | None, _bound("match0")] = None,
    match1: Annotated[float | None, _bound("match1")] = None,
    alpha: Annotated[
        float, typer.Option(metavar="P", parser=number, help="Risk of a better A where there is none.")
    ] = 0.05,
    beta: Annotated[float, typer.Option(metavar="P", parser=number, help="Risk of missing a better A.")] = 0.05,
    block: Annotated[int, typer.Option(metavar="N", parser=whole_number, help="Deals between two looks.")] = 500,
    deals: Annotated[
        int, typer.Option(metavar="N", parser=whole_number, help="Deals after which it ends without a verdict.")
    ] = 1_000_000,
    rules: RulesName = None,
    rule: RuleChanges = None,
    seed: Seed = None,
    workers: Workers = None,
    out: Out = None,
    replace: Replace = False,
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
    """Play until it is clear whether A is better than B.

    A generalised sequential probability ratio test on the pairs of hands. Without bounds, a lead of 0.02 game points a
    hand is tested against none. Match Elo is what game points are worth in a match of equals. The estimate after the
    stop is corrected for it. A run that was stopped goes on with "sixtysix resume", and ends at the same deal.
    """
    from harness.cli.playing import Playing, play_new
    from harness.run.config import build_config

    scale, h0, h1 = _hypotheses(
        {"points": (points0, points1), "elo": (elo0, elo1), "nelo": (nelo0, nelo1), "match": (match0, match1)}
    )
    stop = {"kind": "sprt", "scale": scale, "h0": h0, "h1": h1, "alpha": alpha, "beta": beta, "block": block}
    limits = limits_given(move_limit, hand_limit, start_limit, memory_limit)
    settings = given(
        agents=[first, second], rules=rules, deals=deals, seed=seed, record=record, limits=limits, stop=stop
    )
    config = build_config(settings, rule or ())
    return play_new(config, Playing(workers, quiet, as_json, on_fault, plot, open_), out, replace)


def _hypotheses(bounds: dict[str, tuple[float | None, float | None]]) -> tuple[str, float, float]:
    """Return the one scale of which both bounds are given, with them; the default one where none is."""
    named = {scale: pair for scale, pair in bounds.items() if pair != (None, None)}
    if not named:
        return _DEFAULT
    if len(named) > 1:
        raise UsageError(f"bounds on several scales are given ({', '.join(named)}): give both of one")
    ((scale, (h0, h1)),) = named.items()
    if h0 is None or h1 is None:
        missing = f"--{scale}{0 if h0 is None else 1}"
        raise UsageError(f"{missing} is missing: a test needs both bounds, as in --{scale}0 0 --{scale}1 5")
    return scale, h0, h1
