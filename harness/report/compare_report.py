"""The report of a comparison of rule sets, made from the databases of its runs and written as files."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.errors import RunFileError
from harness.game.rule_sets import RuleSet
from harness.paths import shown
from harness.report.compare_analysis import ComparedRules, RuleSetResults, analyse_comparison
from harness.report.compare_summary import comparison_summary, table_rows
from harness.report.compare_tables import comparison_text
from harness.report.report import summary_text, write_rows
from harness.stats.comparison import JointCounts
from harness.store.reader import StoredRun, open_run

SUMMARY_JSON: Final = "summary.json"
COMPARISON_CSV: Final = "comparison.csv"
COMPARISON_TXT: Final = "comparison.txt"


@dataclass(frozen=True)
class ComparisonReport:
    """What `write_comparison` has written, and the same in memory."""

    folder: Path
    summary: Mapping[str, Any]
    summary_json: Path
    text: str
    n_forfeits: int


def write_comparison(
    runs: Sequence[tuple[RuleSet, Path, str]], common: Mapping[str, Any], folder: Path
) -> ComparisonReport:
    """Compute the report of a comparison and write it to a folder, which is made if needed; its files are replaced.

    Parameters
    ----------
    runs
        Each rule set, the base first, the folder of its run and the digest of that run's config.
    common
        What the runs have in common.
    folder
        Where the files go.

    Raises
    ------
    RunFileError
        A run cannot be read, or is another one.

    """
    played, about, joints = [], [], []
    for number, (rule_set, place, config_digest) in enumerate(runs):
        with ExitStack() as opened:
            run = opened.enter_context(open_run(place))
            if run.config_digest != config_digest or not run.complete:
                raise RunFileError(
                    f"{shown(place)} is not the run that was just played: was another one started there?"
                )
            played.append(_results(rule_set, run))
            about.append(_about(run))
            if number:
                joints.append(joint_counts(opened.enter_context(open_run(runs[0][1])), run))
    compared = analyse_comparison(played, joints, common["agents"])
    return _write(compared, comparison_summary(compared, common, about), folder)


def joint_counts(base: StoredRun, run: StoredRun) -> JointCounts:
    """Count the deals of two runs of the same pairings together, block by block."""
    joint = JointCounts(2, len(base.pairings))
    for blocks in zip(base.blocks(), run.blocks(), strict=True):
        joint.add(blocks)
    return joint


def _results(rule_set: RuleSet, run: StoredRun) -> RuleSetResults:
    return RuleSetResults(rule_set.name, rule_set.rules, run.agents, run.pairings, run.counts, run.endings)


def _about(run: StoredRun) -> dict[str, Any]:
    return {
        "folder": run.folder.name,
        "config_digest": run.config_digest,
        "digest": f"{run.digest:016x}",
        "seconds": run.seconds,
    }


def _write(compared: ComparedRules, summary: dict[str, Any], folder: Path) -> ComparisonReport:
    report = ComparisonReport(
        folder=folder,
        summary=summary,
        summary_json=folder / SUMMARY_JSON,
        text=comparison_text(compared),
        n_forfeits=sum(line.n_forfeits for pairing in compared.pairings for line in pairing.lines),
    )
    folder.mkdir(parents=True, exist_ok=True)
    report.summary_json.write_text(summary_text(summary), encoding="utf-8")
    write_rows(folder / COMPARISON_CSV, list(table_rows(compared)))
    (folder / COMPARISON_TXT).write_text(report.text, encoding="utf-8")
    return report
