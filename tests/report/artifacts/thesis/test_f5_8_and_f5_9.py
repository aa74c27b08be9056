"""Figures 5.8 and 5.9 draw the final learners of GP-cond-ls: in all, and stacked on each data set."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from thesis_artifacts import function

from bayes_hpo.claims.sample import LEARNERS
from bayes_hpo.documents.printed import Printed
from bayes_hpo.errors import RunError

f5_8, f5_9 = function("F5_8"), function("F5_9")
NAMES = {"titanic": "tita", "splice": "46", "mine": ""}  # in the printed order: 46, tita, others
FINAL = {"titanic": ["dt"] * 4, "splice": ["rf", "rf", "svm", "knn"], "mine": ["rf", "svm"]}


@pytest.fixture
def given():
    """Something with choices as `Choices.read` tells them, also of a method and a validation that are not drawn."""
    drawn = ("gp_cond_ls", "kfold")
    rows = [
        {"dataset": name, "repetition": repetition, "validation": one[1], "method": one[0],
         "quantity": f"chosen_{learner}", "value": float(learner == (final if one == drawn else "qda"))}
        for name, finals in FINAL.items() for repetition, final in enumerate(finals)
        for one in (drawn, ("rs", "kfold"), ("gp_cond_ls", "holdout")) for learner in LEARNERS
    ]  # fmt: skip
    frame = pd.DataFrame(rows)
    order = {name: NAMES[name] for name in ("splice", "titanic", "mine")}
    printed = Printed(names=order, labels={"gp_cond_ls": "GP-cond-ls"}, not_comparable=("46", "917"))
    remake = "make them with: snakemake --cores 2 toy_conditional"
    return SimpleNamespace(choices=lambda: frame, study="conditional", scale="toy", printed=printed, remake=remake)


def test_bars_are_the_shares_of_all_searches_and_their_numbers(given):
    drawing, notes = f5_8(given)
    heights = [bar.get_height() for bar in drawing.axes[0].patches]
    counts = {"dt": 4, "rf": 3, "svm": 2, "knn": 1}
    np.testing.assert_allclose(heights, [10 * counts.get(name, 0) for name in LEARNERS])
    assert [text.get_text() for text in drawing.axes[0].texts] == [str(counts.get(name, 0)) for name in LEARNERS]
    assert notes[0].startswith("GP-cond-ls: 10 searches, 3 data sets with 2 to 4 repetitions each")


def test_columns_are_stacked_to_a_hundred_percent_in_the_printed_order(given):
    drawing, _ = f5_9(given)
    axis = drawing.axes[0]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["46", "tita", "mine"]
    bars = {name: container.patches for name, container in zip(LEARNERS, axis.containers, strict=True)}
    heights = np.array([[bar.get_height() for bar in bars[name]] for name in LEARNERS])  # (n_learners, n_datasets)
    np.testing.assert_allclose(heights.sum(axis=0), 100)
    np.testing.assert_allclose(heights[LEARNERS.index("rf")], [50, 0, 50])
    np.testing.assert_allclose(heights[LEARNERS.index("dt")], [0, 100, 0])
    assert bars["rf"][0].get_y() == 50  # above knn and svm


def test_learners_are_told_apart_by_colour_or_hatch(given):
    drawing, _ = f5_9(given)
    looks = {(one.patches[0].get_facecolor(), one.patches[0].get_hatch()) for one in drawing.axes[0].containers}
    assert len(looks) == 9


def test_the_data_sets_that_the_document_names_are_told_where_they_are(given):
    _, notes = f5_9(given)
    assert "tita, which in the document always ends with dt: 4 of 4 here." in notes
    assert not any("917" in note for note in notes)


@pytest.mark.parametrize("module", [f5_8, f5_9])
def test_the_caption_names_data_sets_without_scores_and_those_that_cannot_be_compared(given, module):
    _, notes = module(given)
    assert any(note.startswith("Not comparable: 46;") for note in notes)
    assert not any(note.startswith("Left out") for note in notes)
    given.printed.names.update({"pima": "pim", "yours": ""})
    assert "Left out: pim, yours; no scores there." in module(given)[1]


@pytest.mark.parametrize("module", [f5_8, f5_9])
def test_without_scores_of_the_method_nothing_is_drawn(given, module):
    others = given.choices().query("method == 'rs'")
    given.choices = lambda: others
    with pytest.raises(RunError, match=r"no data set has scores of GP-cond-ls, .* snakemake --cores 2 toy_conditional"):
        module(given)
