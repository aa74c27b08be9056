"""Traits of searches of a width: distances in decades from what is printed, and a length in decades."""

import numpy as np
import pytest
from measured import frame

from bayes_hpo.measures.searches import searches

NAME = "width_traits"


@pytest.fixture(scope="module")
def traits(searched):
    """Function: the values by quantity and repetition, with changed settings."""

    def of(**changes):
        rows = frame(searched("svm_width"), NAME, **changes)
        assert list(rows) == ["dataset", "repetition", "validation", "method", "quantity", "value"]
        return rows.pivot(index="repetition", columns="quantity", values="value")

    return of


@pytest.fixture(scope="module")
def widths(searched):
    """log10 of the widths that each repetition tried, and its losses: list of pairs of arrays (9,)."""
    histories = [search.pool.history for search in searches(searched("svm_width"), "gp")]
    return [(np.log10([c["tau"] for c in history.configurations]), history.losses) for history in histories]


def test_the_choice_is_the_incumbents_distance_from_the_print(traits, widths):
    chosen = [tau[losses.argmin()] for tau, losses in widths]
    np.testing.assert_allclose(traits(choice=0.06943)["choice_offset"], np.array(chosen) - np.log10(0.06943))


def test_a_zone_at_one_end_is_as_far_as_the_farther_of_samples_and_minimum(traits, widths):
    middles = [np.median(tau) for tau, _ in widths]
    low, high = (traits(zone=zone)["zone_offset"] for zone in (1e-5, 1e2))
    assert (low >= np.array(middles) + 5 - 1e-9).all()
    assert (high <= np.array(middles) - 2 + 1e-9).all()


def test_the_length_is_positive_and_at_most_the_priors_fourteen_decades(traits):
    assert traits()["length"].between(0, 14, inclusive="neither").all()
