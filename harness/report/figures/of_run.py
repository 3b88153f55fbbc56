"""All figures of a run, in the order in which a report shows them."""

from harness.report.analysis import Analysis
from harness.report.figures.endings import endings_figure
from harness.report.figures.equity import equity_figure
from harness.report.figures.game_points import game_points_figure
from harness.report.figures.head_to_head import head_to_head_figure
from harness.report.figures.kinds import Chart
from harness.report.figures.ratings import ratings_figure
from harness.report.figures.running import running_figure
from harness.report.figures.seat import seat_figure
from harness.report.figures.speed import speed_figure
from harness.report.results import RunResults


def run_figures(run: RunResults, analysis: Analysis) -> tuple[list[Chart], list[str]]:
    """Collect the data of all figures of a run; reads its deals once more.

    Parameters
    ----------
    run
        The run.
    analysis
        Its statistics.

    Returns
    -------
    The figures that there are, and a sentence about each of the others.

    """
    if not analysis.n_hands:
        return [], ["There are no figures, as no deals have been played."]
    found: list[Chart | str] = [
        ratings_figure(analysis),
        head_to_head_figure(analysis),
        running_figure(run, analysis),
        game_points_figure(analysis),
        endings_figure(run, analysis),
        seat_figure(analysis),
        equity_figure(analysis),
        speed_figure(run, analysis),
    ]
    return [one for one in found if isinstance(one, Chart)], [one for one in found if isinstance(one, str)]
