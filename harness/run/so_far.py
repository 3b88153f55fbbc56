"""What a run that has been begun already has, and what it is to become."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from harness.agent_api.spec import parse_spec
from harness.errors import FaultsError, RunBusyError
from harness.run.config import RunConfig, build_config, stored_config
from harness.run.sources import check_sources


@dataclass(frozen=True)
class SoFar:
    """What has been played of a run.

    Attributes
    ----------
    config
        What was to be played.
    done
        How many deals each pairing has played, from deal 0 on.
    next_chunk
        Number of the chunk that comes next.
    lost
        Hands of deals that have not been played which are known to be forfeited: pairing, deal, half, side.
    sources
        The digest of each agent's source.
    stopped
        Deals after which the run's own rule has ended it; None if it has not.

    """

    config: RunConfig
    done: dict[int, int]
    next_chunk: int
    lost: list[tuple[int, int, int, int]]
    sources: tuple[str, ...]
    stopped: int | None

    def lacks(self, config: RunConfig) -> bool:
        """Say whether there is anything to play for a config."""
        return self.stopped is None and any(
            self.done.get(pairing.number, 0) < config.deals for pairing in config.pairings
        )


def read_so_far(folder: Path) -> SoFar:
    """Read what has been played of the run in a folder.

    Raises
    ------
    UsageError
        The run was begun by other rules or sources, or cannot be played any more.
    RunFileError
        Its database cannot be read.

    """
    # Loaded here, so that a new run has forked its workers before there is a database.
    from harness.store.reader import open_run

    with open_run(folder) as run:
        check_sources(run.versions, folder)
        return SoFar(
            config=stored_config(run.name, run.config, run.record),
            done=dict(run.done),
            next_chunk=run.next_chunk,
            lost=list(run.lost),
            sources=run.sessions[-1].sources if run.sessions else tuple(agent.source for agent in run.agent_rows),
            stopped=run.stopped,
        )


def check_unchanged(folder: Path, so_far: SoFar) -> None:
    """Refuse to play if somebody else has played on in the meantime; RunBusyError says so."""
    if read_so_far(folder) != so_far:
        raise RunBusyError(f"another process has gone on with the run in {folder} just now: try again")


def grow_config(old: RunConfig, given: Mapping[str, object], rule_texts: Sequence[str] = ()) -> RunConfig:
    """Return the config of a run with more agents, more deals or another anchor.

    Parameters
    ----------
    old
        What the run is.
    given
        Settings as `harness.run.config.build_config` takes them; ``agents`` are added to those of the run, and all that
        is not given stays as it is.
    rule_texts
        As for `build_config`.

    Raises
    ------
    FaultsError
        Something is wrong with the settings, or the run would be another one.

    """
    kept: dict[str, object] = {**old.content(), "name": old.name, "record": old.record}
    del kept["rules"]
    agents = list(old.agents)
    for text in given.get("agents", ()):  # type: ignore[attr-defined]
        agent = parse_spec(text).text
        agents += [agent] if agent not in agents else []
    has_rules = bool({"rules", "rule"} & given.keys() or rule_texts)
    rules = {} if has_rules else {"rule": old.rules.flat()}
    changed = given.get("limits")
    limits = {"limits": {**asdict(old.limits), **changed}} if isinstance(changed, dict) else {}
    config = build_config({**kept, **given, **rules, **limits, "name": old.name, "agents": agents}, rule_texts)
    faults = [
        f"{name} cannot change: the run has {_told(old, name)}, given was {_told(config, name)}"
        for name in ("rules", "seed", "format", "limits", "record", "stop", "play")
        if getattr(old, name) != getattr(config, name)
    ]
    if old.stop is not None and (config.deals, config.agents) != (old.deals, old.agents):
        faults.append("the run ends by a rule of its own, and so cannot grow: play another one")
    if config.deals < old.deals:
        faults.append(f"deals = {config.deals:,}: the run has {old.deals:,}, and a run can only grow")
    if faults:
        raise FaultsError("the run cannot grow like this, play another one:", faults)
    return config


def _told(config: RunConfig, name: str) -> str:
    if name == "limits":
        return ", ".join(f"{key} {value:g}" for key, value in asdict(config.limits).items())
    return config.rules_text if name == "rules" else str(getattr(config, name))
