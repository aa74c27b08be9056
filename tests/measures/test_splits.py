"""The bands of figure 3.2 are the rows that searches are handed."""

from itertools import pairwise

import numpy as np
import pytest
from measured import frame

from bayes_hpo.configuration.options import options
from bayes_hpo.errors import RunError
from bayes_hpo.evaluation import Evaluation
from bayes_hpo.repetition import Repetition

BAND = ["protocol", "iteration", "fold"]
PROTOCOLS = options("protocol")


@pytest.fixture(scope="module")
def rows(grid):
    """The frame of the measure."""
    return frame(grid, "splits")


def members(band, part):
    """Row numbers that a band has in a part, as a set."""
    return set(band.loc[band["part"] == part, "row"])


def bands(rows, protocol):
    """One protocol's bands: dict, (iteration, fold) -> frame."""
    return dict(iter(rows[rows["protocol"] == protocol].groupby(["iteration", "fold"])))


def test_every_row_is_in_one_part_of_every_band(rows, iris):
    for _, band in rows.groupby(BAND):
        assert sorted(band["row"]) == list(range(len(iris.y)))
    assert set(rows["part"]) == {"train", "validation", "selection", "test"}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_band_is_what_the_evaluation_of_that_round_trains_and_validates_on(rows, iris, toy_job, protocol):
    r = Repetition.of(toy_job(protocol=protocol), iris, 0)
    found = bands(rows, protocol)
    assert len(found) == 3 * r.protocol.validation.folds
    for (iteration, fold), band in found.items():
        expected = Evaluation(r)._folds(iteration - 1)[fold - 1]
        assert members(band, "train") == set(expected.train)
        assert members(band, "validation") == set(expected.validation)
        assert members(band, "selection") == set(r.parts.selection)
        assert members(band, "test") == set(r.parts.test)


def test_test_and_selection_rows_never_move(rows):
    for part, where in (("test", rows), ("selection", rows[rows["protocol"].str.contains("_sel")])):
        assert len({frozenset(members(band, part)) for _, band in where.groupby(BAND)}) == 1
    assert not members(rows[~rows["protocol"].str.contains("_sel")], "selection")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_only_reshuffled_splits_change_from_iteration_to_iteration(rows, protocol):
    first_folds = [members(bands(rows, protocol)[iteration, 1], "validation") for iteration in (1, 2, 3)]
    for one, other in pairwise(first_folds):
        assert (one != other) == protocol.endswith("_r")


@pytest.mark.parametrize("protocol", [name for name in PROTOCOLS if name.startswith("kfold")])
def test_in_k_fold_every_row_outside_test_and_selection_validates_once_an_iteration(rows, protocol):
    for _, iteration in rows[rows["protocol"] == protocol].groupby("iteration"):
        validates = (iteration["part"] == "validation").groupby(iteration["row"]).sum()
        kept = members(iteration, "test") | members(iteration, "selection")
        assert all(validates == ~np.isin(validates.index, list(kept)))


def test_the_shares_are_those_of_the_decisions(rows):
    """D3: of 20 rows a class ceil(6.8) test; D2: a fifth of the other 39 select; D1: a fifth of the rest validates."""
    for protocol, sizes in {"holdout": (31, 8, 0, 21), "holdout_sel_r": (25, 6, 8, 21)}.items():
        for band in bands(rows, protocol).values():
            assert tuple(len(members(band, part)) for part in ("train", "validation", "selection", "test")) == sizes


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_training_rows_above_the_cap_are_not_trained_on(grid, protocol):
    for band in bands(frame(grid, "splits", training_cap=10), protocol).values():
        assert len(members(band, "train")) == 10


def test_a_protocol_or_an_iteration_more_leaves_the_others_alone(grid, rows):
    settings = grid.cfg["measures"]["splits"]
    fewer = frame(grid, "splits", iterations=2, protocols={"kfold_r": settings["protocols"]["kfold_r"]})
    both = rows[(rows["protocol"] == "kfold_r") & (rows["iteration"] <= 2)].reset_index(drop=True)
    assert fewer.equals(both)


def test_a_data_set_that_is_not_prepared_comes_with_its_command(grid):
    with pytest.raises(RunError, match=r"python -m bayes_hpo\.stages\.data dataset=sklearn-wine"):
        frame(grid, "splits", dataset="sklearn-wine")
