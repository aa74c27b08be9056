"""Figure 3.4 puts every data set into one bin of size, and draws ranks among the drawn methods only."""

import numpy as np
import pandas as pd
import pytest
from score_rows import DATASETS, PRINTED, as_printed, rows
from thesis_artifacts import function, row

from bayes_hpo.data.registry import registry, suite
from bayes_hpo.documents.names import method
from bayes_hpo.report.figures.mean_ranks import PRINTED_BINS as BINS
from bayes_hpo.report.figures.mean_ranks import binned

figure, METHODS = function("F3_4"), row("F3_4")["methods"]
SIZES = dict(zip(DATASETS, (99, 117, 222, 139, 506), strict=True))


def drawn(axis):
    """Frame of the drawn mean ranks, a row per bin and a column per method."""
    containers = {method(part.get_label()): part for part in axis.containers}
    return pd.DataFrame({name: part.lines[0].get_ydata() for name, part in containers.items()}, dtype=float)


def labels(axis):
    return axis.xaxis.get_major_formatter().format_ticks(axis.get_xticks())


@pytest.mark.parametrize(
    ("size", "expected"),
    [(1, 0), (133, 0), (134, 1), (455, 1), (456, 2), (1403, 2), (1404, 3), (100_000, 3)],
)
def test_bins_end_at_the_printed_bounds(size, expected):
    assert binned({"a": size})["a"] == BINS[expected]


def test_every_size_has_one_bin_even_if_it_is_unknown_or_beyond_the_print():
    bins = binned({str(size): size for size in (0, 1, 133, 5000, 100_001, 10**9)})
    assert bins.notna().all()
    assert (bins["0"], bins["100001"]) == ("unknown", "above 1e5")


def test_the_118_data_sets_fall_into_bins_of_about_thirty():
    rows_of = registry()
    bins = binned({name: rows_of[name].rest for name in suite("overfitting118")})
    assert bins.value_counts().reindex(BINS).tolist() == [30, 31, 28, 29]


def test_ours_are_the_published_when_our_errors_are(given, printed_rows):
    made, _ = figure(given(printed_rows, sizes=SIZES))
    for ours, theirs, validation in zip(made.axes[:2], made.axes[2:], PRINTED, strict=True):
        np.testing.assert_allclose(drawn(ours), drawn(theirs))
        assert labels(ours) == labels(theirs) == ["[1, 133]\nN = 2", "(133, 455]\nN = 2", "(455, 1403]\nN = 1"]
        printed = pd.DataFrame(PRINTED[validation]).loc[list(DATASETS.values()), METHODS].rank(axis=1)
        np.testing.assert_allclose(drawn(ours).iloc[2], printed.loc["pima"])
        np.testing.assert_allclose(drawn(ours).iloc[0], printed.loc[["iris", "wine"]].mean())


def test_printed_bins_without_data_sets_are_said_and_not_drawn(given, printed_rows):
    made, notes = figure(given(printed_rows, sizes=dict.fromkeys(DATASETS, 200)))
    assert [labels(axis) for axis in made.axes] == [["(133, 455]\nN = 5"]] * 4
    assert "No data set here has a size in [1, 133], (455, 1403], (1403, 1e5]." in notes


def test_data_sets_of_unknown_size_are_a_bin(given, printed_rows):
    made, _ = figure(given(printed_rows, sizes={}))
    assert [labels(axis) for axis in made.axes] == [["unknown\nN = 5"]] * 4


def test_each_validation_counts_its_own_data_sets(given, printed_rows):
    lost = (printed_rows["dataset"] == "wine") & (printed_rows["validation"] == "kfold")
    made, _ = figure(given(printed_rows[~lost], sizes=SIZES))
    assert [labels(axis)[0] for axis in made.axes] == ["[1, 133]\nN = 2", "[1, 133]\nN = 1"] * 2


def test_one_data_set_is_ranked_without_a_standard_error(given):
    made, notes = figure(given(rows(as_printed, {"iris": "iris"}), datasets={"iris": "iris"}, sizes={"iris": 99}))
    assert labels(made.axes[0]) == ["[1, 133]\nN = 1"]
    assert np.isfinite(drawn(made.axes[0])).all(axis=None)
    assert any(note.endswith("a single one has none.") for note in notes)


def test_data_sets_that_the_document_lacks_stand_alone(given):
    made, notes = figure(given(rows(lambda *_: 0.1, {"mine": ""}), datasets={"mine": ""}))
    assert [axis.get_title() for axis in made.axes] == ["hold-out, ours", "5-fold, ours"]
    assert "The document has no cells of these data sets." in notes
