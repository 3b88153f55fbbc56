"""All figures of a comparison of rule sets."""

from typing import Final

from harness.report.compare_analysis import ComparedRules
from harness.report.figures import endings_by_variant, rule_effects
from harness.report.figures.by_variant import VARIANT_FIGURES, variant_figures
from harness.report.figures.endings_by_variant import NO_ENDINGS, endings_figure
from harness.report.figures.kinds import Chart
from harness.report.figures.rule_effects import effects_figure

FIGURES: Final = (*VARIANT_FIGURES, rule_effects.NAME, endings_by_variant.NAME)
"""Names of all figures that there can be."""


def comparison_figures(compared: ComparedRules) -> tuple[list[Chart], list[str]]:
    """Collect the figures of a comparison in the order in which they are shown.

    Parameters
    ----------
    compared
        The statistics of the comparison.

    Returns
    -------
    The figures, and a sentence about each that there is not.

    """
    by_variant, missing = variant_figures(compared)
    charts: list[Chart] = [*by_variant, effects_figure(compared)]
    endings = endings_figure(compared)
    if endings is None:
        return charts, [*missing, NO_ENDINGS]
    return [*charts, endings], missing
