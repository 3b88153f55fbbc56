"""What the results of a run say about the harness that made them: the checks of `harness.stats.self_checks`."""

from dataclasses import replace

from harness.report.results import RunResults
from harness.report.units import unit_of
from harness.stats.self_checks import Verdict, books_check, mirror_check, workers_check


def self_checks(run: RunResults) -> tuple[Verdict, ...]:
    """Check that the books balance, that workers are alike, and that agents are null against themselves.

    The books are left out of runs of whole matches, which have no endings to compare. Workers are left out where there
    was one only, mirror matches where no agent stands in the config twice.
    """
    names = [f"{run.agents[first]} against {run.agents[second]}" for first, second in run.pairings]
    verdicts = []
    if not unit_of(run.config).is_match:
        verdicts.append(books_check(run.counts, run.endings, run.faults.sum(axis=2), names))
    if len(run.worker_counts) > 1:
        verdicts.append(workers_check(run.worker_counts))
    texts = run.config["agents"]
    for (first, second), counts, name in zip(run.pairings, run.counts, names, strict=True):
        if texts[first] == texts[second]:
            verdicts.append(replace(mirror_check(counts, texts[first]).verdict, name=name))
    return tuple(verdicts)
