"""The agent under check, and the hands that it plays."""

import io
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cached_property
from typing import Final

from harness.agent_api.registry import LoadedAgent, find_class, load_agent
from harness.agent_api.spec import AgentSpec, parse_spec
from harness.game.presets import rules_text
from harness.game.rules import Rules
from harness.play.conformance.hands import (
    BarePlayer,
    Case,
    Difference,
    MatchPlayer,
    Record,
    first_difference,
    play_hand,
    seat,
)
from harness.play.conformance.verdict import CheckSkippedError

OPPONENT: Final = "random"
MOST_HANDS: Final = 40
FEWEST_HANDS: Final = 2
_SECONDS = 0.1


class Subject:
    """The agent under check.

    Parameters
    ----------
    text
        The agent as a user writes it.

    Raises
    ------
    UsageError
        If there is no such agent or it cannot be built.
    """

    def __init__(self, text: str):
        self.spec = parse_spec(text)
        self.text = self.spec.text
        with self.fresh() as agent:
            self.kind = agent.kind
            self.is_compiled = agent.is_compiled
        self.cls = None if self.spec.command is not None else find_class(self.spec.target)
        """The agent's class; None for a program."""

    def of_class(self) -> type:
        """Return the agent's class; CheckSkippedError for a program, which has none."""
        if self.cls is None:
            raise CheckSkippedError("a program has no class, and its parameters are its own")
        return self.cls

    @contextmanager
    def fresh(self, **parameters: object) -> Iterator[LoadedAgent]:
        """Build the agent anew, with other values of some parameters, and close it afterwards.

        Raises
        ------
        UsageError
            If it cannot be built.
        """
        values = {**dict(self.spec.parameters), **{name: str(value) for name, value in parameters.items()}}
        agent = load_agent(AgentSpec(self.spec.target, tuple(sorted(values.items()))).text)
        try:
            yield agent
        finally:
            close(agent)

    def hands_that_fit(self, rules: Rules) -> int:
        """Return how many hands each check should play against an opponent, fewer for a slow agent."""
        with self.fresh() as agent:
            sides = seat(agent, rules, 0), seat(load_agent(OPPONENT), rules, 1)
            if play_hand(Case(rules, (self.text, OPPONENT), 0, 0), sides).is_stuck:
                return FEWEST_HANDS
            n_hands = 0  # that one may have taken a start
            start = time.monotonic()
            while n_hands < MOST_HANDS and time.monotonic() - start < _SECONDS:
                play_hand(Case(rules, (self.text, OPPONENT), n_hands // 2, n_hands % 2), sides)
                n_hands += 1
        return max(FEWEST_HANDS, n_hands // 2 * 2)


def close(agent: LoadedAgent) -> None:
    """Tell an agent that it is not needed any more, if it wants to know."""
    if callable(finish := getattr(agent.agent, "close", None)):
        finish()


class Stage:
    """The hands of an agent under one rule set: played once, and again by every check that needs them.

    Parameters
    ----------
    subject
        The agent under check.
    rules
        The house rules.
    n_hands
        Hands against `OPPONENT`, and as many against itself; the seats are swapped after each.
    """

    def __init__(self, subject: Subject, rules: Rules, n_hands: int):
        self.subject = subject
        self.rules = rules
        self.n_hands = n_hands
        self.name = rules_text(rules)
        self.printed = ""
        """What the agent has written to stdout while it played `records`."""

    @cached_property
    def records(self) -> tuple[Record, ...]:
        """All hands, against `OPPONENT` first, up to one in which the agent hangs."""
        text = self.subject.text
        records: list[Record] = []
        with self.subject.fresh() as agent, self.subject.fresh() as twin:
            caught = io.StringIO()
            mine = seat(agent, self.rules, 0)
            with redirect_stdout(caught):
                for name, other in ((OPPONENT, load_agent(OPPONENT)), (text, twin)):
                    theirs = seat(other, self.rules, 1)
                    cases = [Case(self.rules, (text, name), i // 2, i % 2) for i in range(self.n_hands)]
                    for case in cases:
                        if not records or not records[-1].is_stuck:
                            records.append(play_hand(case, (mine, theirs)))
            self.printed = caught.getvalue()
        return tuple(records)

    @property
    def sound(self) -> list[Record]:
        """The hands without a fault; CheckSkippedError if there are none."""
        sound = [record for record in self.records if record.wrong is None]
        if not sound:
            raise CheckSkippedError("no hand was played to its end")
        return sound

    @contextmanager
    def player(self) -> Iterator[BarePlayer | MatchPlayer]:
        """Seat a fresh agent on side 0."""
        with self.subject.fresh() as agent:
            yield seat(agent, self.rules, 0)

    @cached_property
    def unlike(self) -> Difference | None:
        """The first hand that a second agent plays differently after the same hands before; None if there is none."""
        with self.player() as player:
            return first_difference(player, self.sound)

    @property
    def repeatable(self) -> list[Record]:
        """The hands without a fault; CheckSkippedError if the agent does not play them twice in the same way."""
        if self.unlike is not None:
            raise CheckSkippedError("cannot be told: it does not play a hand twice in the same way (see same-seed)")
        return self.sound

    @property
    def is_sound(self) -> bool:
        """Whether no hand has a fault."""
        return all(record.wrong is None for record in self.records)

    @property
    def is_stuck(self) -> bool:
        """Whether the agent hangs."""
        return self.records[-1].is_stuck

    def n_decisions(self) -> int:
        """Count the decisions of all hands."""
        return sum(len(record.decisions) for record in self.records)
