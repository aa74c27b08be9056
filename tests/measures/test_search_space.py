"""The space of a study in the words of the documents' tables."""

import pytest
from measured import frame

from bayes_hpo.documents import published

NAME = "search_space"
PRINTED = {"svm_width": "2.6.1", "random_forest": "2.1", "overfitting": "3.3"}


@pytest.mark.parametrize(("study", "place"), PRINTED.items())
def test_every_study_of_the_thesis_searches_the_printed_space(grid_of, study, place):
    rows = published.rows("search_spaces")
    theirs = rows[(rows["document"] == "thesis") & (rows["table_or_section"] == place)].fillna("")
    ours = frame(grid_of(study), NAME)
    assert list(ours["hyperparameter"]) == list(theirs["hyperparameter"].replace("num_estimators", "n_estimators"))
    for column in ("type", "scale"):
        assert list(ours[column]) == list(theirs[column])
    for column in ("low_or_values", "high"):
        for one, other in zip(ours[column], theirs[column], strict=True):
            assert one == other or float(one) == float(other)


def test_what_is_not_searched_is_no_row(grid_of):
    assert list(frame(grid_of("svm_width"), NAME)["hyperparameter"]) == ["tau"]
