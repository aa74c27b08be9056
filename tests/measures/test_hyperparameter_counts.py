"""Numbers of hyperparameters by choice: by hand, and beside those that tables 6 and 7 of Shen et al. 2022 print."""

import pandas as pd
import pytest
from measured import frame
from probable_pools import SPACE

from bayes_hpo.documents import catalog
from bayes_hpo.measures.hyperparameter_counts import HyperparameterCounts
from bayes_hpo.report.tables.space_counts import COUNTS, printed_counts

# printed beyond ours: constants of D11, what D30 drops
FEWER = {"AdaBoost": 1, "Gradient boosting": 1, "Linear SVM preprocessing": 3}
PLACES = {"T6": "6", "T7": "7"}


def test_counts_of_a_small_space_by_hand():
    found = HyperparameterCounts(space=SPACE)(None).set_index("choice")
    assert set(found["root"]) == {"kind"}
    columns = ["total", "categorical", "conditional_categorical", "continuous", "conditional_continuous"]
    assert columns == COUNTS
    by_hand = {"a": [1, 0, 0, 1, 0], "b": [2, 1, 0, 1, 1], "c": [2, 1, 0, 1, 1]}
    pd.testing.assert_frame_equal(
        found[columns], pd.DataFrame.from_dict(by_hand, "index", columns=columns), check_names=False
    )


@pytest.mark.parametrize("name", PLACES)
def test_all_but_what_was_decided_is_as_printed(grid_of, name):
    choices = catalog.document("divbo2022")["artifacts"][name]["draw"]["choices"]
    ours = frame(grid_of("divbo"), "hyperparameter_counts").set_index("choice").loc[list(choices.values()), COUNTS]
    printed = printed_counts("divbo2022", PLACES[name])
    assert list(printed.index) == list(choices)
    differences = dict(zip(choices, printed["total"].to_numpy() - ours["total"].to_numpy(), strict=True))
    assert {label: missing for label, missing in differences.items() if missing} == {
        label: missing for label, missing in FEWER.items() if label in choices
    }
    assert (printed["total"] == printed["categorical"] + printed["continuous"]).all()
    assert (ours["total"] == ours["categorical"] + ours["continuous"]).all()


def test_the_printed_counts_add_up_to_101_and_ours_to_96(grid_of):
    ours = frame(grid_of("divbo"), "hyperparameter_counts")
    assert sum(printed_counts("divbo2022", place)["total"].sum() for place in PLACES.values()) == 101
    assert ours["total"].sum() == 96 == len(grid_of("divbo").cfg["study"]["space"]["parameters"]) - 3
