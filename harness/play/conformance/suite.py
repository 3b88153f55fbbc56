"""All checks, and what they find of one agent."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from harness.errors import UsageError
from harness.game.rules import Rules
from harness.play.conformance.building import BUILD_HINT, bounded, builds, documented, hooked
from harness.play.conformance.elsewhere import new_process
from harness.play.conformance.patience import patience
from harness.play.conformance.playing import hidden_cards, legal, match, memory, quiet, read_only, same_seed, scratch
from harness.play.conformance.speed import speed
from harness.play.conformance.subject import Stage, Subject
from harness.play.conformance.verdict import CheckFailedError, CheckSkippedError, Outcome, Verdict


@dataclass(frozen=True)
class Check:
    """One check: its name in the list and its function, whose docstring says what an agent should do."""

    name: str
    run: Callable[..., Any]

    @property
    def about(self) -> str:
        """What an agent should do, in a sentence."""
        return (self.run.__doc__ or "").partition("\n")[0]


CLASS_CHECKS: Final = (Check("builds", builds), Check("documented", documented), Check("hooks", hooked))
"""Checks of an agent's class; they return a note."""
BOUNDS_CHECK: Final = Check("bounds", bounded)
"""A check of an agent's class that plays under some rules."""
HAND_CHECKS: Final = (
    Check("legal", legal),
    Check("quiet", quiet),
    Check("same-seed", same_seed),
    Check("memory", memory),
    Check("hidden-cards", hidden_cards),
    Check("read-only", read_only),
    Check("scratch", scratch),
    Check("match", match),
)
"""Checks of how an agent plays under one rule set; they return the number of decisions."""
PROCESS_CHECK: Final = Check("new-process", new_process)
SPEED_CHECK: Final = Check("speed", speed)
CHECKS: Final = (*CLASS_CHECKS, BOUNDS_CHECK, *HAND_CHECKS, PROCESS_CHECK, SPEED_CHECK)
"""All of them, in the order of the list."""


@dataclass(frozen=True)
class Findings:
    """What the checks have found of an agent; `n_hands` are those of each rule set against each opponent."""

    agent: str
    kind: str
    n_hands: int
    verdicts: tuple[Verdict, ...]

    def count(self, outcome: Outcome) -> int:
        """Count the checks with an outcome."""
        return sum(verdict.outcome is outcome for verdict in self.verdicts)

    @property
    def passed(self) -> bool:
        """Whether no check has failed."""
        return self.count(Outcome.FAIL) == 0


def check_agent(
    text: str,
    rule_sets: Sequence[Rules],
    n_hands: int | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Findings:
    """Run all checks on an agent.

    Parameters
    ----------
    text
        The agent as a user writes it.
    rule_sets
        The rules it has to play by, at least one.
    n_hands
        Hands of each rule set against each of two opponents; None for as many as its speed allows, 2 to 40.
    tell
        Hears what is done next.

    Raises
    ------
    UsageError
        If there is no such agent or it cannot be built.
    """
    subject = Subject(text)
    tell(f"{text}: how it is built")
    with patience():
        verdicts = check_class(subject, rule_sets[0])
        n_hands = subject.hands_that_fit(rule_sets[0]) if n_hands is None else n_hands
        stages: list[Stage] = []
        found: list[list[Verdict]] = []
        for rules in rule_sets:
            stages.append(Stage(subject, rules, n_hands))
            tell(f"{text} under {stages[-1].name}")
            found.append(check_play(stages[-1]))
            if stages[-1].is_stuck:
                break  # it would hang under the other rules as well, for as long each time
        verdicts += [_of_all(stages, of_check) for of_check in zip(*found, strict=True)]
        tell(f"{text} in a new process")
        verdicts += [_verdict(check, stages[0]) for check in (PROCESS_CHECK, SPEED_CHECK)]
    return Findings(subject.text, subject.kind, n_hands, tuple(verdicts))


def check_class(subject: Subject, rules: Rules) -> list[Verdict]:
    """Run the checks of an agent's class; that of the bounds plays by `rules`."""
    return [*(_verdict(check, subject) for check in CLASS_CHECKS), _verdict(BOUNDS_CHECK, subject, rules)]


def check_play(stage: Stage) -> list[Verdict]:
    """Run the checks of one rule set."""
    return [_verdict(check, stage) for check in HAND_CHECKS]


def _verdict(check: Check, *arguments: object) -> Verdict:
    try:
        seen = check.run(*arguments)
    except CheckFailedError as failure:
        return Verdict(check.name, Outcome.FAIL, failure.note, failure.hint, failure.place, failure.story)
    except CheckSkippedError as reason:
        return Verdict(check.name, Outcome.SKIP, str(reason))
    except UsageError as error:
        return Verdict(check.name, Outcome.FAIL, f"{error}, though it could be built before", BUILD_HINT)
    if isinstance(seen, int):
        return Verdict(check.name, Outcome.OK, f"{seen:,} decisions", n_decisions=seen)
    return Verdict(check.name, Outcome.OK, seen)


def _of_all(stages: Sequence[Stage], verdicts: Sequence[Verdict]) -> Verdict:
    """Put the verdicts of one check under several rule sets into one: the first failure, else what there is to tell."""
    failed = [(stage.name, verdict) for stage, verdict in zip(stages, verdicts, strict=True) if verdict.is_failure]
    if failed:
        names = tuple(name for name, _ in failed)
        return replace(failed[0][1], note=f"under {names[0]}, {failed[0][1].note}", rules=names)
    skipped = [verdict for verdict in verdicts if verdict.outcome is Outcome.SKIP]
    if len(skipped) == len(verdicts):
        return skipped[0]
    total = sum(verdict.n_decisions for verdict in verdicts)
    return Verdict(verdicts[0].check, Outcome.OK, f"{total:,} decisions", n_decisions=total)
