"""What has been played in a comparison, read from the databases of its runs."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from harness.errors import RunFileError, UsageError
from harness.game.rules import Rules
from harness.paths import is_file, shown
from harness.report.compare_agents import agent_changes, agent_moments, counted
from harness.report.compare_analysis import CommonDeals, RuleSetResults
from harness.run.comparison import Comparison, RuleSetRun, check_common
from harness.stats.comparison import JointCounts
from harness.store.reader import StoredRun, open_run
from harness.store.rows import RUN_FILE
from harness.texts import count


@dataclass(frozen=True)
class Read:
    """All that a report needs of a comparison.

    Attributes
    ----------
    title
        Who has played.
    played, common
        As `harness.report.compare_analysis.analyse_comparison` takes them.
    about
        Of each rule set, what is known of its run.
    versions, machine
        Of what played the base.
    left_out
        Sentences about rule sets that have not been played to the end.

    """

    title: str
    played: tuple[RuleSetResults, ...]
    common: tuple[CommonDeals, ...]
    about: tuple[dict[str, Any], ...]
    versions: Mapping[str, Any]
    machine: Mapping[str, Any]
    left_out: tuple[str, ...]


def read_runs(comparison: Comparison) -> Read:
    """Read the runs of a comparison; those that are not complete are left out.

    Raises
    ------
    UsageError
        The base, or all the others, are not complete, so that there is nothing to compare.
    RunFileError
        A run cannot be read, or is another one than that of the comparison, whose file says something else.

    """
    first, *others = comparison.runs
    with ExitStack() as opened:
        base = _open(opened, first)
        if isinstance(base, str):
            raise UsageError(f"there is nothing to compare with yet: {base}")
        check_common(comparison, base.config)
        played, common, about, left_out = [_results(first, base)], [], [_about(base)], []
        for one in others:
            with ExitStack() as inner:
                run = _open(inner, one)
                if isinstance(run, str):
                    left_out.append(run)
                    continue
                played.append(_results(one, run))
                common.append(common_deals(base, run))
                about.append(_about(run))
        if not common:
            lacking = "; ".join(left_out) or "the file of the comparison names no other rule set"
            raise UsageError(f"there is nothing to compare {first.name} with yet: {lacking}")
        about_it = (base.versions, base.machine)
        return Read(base.name, tuple(played), tuple(common), tuple(about), *about_it, tuple(left_out))


def common_deals(base: StoredRun, run: StoredRun) -> CommonDeals:
    """Count the deals of two complete runs of the same pairings together, block by block."""
    joint = JointCounts(2, len(base.pairings))
    changes = agent_changes(len(base.agents), base.pairings, counted(base.pairings, base.config["agents"]))
    for first, second in zip(base.blocks(), run.blocks(), strict=True):
        joint.add([first, second])
        changes.add(first, second)
    return CommonDeals(joint, changes)


def _open(opened: ExitStack, one: RuleSetRun) -> StoredRun | str:
    """Open the run of a rule set; or say what is still to be played, where it is not complete."""
    goes_on = "the same sixtysix compare command again goes on with it"
    if not is_file(one.folder / RUN_FILE):
        return f"{one.name} has not been played yet ({goes_on})"
    run: StoredRun = opened.enter_context(open_run(one.folder))
    if run.config_digest != one.config_digest:
        raise RunFileError(f"{shown(one.folder)} is not the run of the comparison: was another one started there?")
    if run.complete:
        return run
    n, whole = sum(run.done.values()), run.config["deals"] * len(run.pairings)
    return f"{one.name} is not complete, {n:,} of {count(whole, 'deal')} have been played ({goes_on})"


def _results(one: RuleSetRun, run: StoredRun) -> RuleSetResults:
    moments = agent_moments(len(run.agents), run.pairings, counted(run.pairings, run.config["agents"]))
    for block in run.blocks():
        moments.add(block)
    rules = Rules.from_fields(run.config["rules"])
    return RuleSetResults(one.name, rules, run.agents, run.pairings, run.counts, run.endings, moments)


def _about(run: StoredRun) -> dict[str, Any]:
    return {
        "folder": run.folder.name,
        "config_digest": run.config_digest,
        "digest": f"{run.digest:016x}",
        "seconds": run.seconds,
    }
