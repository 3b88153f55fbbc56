"""What is to be played: one frozen value, from which alone the result of a run follows."""

import hashlib
import itertools
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness.agent_api.limits import Limits
from harness.agent_api.spec import beside, parse_spec
from harness.errors import FaultsError, UsageError, did_you_mean
from harness.game.presets import DEFAULT_PRESET, preset_names, rules_of_settings, rules_text
from harness.game.rules import Rules, toml_text
from harness.paths import is_file, shown, why
from harness.run.stop import StopRule, parse_stop, stop_content

Format: TypeAlias = Literal["round-robin", "gauntlet", "ladder"]
Record: TypeAlias = Literal["none", "hands", "actions"]
Play: TypeAlias = Literal["hands", "matches"]

MAX_DEALS = 10**12
MAX_SEED = 2**63 - 1
DEFAULTS: dict[str, object] = {
    "name": "",
    "rules": DEFAULT_PRESET,
    "rule": {},
    "format": "round-robin",
    "deals": 10_000,
    "seed": 1,
    "anchor": None,
    "limits": {},
    "record": "none",
    "stop": None,
    "play": "hands",
}
"""What a run takes for whatever nobody has said."""
KEYS = ("agents", *DEFAULTS)
_ALLOWED = {
    "agents": "a list of two agents or more",
    "name": "a text",
    "format": '"round-robin", "gauntlet" or "ladder"',
    "deals": f"a whole number from 1 to {MAX_DEALS:,}",
    "seed": f"a whole number from 0 to {MAX_SEED}",
    "anchor": "the name of one of the agents",
    "record": '"none", "hands" or "actions"',
    "play": '"hands" or "matches"',
}
_LIMITS: dict[str, float] = {name: float(value) for name, value in asdict(Limits()).items()}
_MOST_SECONDS = 86_400
_LEAST_MEMORY, _MOST_MEMORY = 256, 1 << 20
_LEAST_SECONDS = 0.001


class Pairing(BaseModel):
    """Two agents that meet: places in the list of agents, the first is side 0 and leads the first half."""

    model_config = ConfigDict(frozen=True)

    number: int
    first: int
    second: int


