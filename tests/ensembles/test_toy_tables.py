"""The toy ensembles of tables 4.1 and 4.2: every printed loss that can be read (thesis, 4.3.4)."""

from itertools import permutations

import numpy as np
import pytest

from bayes_hpo.documents.published import rows
from bayes_hpo.ensembles import losses
from bayes_hpo.ensembles.losses import Sigmoid
from bayes_hpo.ensembles.margins import sigmoid_slope
from bayes_hpo.ensembles.ties import truth_last
from bayes_hpo.ensembles.votes import StoredVotes

PRINTED = rows("thesis_T4_1_T4_2_toy_printed").set_index(["table", "row"])
RECOMPUTED = rows("thesis_T4_1_T4_2_toy_recomputed")
COLUMNS = {"ens_01": losses.zero_one, "ens_M": losses.margin, "ens_M2": losses.squared_margin, "ens_C": losses.c_bound}
FIVE = Sigmoid(sigmoid_slope(5))  # of .98 in table 4.1; table 4.2 has .30 with it too

# where a member or candidate is wrong; columns are examples
TABLE_4_1 = [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
TABLE_4_2 = [[1, 1, 0, 0, 0], [1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 0, 0, 1, 1]]  # 3, 2, 1, 1, 1 votes are wrong
JOINING = [0, 1, 0, 0, 1]  # wrong where two votes are, and where one is


def _losses(wrong):
    """Losses by column of the ensemble of members that are wrong so; a tie is an error (eq. 4.9)."""
    labels = np.array(wrong)
    truth, alone = np.zeros(labels.shape[1], dtype=int), labels.mean(axis=1)
    votes = StoredVotes(labels, alone >= 0, alone, truth, truth, truth_last(truth, 2))
    members = range(len(labels))
    return {name: votes.loss(loss, list(members)) for name, loss in (COLUMNS | {"ens_sig": FIVE}).items()}


def _cells(table, row):
    """The legible losses of a printed row of ensembles, as text of two decimals."""
    cells = PRINTED.loc[(table, row)]
    return {name: f"{float(cells[name]):.2f}" for name in [*COLUMNS, "ens_sig"] if str(cells[name]) != "nan"}


@pytest.mark.parametrize(
    ("table", "row", "wrong", "legible"),
    [
        ("4.1", "E", TABLE_4_1, 5),
        ("4.2", "E", TABLE_4_2, 5),
        ("4.2", "one of E+h'0..2", [*TABLE_4_2, JOINING], 4),
    ],
)
def test_every_legible_loss_is_reproduced(table, row, wrong, legible):
    printed, found = _cells(table, row), _losses(wrong)
    assert len(printed) == legible
    assert {name: f"{found[name]:.2f}" for name in printed} == printed


def test_the_printed_errors_of_single_members_are_those_of_the_toy_ensembles():
    assert PRINTED.loc[("4.1", "h1"), ["x0", "x1", "x2"]].astype(int).tolist() == TABLE_4_1[1]
    for wrong, table, row in ((TABLE_4_1, "4.1", "h1"), (TABLE_4_2, "4.2", "h0..h3"), ([JOINING], "4.2", "h'0..h'2")):
        printed = str(PRINTED.loc[(table, row), "mean01"]).split()[0]
        assert {f"{np.mean(member):.2f}" for member in wrong} == {f"{float(printed):.2f}"}


@pytest.mark.parametrize("slope_of", [3, 4])
def test_the_printed_98_needs_the_slope_of_five_members(slope_of):
    wrong = np.array(TABLE_4_1)
    assert f"{1 - 1 / (1 + np.exp(sigmoid_slope(slope_of) / 3)):.2f}" != _cells("4.1", "E")["ens_sig"]
    assert wrong.sum(axis=0).tolist() == [2, 2, 2]


@pytest.mark.parametrize(("pair", "at"), [((3, 1), 6), ((3, 2), 7), ((1, 1), 8), ((2, 1), 5)])
def test_the_recomputed_candidates_of_table_4_2(pair, at):
    """A candidate wrong where so many votes are; which rows these are does not matter."""
    row, counts = RECOMPUTED.iloc[at], np.sum(TABLE_4_2, axis=0)
    assert f"({pair[0]},{pair[1]})" in row["row"]
    names = {"ens_01": "l01", "ens_M": "lM", "ens_M2": "lM2", "ens_sig": "lsig", "ens_C": "C"}
    for first, second in permutations(range(5), 2):
        if (counts[first], counts[second]) == pair:
            joining = np.isin(np.arange(5), [first, second]).astype(int)
            found = _losses([*TABLE_4_2, joining])
            assert {name: round(found[name], 4) for name in names} == {
                name: pytest.approx(float(row[column]), abs=5.1e-5) for name, column in names.items()
            }
