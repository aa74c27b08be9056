"""The toy ensembles of the measure have every loss that tables 4.1 and 4.2 print, and what is known of their rows."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from votes_by_hand import loss_by_hand

from bayes_hpo.configuration.build import build
from bayes_hpo.documents.published import rows
from bayes_hpo.ensembles.ties import truth_last
from bayes_hpo.errors import UserError
from bayes_hpo.measures.toy_ensembles import Toy

PRINTED = rows("thesis_T4_1_T4_2_toy_printed").set_index(["table", "row"])
COLUMNS = {
    "zero_one": "ens_01",
    "margin": "ens_M",
    "squared_margin": "ens_M2",
    "sigmoid": "ens_sig",
    "c_bound": "ens_C",
}
ROWS = [  # toy, row of ours, row of the print, legible losses
    ("T4_1", "E", "E", 5),
    ("T4_2", "E", "E", 5),
    ("T4_2", "E+h'1", "one of E+h'0..2", 4),
]


@pytest.fixture(scope="module")
def measure(grid_of):
    """The measure of conf/measure/toy_ensembles.yaml."""
    return build(grid_of("ensembles_width").cfg["measures"]["toy_ensembles"], "measure")


@pytest.fixture(scope="module")
def frame(measure):
    return measure(SimpleNamespace(owner="ensembles_width"))


@pytest.mark.parametrize(("toy", "ours", "theirs", "legible"), ROWS)
def test_every_legible_loss_is_met(frame, toy, ours, theirs, legible):
    printed = PRINTED.loc[(toy[1:].replace("_", "."), theirs)]
    known = {name: float(printed[column]) for name, column in COLUMNS.items() if str(printed[column]) != "nan"}
    row = frame[(frame["toy"] == toy) & (frame["row"] == ours)].iloc[0]
    assert len(known) == legible
    assert {name: round(row[name], 2) for name in known} == known


@pytest.mark.parametrize("toy", ["T4_1", "T4_2"])
def test_every_possible_candidate_is_there_once(frame, toy):
    part = frame[frame["toy"] == toy]
    length = len(part["wrong"].iloc[0].split())
    every = {" ".join(map(str, wrong)) for wrong in product((0, 1), repeat=length)}
    wrong = part.loc[part["kind"] == "candidate", "wrong"]
    assert set(wrong) == every
    assert len(wrong) == 2**length


def test_losses_are_those_of_a_loop(measure, frame):
    """Of every ensemble of table 4.2 with a candidate, but for the sigmoid, whose slope there is that of its size."""
    toy, (truth, folds) = measure.toys["T4_2"], np.zeros((2, 5), dtype=int)
    rows = frame[(frame["toy"] == "T4_2") & (frame["kind"] == "candidate")]
    for row in rows.itertuples():
        members = np.array([*toy.members.values(), [int(error) for error in row.wrong.split()]])
        for name in ("zero_one", "margin", "squared_margin", "c_bound"):
            expected = loss_by_hand(name, members, truth, folds, truth_last(truth, 2))
            assert getattr(row, name) == pytest.approx(expected)


def test_the_errors_that_are_legible_are_those_of_the_members(measure):
    first, second = measure.toys["T4_1"], measure.toys["T4_2"]
    assert first.members["h1"] == PRINTED.loc[("4.1", "h1"), ["x0", "x1", "x2"]].astype(int).tolist()
    assert np.mean(list(first.members.values()), axis=1) == pytest.approx(2 / 3)
    every = [*second.members.values(), *second.candidates.values()]
    assert np.mean(every, axis=1) == pytest.approx(0.4)
    x3 = [wrong[3] for wrong in second.candidates.values()]  # printed 0 0 1, in this order
    assert dict(zip(second.candidates, x3, strict=True)) == {"h'0 (1, 1)": 0, "h'0 (3, 2)": 0, "h'1": 0, "h'2": 1}


@pytest.mark.parametrize("members", [{}, {"h0": [0, 1], "h1": [0]}, {"h0": [0, 2]}])
def test_members_of_no_ensemble_are_one_sentence(members):
    with pytest.raises(UserError, match="of one length, of 1"):
        Toy(members=members, candidates={"h'": [0, 1]})