class RunConfig(BaseModel):
    """A run, checked; made by `build_config`.

    Attributes
    ----------
    name
        Name of the run, empty for one that is named after its agents.
    agents
        Canonical texts of the agents; the same one may stand there twice.
    rules
        The rules in whole.
    format
        Everyone against everyone, the first agent against each of the others, or each agent against the next.
    deals
        Deals of each pairing; each is played twice, so a pairing plays twice as many hands.
    seed
        Seed of the packs and of the agents' luck.
    anchor
        The agent, by its name in `agent_names`, whose rating is fixed; None for the middle of the field.
    limits
        What each agent may take of time and memory.
    record
        What is kept of each hand besides its game points; it changes nothing in the result.
    stop
        When the run of two agents ends before its last deal; None for never.
    play
        Whether single hands are played, or whole matches to the target of the rules. A deal of matches is a pair of
        them on the same packs: each side leads the first hand of one.

    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    name: str
    agents: Annotated[tuple[str, ...], Field(min_length=2)]
    rules: Rules
    format: Format
    deals: Annotated[int, Field(ge=1, le=MAX_DEALS)]
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]
    anchor: str | None
    limits: Limits
    record: Record
    stop: StopRule | None = None
    play: Play = "hands"

    @property
    def agent_names(self) -> tuple[str, ...]:
        """Names of the agents in tables, all different: the second ``normal`` is ``normal#2``."""
        return distinct_names(self.agents)

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who meets whom. Agents i < j are pairing j (j - 1) / 2 + i, whoever else takes part."""
        opponents: dict[str, Callable[[int], range]] = {
            "round-robin": lambda j: range(j),
            "gauntlet": lambda j: range(1),
            "ladder": lambda j: range(j - 1, j),
        }
        return tuple(
            Pairing(number=j * (j - 1) // 2 + i, first=i, second=j)
            for j in range(1, len(self.agents))
            for i in opponents[self.format](j)
        )

    @property
    def title(self) -> str:
        """What the run is called: its name, or its agents."""
        return self.name or " vs ".join(self.agents)

    def content(self) -> dict[str, Any]:
        """Return all that the result depends on, with the rules in whole, as plain values for JSON."""
        return {
            "agents": list(self.agents),
            "rules": self.rules.flat(),
            "format": self.format,
            "deals": self.deals,
            "seed": self.seed,
            "anchor": self.anchor,
            "limits": asdict(self.limits),
            "stop": stop_content(self.stop),
            "play": self.play,
        }

    @property
    def plays_matches(self) -> bool:
        """Whether whole matches are played."""
        return self.play == "matches"

    @property
    def rules_text(self) -> str:
        """The rules as the nearest preset and what differs from it."""
        return rules_text(self.rules)

    def digest(self) -> str:
        """SHA-256 of the content as JSON with sorted keys, in hexadecimal; a run's name does not change it."""
        text = json.dumps(self.content(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def distinct_names(agents: tuple[str, ...]) -> tuple[str, ...]:
    """Number the agents that stand in a list for the second and third time, beside any whose text has a number."""
    names: list[str] = []
    for agent in agents:
        numbered = (f"{agent}#{number}" for number in itertools.count(2))
        names.append(agent if agent not in names else next(n for n in numbered if n not in {*names, *agents}))
    return tuple(names)


def read_config_file(path: Path) -> dict[str, Any]:
    """Read the settings of a run from a TOML file; files that it names are looked for beside it first.

    Raises
    ------
    UsageError
        The file cannot be read or is not TOML.
    FaultsError
        It has keys that no run has.

    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"the config file {path} cannot be read: {why(error)}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"the config file {path} is not text in UTF-8: {error.reason}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"the config file {path} is not TOML: {error}") from error
    faults = [
        f'there is no setting "{key}"; the settings are {", ".join(KEYS)}{did_you_mean(key, KEYS)}'
        for key in content
        if key not in KEYS
    ]
    if faults:
        raise FaultsError(f"the config file {path} cannot be used:", faults)
    return {"name": shown(path.stem), **content, **_beside(path.parent, content)}


def _beside(folder: Path, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the rules, agents and anchor of a config file with the paths of those files that stand beside it."""

    def agent(text: Any) -> Any:
        return beside(text, folder) if isinstance(text, str) else text

    found: dict[str, Any] = {}
    if isinstance(agents := content.get("agents"), list):
        found["agents"] = [agent(text) for text in agents]
    if "anchor" in content:
        found["anchor"] = agent(content["anchor"])
    rules = content.get("rules")
    if isinstance(rules, str) and rules not in preset_names() and is_file(folder / rules):
        found["rules"] = str(folder / rules)
    return found


def build_config(settings: Mapping[str, object], rule_texts: Sequence[str] = ()) -> RunConfig:
    """Check the settings of a run, `DEFAULTS` where there is none.

    Parameters
    ----------
    settings
        By the names in `KEYS`. ``rules`` is the name of a preset or the path of a file, ``rule`` a table of single
        fields that differ from it, nested or with dotted names.
    rule_texts
        More of these, as ``field=value``; they come after those of the table.

    Raises
    ------
    FaultsError
        Everything that is wrong with them.

    """
    values: dict[str, Any] = {**DEFAULTS, **settings}
    faults: list[str] = []
    agents = _agents(values.get("agents"), faults)
    rules, wrong = rules_of_settings(values["rules"], values.pop("rule"), rule_texts)
    faults += wrong
    anchor = _anchor(values["anchor"], agents, faults)
    limits = _limits(values["limits"], faults)
    stop = _stop(values["stop"], values["deals"], agents, faults)
    _check_matches(values, faults)
    checked = {"agents": agents or ("?", "?"), "rules": rules, "anchor": anchor, "limits": limits, "stop": stop}
    config = None
    try:
        config = RunConfig.model_validate({**values, **checked})
    except ValidationError as error:
        for detail in error.errors():
            key = str(detail["loc"][0])
            faults.append(f"{key} = {toml_text(values[key])}: must be {_ALLOWED[key]}{_hint(key, values[key])}")
    if config is None or faults:
        raise FaultsError("this run cannot be played:" if len(set(faults)) > 1 else "", list(dict.fromkeys(faults)))
    return config


def _check_matches(values: Mapping[str, Any], faults: list[str]) -> None:
    """Refuse what goes with single hands only."""
    if values["play"] != "matches":
        return
    if values["record"] in ("hands", "actions"):
        faults.append(
            f"record = {toml_text(values['record'])}: single hands of matches are not kept; leave it out, "
            "or play hands instead of matches"
        )
    if values["stop"] is not None:
        faults.append("stop: a run of matches plays all its deals; leave it out, or play hands instead of matches")


def _agents(listed: object, faults: list[str]) -> tuple[str, ...]:
    """Return the canonical texts of the agents; none if something is wrong with the list."""
    if not isinstance(listed, list | tuple) or not all(isinstance(text, str) for text in listed) or len(listed) < 2:
        given = "nothing" if listed is None else toml_text(listed)
        faults.append(f"agents = {given}: must be {_ALLOWED['agents']}")
        return ()
    texts = []
    for text in listed:
        try:
            texts.append(parse_spec(text).text)
        except UsageError as error:
            faults.append(str(error))
    return tuple(texts) if len(texts) == len(listed) else ()


def _anchor(anchor: object, agents: tuple[str, ...], faults: list[str]) -> object:
    """Return the anchor as its name in the tables; something that is not text is left for the model to refuse."""
    if not isinstance(anchor, str) or not agents:
        return anchor
    names = distinct_names(agents)
    with suppress(UsageError):
        anchor = parse_spec(anchor).text
    if anchor not in names:
        hint = did_you_mean(anchor, names)
        faults.append(f'anchor = "{anchor}": must be one of the agents, {", ".join(names)}{hint}')
    return anchor


def _limits(table: object, faults: list[str]) -> Limits:
    """Return the limits with what a table changes; the default ones where something is wrong."""
    if not isinstance(table, dict):
        faults.append(f"limits = {toml_text(table)}: must be a table of limits")
        table = {}
    values = dict(_LIMITS)
    for name, value in table.items():
        low, high = (_LEAST_MEMORY, _MOST_MEMORY) if name == "memory_mb" else (_LEAST_SECONDS, _MOST_SECONDS)
        if name not in _LIMITS:
            faults.append(
                f'there is no limit "{name}"; the limits are {", ".join(_LIMITS)}{did_you_mean(name, _LIMITS)}'
            )
        elif not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            faults.append(f"limits.{name} = {toml_text(value)}: must be a number from {low:g} to {high:,}")
        else:
            values[name] = float(value)
    return Limits(**values)


def _stop(table: object, deals: object, agents: tuple[str, ...], faults: list[str]) -> StopRule | None:
    """Return the rule that ends a run; None if something is wrong with it."""
    if table is not None and len(agents) > 2:
        faults.append("stop is for two agents: a run of more ends with its last deal")
        return None
    try:
        return parse_stop(table, deals if isinstance(deals, int) and deals > 0 else MAX_DEALS)
    except FaultsError as error:
        faults.extend(error.faults)
        return None


def stored_config(name: str, content: Mapping[str, Any], record: str) -> RunConfig:
    """Return the config whose `RunConfig.content` a run has stored.

    Raises
    ------
    FaultsError
        Another version has written it, and this one cannot play it.

    """
    settings = {**content, "record": record, "rules": DEFAULT_PRESET, "rule": content["rules"]}
    config = build_config(settings)
    return config if name == config.title else config.model_copy(update={"name": name})


def _hint(key: str, value: object) -> str:
    return did_you_mean(str(value), get_args(Format)) if key == "format" else ""
