"""A class that the training rows of a fold lack: labels stay those of the data set, in votes and in selections."""

import numpy as np
import pytest

from bayes_hpo.data.prepared import Data
from bayes_hpo.ensembles.greedy import Greedy
from bayes_hpo.ensembles.losses import squared_margin, zero_one
from bayes_hpo.ensembles.slots import Slots
from bayes_hpo.ensembles.votes import StoredVotes
from bayes_hpo.evaluation import WithPredictions
from bayes_hpo.pool import FINISHED, Pool, Proposal
from bayes_hpo.repetition import Repetition
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.post_hoc import PostHoc
from bayes_hpo.selection.slot_members import SlotMembers

ABSENT = 1  # the class in the middle: without it 2 is the second of those that are left
SVM = {"width": 0.5, "degree": 2, "intercept": 1.0}
KERNELS = ("linear", "rbf", "poly")  # those of chapter 4 that part the classes
PAIRS = {  # a kernel, or a learner of table 5.1 -> two configurations
    **{kernel: [SVM | {"kernel": kernel, "C": C} for C in (1.0, 10.0)] for kernel in KERNELS},
    "knn": [{"knn_n_neighbors": k} for k in (1, 3)],
    "svm": [{"svm_C": C, "svm_tau": 0.5} for C in (1.0, 10.0)],
    "linsvm": [{"linsvm_C": C} for C in (1.0, 10.0)],
    "dt": [{"dt_max_depth": d, "dt_min_samples_split": 2, "dt_min_samples_leaf": 1} for d in (2, 3)],
    "rf": [
        {"rf_n_estimators": n, "rf_max_depth": 3, "rf_min_samples_split": 2, "rf_min_samples_leaf": 1} for n in (5, 9)
    ],
    "adab": [{"adab_n_estimators": n} for n in (5, 9)],
    "gnb": [{}, {}],
    "lda": [{}, {}],
}  # all but qda, which refuses the class of one row in the other folds


@pytest.fixture(scope="module")
def data():
    """Three clouds far from each other; class 1 has one row outside of the test part."""
    y = np.array([0] * 20 + [ABSENT] * 2 + [2] * 20)
    X = np.random.default_rng(0).normal(scale=0.3, size=(42, 2)) + np.array([[-4, 0], [0, 4], [4, 0]])[y]
    return Data(X, y, np.array([0, 1, 20, 22, 23]), False, {"name": "tiny"})


@pytest.fixture(params=PAIRS)
def searched(request, grid_of, data):
    """(repetition, pool of two trials) of each learner."""
    name = request.param
    study, searcher, root = (
        ("ensembles_svm", "eo", {}) if name in KERNELS else ("conditional", "random", {"learner": name})
    )
    repetition = Repetition.of(grid_of(study).job("kfold", searcher), data, 0)
    evaluate = WithPredictions(repetition)
    trials = [evaluate(Proposal(root | own, t)) for t, own in enumerate(PAIRS[name])]
    return repetition, Pool(tuple(trials), truth=evaluate.truth)


def test_votes_of_a_fold_without_a_class_are_labels_of_the_whole_data_set(data, searched):
    repetition, pool = searched
    assert [(trial.status, trial.reason) for trial in pool] == [(FINISHED, "")] * 2
    r = repetition
    folds = r.protocol.folds(r.parts, data.y, 0, r.seeds, training_cap=100)
    (lacking,) = [number for number, fold in enumerate(folds) if ABSENT not in data.y[fold.train]]
    votes = StoredVotes.of(pool.history, Seeds("study", "toy", 0))
    rows = votes.folds == lacking
    known = rows & (votes.truth != ABSENT)
    assert (rows & ~known).sum() == 1  # the only row of the class validates here
    assert set(votes.truth[known]) == {0, 2}
    np.testing.assert_array_equal(votes.labels[:, known], [votes.truth[known]] * 2)
    assert set(votes.labels[:, rows & ~known].ravel()) <= {0, 2}
    assert (len(votes.priority), votes.counts([0, 1]).shape[0]) == (3, 3)
    errors = [(votes.labels != votes.truth)[:, votes.folds == fold].mean(axis=1) for fold in range(len(folds))]
    np.testing.assert_allclose(votes.losses, np.mean(errors, axis=0))
    np.testing.assert_allclose(zero_one(votes.extended([], [0, 1])), votes.losses)


def test_selections_of_such_trials_predict_the_classes_of_the_whole_data_set(data, searched):
    repetition, pool = searched
    test = repetition.parts.test
    for select in (
        PostHoc(greedy=Greedy(size=3, first=2)),
        SlotMembers(slots=Slots(m=2, loss=squared_margin, pick=squared_margin)),
    ):
        ensemble = select(pool, repetition.seeds)
        assert {member.trial for member in ensemble.members} == {0, 1}
        rows = np.flatnonzero((data.y != ABSENT) & ~np.isin(np.arange(42), test))  # models that have not seen class 1
        predictions = [repetition.fit(member.configuration, rows)[1](test) for member in ensemble.members]
        labels = ensemble.combined(np.array(predictions), repetition.seeds("vote"))
        known = data.y[test] != ABSENT
        np.testing.assert_array_equal(labels[known], data.y[test][known])
