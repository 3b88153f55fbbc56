"""Other people's fits of the same hands: statsmodels with errors clustered by deal, and corrected errors from the book.

Parameters are the strengths of all agents but the last, which is 0, and the seat term.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import statsmodels.api as sm

from harness.stats.codes import CodeArray, FloatArray, IntArray
from tests.helpers.deals import hands_of


class OracleFit(NamedTuple):
    """Parameters, their covariance clustered by deal, and the hands behind them, one by one."""

    parameters: FloatArray
    covariance: FloatArray
    design: FloatArray
    residuals: FloatArray
    slopes: FloatArray
    deals: IntArray

    @property
    def factor_few_hands(self) -> float:
        """The factor (N-1) / (N-k) of statsmodels, which the project leaves out."""
        n_hands, n_parameters = self.design.shape
        return float((n_hands - 1) / (n_hands - n_parameters))

    def value(self, weights: FloatArray) -> float:
        return float(weights @ self.parameters)

    def variance(self, weights: FloatArray) -> float:
        return float(weights @ self.covariance @ weights)


def fit_hands_won(
    block: CodeArray, n_agents: int, pairings: Sequence[tuple[int, int]], corrected: bool = True
) -> OracleFit:
    """Fit a binomial GLM to the results, a hand nobody won being half a win."""
    rows, points, deals = hands_of(block, n_agents, pairings)
    design, won = np.delete(rows, n_agents - 1, axis=1), (np.sign(points) + 1) / 2
    model = sm.GLM(won, design, family=sm.families.Binomial())
    fit = model.fit(tol=1e-14, cov_type="cluster", cov_kwds={"groups": deals, "use_correction": corrected})
    slopes = fit.fittedvalues * (1 - fit.fittedvalues)
    return OracleFit(fit.params, fit.cov_params(), design, won - fit.fittedvalues, slopes, deals)


def fit_game_points(
    block: CodeArray, n_agents: int, pairings: Sequence[tuple[int, int]], corrected: bool = True
) -> OracleFit:
    """Fit ordinary least squares to the game points."""
    rows, points, deals = hands_of(block, n_agents, pairings)
    design = np.delete(rows, n_agents - 1, axis=1)
    fit = sm.OLS(points, design).fit(cov_type="cluster", cov_kwds={"groups": deals, "use_correction": corrected})
    return OracleFit(fit.params, fit.cov_params(), design, fit.resid, np.ones(len(points)), deals)


def contrasts(n_agents: int) -> list[tuple[int, int, FloatArray]]:
    """All differences of two agents as weights of the parameters."""
    units = np.eye(n_agents)
    units[n_agents - 1] = 0
    return [(i, j, units[i] - units[j]) for i in range(n_agents) for j in range(i)]


def against_the_mean(n_agents: int, agent: int) -> FloatArray:
    """Weights of a rating against the mean of all agents."""
    weights = np.full(n_agents, -1 / n_agents)
    if agent < n_agents - 1:
        weights[agent] += 1
    weights[-1] = 0
    return weights


def seat_alone(n_agents: int) -> FloatArray:
    """Weights of the seat term."""
    weights = np.zeros(n_agents)
    weights[-1] = 1
    return weights


def bell_mccaffrey(fit: OracleFit, weights: FloatArray) -> tuple[float, float]:
    """Variance and degrees of freedom of a weighted sum, hand by hand as in Bell and McCaffrey 2002.

    With everything divided by the root of the weights of the working model: adjust the residuals of a deal by
    (I - H)^(-1/2), H its block of the hat matrix, and take Satterthwaite's degrees of freedom of the quadratic form.
    """
    root = np.sqrt(fit.slopes)
    x, r = fit.design * root[:, None], fit.residuals / root
    inverse = np.linalg.inv(x.T @ x)
    hat = x @ inverse @ x.T
    variance, columns = 0.0, []
    for deal in np.unique(fit.deals):
        mine = fit.deals == deal
        values, vectors = np.linalg.eigh(np.eye(int(mine.sum())) - hat[np.ix_(mine, mine)])
        adjusted = (vectors / np.sqrt(values)) @ vectors.T @ x[mine] @ inverse @ weights
        variance += float(adjusted @ r[mine]) ** 2
        columns.append((np.eye(len(x)) - hat)[:, mine] @ adjusted)
    products = np.array(columns) @ np.array(columns).T
    return variance, float(np.trace(products) ** 2 / (products**2).sum())
