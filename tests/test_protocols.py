"""The protocols of the documents compose: shares, repetitions, names."""

import numpy as np
import pytest

from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.campaign.protocols import protocols
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import options
from bayes_hpo.data.registry import find
from bayes_hpo.data.sources.bundled import read
from bayes_hpo.documents.names import VALIDATIONS
from bayes_hpo.repetition import Repetition
from bayes_hpo.splits import Reshuffled


def repetitions(dataset, overrides, numbers=(0, 1, 2)):
    """Repetitions of a study with these overrides, and the fold of each."""
    grid = Grid(configure("plan", ["study=random_forest", "scale=toy", *overrides], groups=GROUPS))
    made = [Repetition.of(grid.job("holdout", "random"), read(find(dataset), None), number) for number in numbers]
    return [(r, *r.protocol.folds(r.parts, r.strata, 0, r.seeds, training_cap=r.training_cap)) for r in made]


def shares(r, fold):
    return [len(rows) / len(r.data.y) for rows in (fold.train, fold.validation, r.parts.test)]


@pytest.mark.parametrize("dataset", ["sklearn-diabetes", "sklearn-breast-cancer"])
def test_40_30_30_of_lacoste_composes(dataset):
    task = f"task@study.task={find(dataset).task}"
    made = repetitions(dataset, [task, "study.test_percent=30", "study.holdout.share='${divide:3,7}'"])
    for r, fold in made:
        assert shares(r, fold) == pytest.approx([0.4, 0.3, 0.3], abs=0.005)
        assert len(r.parts.selection) == 0
    assert len({r.parts.test.tobytes() for r, _ in made}) == len(made)


def test_60_20_20_of_shen_composes_with_one_test_part_per_data_set():
    one = "study.test_draw._target_=bayes_hpo.splits.OfDataset"
    made = repetitions("sklearn-breast-cancer", [one, "study.test_percent=20", "study.holdout.share=0.25"])
    for r, fold in made:
        assert shares(r, fold) == pytest.approx([0.6, 0.2, 0.2], abs=0.005)
        for rows in (fold.train, fold.validation, r.parts.test):
            assert r.data.y[rows].mean() == pytest.approx(r.data.y.mean(), abs=0.01)  # stratified
    assert len({r.parts.test.tobytes() for r, _ in made}) == 1
    assert len({fold.validation.tobytes() for _, fold in made}) == len(made)


def test_every_file_of_a_protocol_holds_what_its_name_is_made_of(grid_of):
    every = protocols(VALIDATIONS)
    assert sorted(every) == options("protocol")
    for name, protocol in every.items():
        built = build(grid_of().cfg["protocols"][name], "protocol")
        assert (built.validation.folds > 1) == (protocol.validation == "kfold")
        assert (built.selection_share > 0) == protocol.selection_split
        assert isinstance(built.splits, Reshuffled) == (protocol.splits == "reshuffled")


def test_rows_without_strata_are_drawn_as_those_of_one_class():
    ((r, fold),) = repetitions("sklearn-diabetes", ["task@study.task=regression"], numbers=(0,))
    assert set(r.strata) == {0}
    parts = np.sort(np.concatenate([fold.train, fold.validation, r.parts.test]))
    np.testing.assert_array_equal(parts, np.arange(442))
