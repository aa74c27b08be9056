"""A snapshot shows the model that the search had: its next trial is the search's own, whatever was drawn since."""

from copy import copy

import numpy as np
import pytest
from measured import frame

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.measures.searches import searches

NAME = "gp_snapshots"


@pytest.fixture(scope="module")
def grid(searched):
    """The study of one width, searched with nine trials."""
    return searched("svm_width")


@pytest.fixture(scope="module")
def search(grid):
    """Its first repetition."""
    return next(searches(grid, ["gp"]))


@pytest.fixture(scope="module")
def rows(grid):
    """The frame of the measure, by number of trials and kind."""
    return frame(grid, NAME).set_index(["trials", "kind"]).sort_index()


def test_there_is_a_snapshot_at_every_number_that_the_budget_reaches_and_at_the_budget(rows):
    assert list(rows.index.unique("trials")) == [2, 4, 8, 9]
    assert set(rows["dataset"]) == {"tiny"}


@pytest.mark.parametrize("t", [2, 4, 8])
def test_the_next_trial_is_the_one_that_the_search_made(rows, search, t):
    assert rows.loc[(t, "next"), "x"].item() == search.pool[t].proposal.configuration["tau"]


def test_the_model_is_sampled_as_the_search_sampled_it(search):
    for t in range(2, 9):
        _, _, posterior = search.searcher.fitted(search.pool.history[:t], search.seeds)
        np.testing.assert_array_equal(posterior.states[-1], search.pool[t].proposal.memory["chain"])


@pytest.mark.parametrize("t", [2, 9])
def test_observations_are_the_first_trials_and_the_incumbent_their_argmin(rows, search, t):
    seen, incumbent = rows.loc[(t, "observation")], rows.loc[[(t, "incumbent")]]
    history = search.pool.history[:t]
    np.testing.assert_allclose(seen["x"], [c["tau"] for c in history.configurations], rtol=1e-12)
    np.testing.assert_array_equal(seen["y"], history.losses)
    assert incumbent[["x", "y"]].equals(seen[["x", "y"]].iloc[[history.losses.argmin()]].set_axis(incumbent.index))


def test_no_grid_point_has_more_improvement_than_the_next_trial(rows):
    for t in rows.index.unique("trials"):
        top = rows.loc[(t, "improvement"), "y"].max()
        assert rows.loc[(t, "next"), "y"].item() >= 0.97 * top  # the maximiser refines one of few candidates here


def test_the_hyperparameter_spans_its_range(rows):
    line = rows.loc[(2, "mean"), "x"]
    np.testing.assert_allclose([line.min(), line.max()], [1e-5, 1e2])


def test_another_repetition_is_another_search(grid, rows):
    other = frame(grid, NAME, repetition=1).set_index(["trials", "kind"])
    assert not other.loc[(9, "observation"), "x"].equals(rows.loc[(9, "observation"), "x"])


@pytest.mark.parametrize(
    ("trials", "words"),
    [
        ([1, 4], r"=1 must be at least 2"),
        ([2.5], ": 2.5 is not of type int"),
        (["two"], ": 'two' is not of type int"),
        ([float("nan")], ": nan is not of type int"),
    ],
)
def test_a_number_without_a_model_is_one_sentence(grid, trials, words):
    with pytest.raises(UserError, match=rf"^measure\.trials{words}$"):
        frame(grid, NAME, trials=trials)


def test_without_a_number_the_budget_alone_is_shown(grid):
    assert frame(grid, NAME, trials=[])["trials"].unique().tolist() == [9]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"repetition": 5}, "repetition=5 was not run; allowed: 0 to 1"),
        ({"methods": ["gp", "gp_times_1"]}, r"methods=\['gp', 'gp_times_1'\] must name one method"),
        ({"methods": []}, r"methods=\[\] must name one method"),
    ],
)
def test_what_no_search_was_made_of_is_one_sentence(grid, changes, sentence):
    with pytest.raises(UserError, match=sentence):
        frame(grid, NAME, **changes)


@pytest.mark.slow
def test_more_than_one_hyperparameter_is_one_sentence(searched):
    with pytest.raises(UserError, match=r"n_estimators, criterion, .* this measure needs a space of one"):
        frame(searched("random_forest"), NAME)


def test_a_pool_that_is_gone_is_named(grid, tmp_path):
    elsewhere = copy(grid)
    elsewhere.results = str(tmp_path)
    with pytest.raises(RunError, match=r"there is no manifest .*block_000-001\.json; run its search first"):
        frame(elsewhere, NAME)
