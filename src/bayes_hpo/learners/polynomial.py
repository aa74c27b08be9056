"""Polynomial features of the most important columns, appended to the rows (Shen et al. 2022, table 7)."""

from dataclasses import dataclass

import numpy as np
from lightgbm import LGBMClassifier
from numpy.random import Generator
from numpy.typing import NDArray
from sklearn.preprocessing import PolynomialFeatures

from bayes_hpo.learners.estimator import Estimator

FIRST_DEGREE = 2  # degree of the first entry of `columns`


@dataclass(frozen=True)
class Polynomial:
    """Configurations contain degree and interaction_only of scikit-learn's PolynomialFeatures.

    columns: maximum number of columns to multiply, for degree 2, 3, ...; the columns are those of the highest
        importance in LightGBM with default settings, ties in order of column.
    """

    columns: list

    def fit(self, configuration: dict, X: NDArray, y: NDArray, rng: Generator) -> "Products":
        """The Products fitted to X (n, p), y (n,); rng seeds LightGBM. Raises: the errors of LightGBM."""
        ranking = Estimator(LGBMClassifier, {"n_jobs": 1, "verbose": -1}).fit({}, X, y, rng).estimator
        most = self.columns[configuration["degree"] - FIRST_DEGREE]
        chosen = np.sort(np.argsort(-ranking.feature_importances_, kind="stable")[:most])
        terms = PolynomialFeatures(**configuration, include_bias=False).fit(X[:1, chosen])
        return Products(chosen, terms)


@dataclass(frozen=True)
class Products:
    """Indices of the chosen columns (m,), and the polynomial terms of these columns."""

    chosen: NDArray
    terms: PolynomialFeatures

    def transform(self, X: NDArray) -> NDArray:
        """X (n, p) with the terms of degree 2 and higher appended (n, q)."""
        products = self.terms.transform(X[:, self.chosen])[:, len(self.chosen) :]
        return np.hstack([X, products])
