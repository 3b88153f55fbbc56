"""``sixtysix bench``: how fast this machine plays."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.options import AsJson, Quiet, RuleChanges, RulesName, examples, whole_number
from harness.cli.output import adviser, show, table, wrapped
from harness.errors import UsageError
from harness.texts import shorten

if TYPE_CHECKING:
    from harness.run.bench import Rates

EXAMPLES = examples(
    "sixtysix bench",
    "sixtysix bench normal easy --rules schnapsen --json",
    "sixtysix bench random --workers 2",
)
_NAME_WIDTH = 20
BUILT_IN = ("random", "easy", "normal", "example")


def bench(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="AGENT", show_default=False, help="Agents to time.  [default: the built-in ones]"),
    ] = None,
    rules: RulesName = None,
    rule: RuleChanges = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            metavar="N",
            parser=whole_number,
            show_default=False,
            help="Also time N workers beside one, with the first agent.",
        ),
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Time agents on this machine.

    Each plays against itself on one core, beside a fixed reference loop.
    """
    from harness.run.agents import load_agents
    from harness.run.clean_stdout import clean_stdout
    from harness.run.config import build_config
    from harness.run.manner import MAX_WORKERS

    if workers is not None and not 2 <= workers <= MAX_WORKERS:
        raise UsageError(f"workers = {workers}: must be a whole number from 2 to {MAX_WORKERS} to time it beside one")
    names = agents or list(BUILT_IN)
    config = build_config({"agents": [*names, names[0]], **({"rules": rules} if rules else {})}, rule or ())
    loaded = load_agents([text for text in config.agents[:-1] for _ in range(2)], adviser(quiet))

    from harness.run.bench import measure_agent, measure_crew, measure_reference

    twins = list(zip(loaded[::2], loaded[1::2], strict=True))
    reference = measure_reference()
    with clean_stdout():
        by_agent = {one.name: measure_agent((one, other), config.rules) for one, other in twins}
    result: dict[str, Any] = {
        "rules": config.rules_text,
        "reference": {"unit": "SplitMix64 steps a second", **_numbers(reference)},
        "agents": {
            name: {
                "unit": "hands a second",
                **_numbers(rates),
                "hands_per_million_steps": 1e6 * rates.median / reference.median,
            }
            for name, rates in by_agent.items()
        },
    }
    if workers is not None:
        crews = measure_crew(twins[0], config.rules, (1, workers), by_agent[twins[0][0].name].median)
        result["workers"] = {
            "agent": twins[0][0].name,
            "rates": {str(n): {"unit": "hands a second", **_numbers(rates)} for n, rates in crews.items()},
            "ratio": crews[workers].median / crews[1].median,
        }
    show(json.dumps(result, indent=2) if as_json else _text(result))


def _numbers(rates: "Rates") -> dict[str, Any]:
    return {"median": rates.median, "slowest": rates.slowest, "fastest": rates.fastest, "n": len(rates.rates)}


def _text(result: dict[str, Any]) -> str:
    rows: list[tuple[str, ...]] = [("agent", "hands/s", "slowest to fastest", "hands per million reference steps")]
    for name, rates in result["agents"].items():
        rows.append((shorten(name, _NAME_WIDTH), *_columns(rates), f"{rates['hands_per_million_steps']:,.1f}"))
    reference = result["reference"]
    n_runs = next(iter(result["agents"].values()))["n"]
    parts = [
        wrapped(f"Each agent against itself on one core, rules {result['rules']}: median of {n_runs} runs"),
        table(rows),
        wrapped(
            f"reference: {reference['median'] / 1e6:,.0f} million SplitMix64 steps/s "
            f"({reference['slowest'] / 1e6:,.0f} to {reference['fastest'] / 1e6:,.0f}, {reference['n']} runs)"
        ),
    ]
    if crews := result.get("workers"):
        rows = [(f"workers: {n}", *_columns(rates)) for n, rates in crews["rates"].items()]
        heading = f"{crews['agent']} in worker processes, hands/s: median of {crews['rates']['1']['n']} runs"
        parts.append(f"{wrapped(heading)}\n{table(rows)}\nratio: {crews['ratio']:.2f}")
    return "\n\n".join(parts)


def _columns(rates: dict[str, Any]) -> tuple[str, str]:
    return f"{rates['median']:,.0f}", f"{rates['slowest']:,.0f} to {rates['fastest']:,.0f}"
