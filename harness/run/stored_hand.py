"""One hand or match of a run: as it was recorded, or played again, with the fault that ended it, if one did."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from harness.agent_api.faults import FaultKind
from harness.errors import FaultsError, UsageError, did_you_mean
from harness.play.codes import MOST_HANDS
from harness.run.config import RunConfig, stored_config
from harness.store.rows import FaultRow, PairingRow
from harness.texts import count, printable

if TYPE_CHECKING:
    from harness.play.match_table import TableHand
    from harness.store.reader import StoredRun

REPEATABLE: Final = frozenset({FaultKind.CRASH, FaultKind.NONSENSE, FaultKind.ILLEGAL})
"""Faults that are seen again when the hand is played again, and that do no harm then."""
_ACTION: Final = 63
"""The bits of an entry of a history that hold the action; the seat is above them."""
_MOST_LISTED: Final = 20


@dataclass(frozen=True)
class StoredHand:
    """What a run knows of one hand.

    Attributes
    ----------
    config
        The config of the run.
    pairing, deal, half
        Which hand.
    actions
        What was played, oldest first; None where that is not recorded, as for every forfeited hand.
    fault
        What an agent has done to forfeit it, if one has.
    sources, core
        Digests of the agents' source files, by side, and of the compiled sources that have played it.

    """

    config: RunConfig
    pairing: PairingRow
    deal: int
    half: int
    actions: tuple[int, ...] | None
    fault: FaultRow | None
    sources: tuple[str, str]
    core: str | None

    @property
    def is_playable(self) -> bool:
        """Whether playing it again would show it and end."""
        return self.fault is None or FaultKind(self.fault.kind) in REPEATABLE

    @property
    def agents(self) -> tuple[str, str]:
        """Texts of the pairing's agents, by side."""
        return self.config.agents[self.pairing.first_agent], self.config.agents[self.pairing.second_agent]

    @property
    def names(self) -> tuple[str, str]:
        """Names of the pairing's agents, by side."""
        return self.config.agent_names[self.pairing.first_agent], self.config.agent_names[self.pairing.second_agent]

    def recorded(self) -> "list[TableHand]":
        """Return the hand as it was recorded; the first one of a match, or a forfeited one, without its actions."""
        from harness.play.match_table import TableHand

        deal = self.deal * MOST_HANDS if self.config.plays_matches else self.deal
        return [TableHand(deal, self.half, actions=list(self.actions or ()))]

    def transcript(self, hands: "Sequence[TableHand]") -> str:
        """Write the hand, or those of a match, and, as commentary, the fault."""
        from harness.run.replay import hands_text

        told = "".join(f"# {line}\n".rstrip(" ") for line in self._told(hands[-1].leader))
        return hands_text(self.config, self.names, hands) + told

    def _told(self, leader: int) -> Iterator[str]:
        """Tell of the fault; side `leader` sat on seat 0."""
        if self.fault is None:
            return
        what = "the match" if self.config.plays_matches else "the hand, -3 game points"
        yield (
            f"seat {self.fault.side ^ leader} ({self.names[self.fault.side]}) forfeits {what}: "
            f"it {printable(self.fault.what)}"
        )
        yield from (f"  {printable(line)}" for line in self.fault.story.splitlines())


def read_hand(run: "StoredRun", names: Sequence[str], deal: int, half: int) -> StoredHand:
    """Read a hand of a run.

    Parameters
    ----------
    run
        The run.
    names
        Both agents of the pairing in any order; none where the run has one pairing.
    deal, half
        Which hand of the pairing; in half 0 its first agent, as the run has it, leads.

    Raises
    ------
    UsageError
        The run has no such pairing or deal, or has not played it yet.

    """
    pairing = _find_pairing(run, names)
    fault = run.fault_of(pairing.number, deal, half)
    if fault is None:
        _check_played(run, pairing, deal)
    history = run.hand_actions(pairing.number, deal, half) if fault is None else None
    return StoredHand(
        config=stored_config(run.name, run.config, run.record),
        pairing=pairing,
        deal=deal,
        half=half,
        actions=None if history is None else tuple(entry & _ACTION for entry in history),
        fault=fault,
        sources=(run.agent_rows[pairing.first_agent].source, run.agent_rows[pairing.second_agent].source),
        core=run.versions.get("sources"),
    )


def _find_pairing(run: "StoredRun", names: Sequence[str]) -> PairingRow:
    pairings = run.pairing_rows
    if not names:
        if len(pairings) == 1:
            return pairings[0]
        raise _choose(run, f"{run.folder} has {count(len(pairings), 'pairing')}: name the two agents of one after it")
    faults = [
        f'there is no agent "{name}" in {run.folder}; its agents are {", ".join(run.agents)}'
        f"{did_you_mean(name, run.agents)}"
        for name in names
        if name not in run.agents
    ]
    if faults:
        raise FaultsError("no such pairing:" if len(faults) > 1 else "", faults)
    for pairing in pairings:
        if {pairing.first_agent, pairing.second_agent} == {run.agents.index(name) for name in names}:
            return pairing
    raise _choose(run, f"{names[0]} and {names[1]} do not meet in {run.folder}")


def _choose(run: "StoredRun", problem: str) -> UsageError:
    pairings = run.pairing_rows[:_MOST_LISTED]
    lines = [f"  {run.agents[p.first_agent]} {run.agents[p.second_agent]}" for p in pairings]
    if more := len(run.pairing_rows) - len(lines):
        lines.append(f"  and {more} more")
    return UsageError("\n".join([f"{problem}; the pairings are", *lines]))


def _check_played(run: "StoredRun", pairing: PairingRow, deal: int) -> None:
    """Refuse a deal that the run does not have, or has not played."""
    n_deals, n_done = run.config["deals"], run.done.get(pairing.number, 0)
    if deal >= n_deals:
        raise UsageError(f"deal = {deal}: the deals of {run.folder} are 0 to {n_deals - 1}")
    if deal >= n_done:
        played = f"only deals 0 to {n_done - 1}" if n_done else "none"
        raise UsageError(
            f"deal = {deal}: {run.agents[pairing.first_agent]} and {run.agents[pairing.second_agent]} have not played "
            f"it yet in {run.folder}, {played}"
        )


def play_again(stored: StoredHand, tell: Callable[[str], None]) -> "list[TableHand]":
    """Play a hand or match of a run again and return its hands, up to the fault if there is one.

    Raises
    ------
    UsageError
        An agent of the run is no longer there.

    """
    from harness.run.agents import load_agents

    agents = load_agents(stored.agents, tell, stored.config.limits)

    from harness.run.replay import replay
    from harness.run.sources import source_of, versions

    if stored.core not in (None, versions()["sources"]):
        tell("warning: the run was played by another version: this may not be its hand")
    for name, agent, source in zip(stored.names, agents, stored.sources, strict=True):
        if source not in ("", source_of(agent)):
            tell(f"warning: {name} has changed since the run: this may not be its hand")
    hands, fault = replay(stored.config, (agents[0], agents[1]), stored.deal, stored.half)
    if (fault is None) != (stored.fault is None):
        now = "it ended without a fault" if fault is None else f"{stored.names[fault.side]} {fault.what}"
        tell(f"warning: this is not the hand that the run has played: this time {now}")
    return hands
