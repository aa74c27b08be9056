"""Laws of stacks (D29 of DivBO): what the meta-learner is given, of which rows, and what becomes of a failing base."""

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from lightgbm import LGBMClassifier

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.ensembles.stack import stacked
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.outcomes.predictions import Probabilities
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.score import score
from bayes_hpo.scoring.stacked import Stacked
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.stacking import Stacking
from bayes_hpo.splits import KFold

SEEDS = Seeds("study", "tiny", 0)
BASES = tuple(Member({"number": number}, trial=number) for number in range(3))


class Echo:
    """A model that knows the rows it was trained on: certain of their classes, of others it says all alike."""

    def __init__(self, number, X, y, rng):
        self.number, self.known = number, {row.tobytes(): label for row, label in zip(X, y, strict=True)}

    def predict_proba(self, X):
        rows = np.full((len(X), 3), 1 / 3)
        for place, row in enumerate(X):
            if row.tobytes() in self.known:
                rows[place] = np.eye(3)[self.known[row.tobytes()]]
        return rows


class Learner:
    """A learner of such models, which remembers on how many rows; of the configurations `failing` it trains none."""

    def __init__(self, failing=(), error=ValueError):
        self.failing, self.error, self.sizes = failing, error, []

    def fit(self, configuration, X, y, rng):
        if configuration["number"] in self.failing:
            raise self.error("rank")
        self.sizes.append(len(X))
        return Echo(configuration["number"], X, y, rng)


class Meta:
    """A meta-learner that keeps what it is given and predicts the probabilities of the last base."""

    def fit(self, configuration, X, y, rng):
        self.X, self.y = X, y
        return self

    def predict_proba(self, X):
        self.X_test = X
        return X[:, -3:]

    def unconverged(self, model):
        return 0


@pytest.fixture
def stack(iris, toy_job):
    """Function: (a Stacked, its repetition) with a learner of bases whose own models predict TEST."""

    def make(base=None, meta=None, folds=5):
        job = toy_job(protocol="holdout")
        repetition = Repetition.of(job, iris, 0)
        task = replace(repetition.task, predictions=Probabilities())
        repetition = replace(repetition, learner=base or Learner(), task=task)
        final = Stacked("pool.npz", repetition=repetition, folds=KFold(folds), learner=meta or Meta())
        rng = np.random.default_rng(1)
        final.predictions = {n: rng.dirichlet(np.ones(3), len(repetition.parts.test)) for n in range(3)}
        return final, repetition

    return make


def training_rows(repetition):
    r = repetition
    return r.protocol.folds(r.parts, r.strata, 0, r.seeds, training_cap=r.training_cap)[0].train


def test_no_row_is_predicted_by_a_model_that_has_seen_it(stack, iris):
    """Such a model would be certain; and with the training rows among those predicted, none is left out."""
    meta = Meta()
    final, repetition = stack(meta=meta)
    final(stacked(BASES).members[0])
    rows = training_rows(repetition)
    assert meta.X.shape == (len(rows), 3 * 3)
    np.testing.assert_allclose(meta.X, 1 / 3, rtol=1e-6)
    np.testing.assert_array_equal(meta.y, iris.y[rows])
    assert sorted(repetition.learner.sizes) == sorted([len(rows) - len(cut) for cut in np.array_split(rows, 5)] * 3)


class Cutting(KFold):
    """K-fold that keeps what it cuts."""

    cuts: ClassVar[list] = []

    def cut(self, strata, rng):
        self.cuts.append(super().cut(strata, rng))
        return self.cuts[-1]


def test_all_bases_have_the_five_folds_of_the_repetition_which_hold_every_class_out_alike(stack, iris, monkeypatch):
    def cut(**seeds):
        monkeypatch.setattr(Cutting, "cuts", [])
        final, repetition = stack()
        rows = training_rows(repetition)
        monkeypatch.setattr(Stacked, "_rows", rows)  # the same for the seeds of another repetition
        final.folds, final.repetition = Cutting(5), replace(repetition, seeds=replace(repetition.seeds, **seeds))
        final(stacked(BASES).members[0])
        y = iris.y[rows]
        assert sorted(np.concatenate(Cutting.cuts[0])) == list(range(len(y)))
        counts = np.array([np.bincount(y[fold], minlength=3) for fold in Cutting.cuts[0]])  # (folds, classes)
        assert np.ptp(counts, axis=0).max() <= 1
        first, *others = [[fold.tolist() for fold in cuts] for cuts in Cutting.cuts]
        assert others == [first, first]
        return first

    assert cut() == cut()
    assert cut() != cut(repetition=1)


def test_held_out_rows_keep_the_order_of_the_training_rows(stack, iris):
    class Telling(Learner):
        def fit(self, configuration, X, y, rng):
            self.predict_proba = lambda rows: np.column_stack([rows[:, 0], rows[:, 1], rows[:, 2]])
            return self

    meta = Meta()
    final, repetition = stack(Telling(), meta)
    final(stacked(BASES[:1]).members[0])
    np.testing.assert_allclose(meta.X, iris.X[training_rows(repetition)][:, :3], rtol=1e-6)


def test_the_test_part_is_predicted_from_the_bases_own_models(stack):
    meta = Meta()
    final, _ = stack(meta=meta)
    found = final(stacked(BASES).members[0])
    np.testing.assert_array_equal(meta.X_test, np.hstack([final.predictions[n] for n in range(3)]))
    np.testing.assert_allclose(found, final.predictions[2], rtol=1e-6)


def test_a_stack_of_one_base_whose_meta_learner_repeats_it_is_that_base(stack, iris):
    final, repetition = stack()
    y = iris.y[repetition.parts.test]
    for base in BASES:
        alone = score(stacked([base]), final, y, SEEDS("vote"), repetition.task)
        single = replace(stacked([base]), members=(base,))
        np.testing.assert_array_equal(alone, score(single, final, y, SEEDS("vote"), repetition.task))


def test_a_trial_that_is_no_base_is_itself(stack):
    final, repetition = stack()
    np.testing.assert_array_equal(final(BASES[1]), final.predictions[1])
    assert repetition.learner.sizes == []


def test_every_member_of_a_stack_predicts_alike_and_it_is_fitted_once(stack):
    final, repetition = stack()
    first, *others = [final(member) for member in stacked(BASES).members]
    assert len(repetition.learner.sizes) == 3 * 5
    for other in others:
        np.testing.assert_array_equal(other, first)


def test_a_base_that_cannot_be_trained_again_is_left_out(stack):
    meta = Meta()
    final, _ = stack(Learner(failing={0, 2}), meta)
    final(stacked(BASES).members[0])
    assert meta.X.shape[1] == 3
    np.testing.assert_array_equal(meta.X_test, final.predictions[1])


def test_a_base_that_fails_on_the_test_part_is_left_out_and_not_trained_again(stack, iris):
    meta = Meta()
    final, repetition = stack(meta=meta)
    del final.predictions[0]
    final(stacked(BASES).members[0])
    np.testing.assert_array_equal(meta.X_test, np.hstack([final.predictions[n] for n in (1, 2)]))
    assert len(repetition.learner.sizes) == 2 * 5
    y = iris.y[repetition.parts.test]
    assert (score(stacked(BASES[:1]), final, y, SEEDS("vote"), repetition.task) == 1).all()


def test_no_base_at_all_is_one_sentence(stack):
    final, _ = stack(Learner(failing={0, 1, 2}))
    with pytest.raises(RunError, match="could be trained on a part of its rows"):
        final(stacked(BASES).members[0])


def test_an_error_that_is_not_the_learner_s_is_raised(stack):
    final, _ = stack(Learner(failing={1}, error=UserError))
    with pytest.raises(UserError, match="rank"):
        final(stacked(BASES).members[0])


def test_the_meta_learner_is_lightgbm_as_decided():
    node = written("final", "stacked")["final"]
    learner = build(node["learner"], "study.final.learner")
    assert learner.kind is LGBMClassifier
    decided = {"max_depth": 4, "learning_rate": 0.05, "n_estimators": 150}
    assert learner.settings == decided | {"n_jobs": 1, "verbose": -1}
    assert build(node["folds"], "study.final.folds") == KFold(5)
    assert written("final", "stacked")["evaluation"] == written("final", "as_trained")["evaluation"]


def test_the_best_trials_are_stacked_the_earlier_of_equals_first(pool_from):
    pool = pool_from(losses=[0.5, 0.1, 0.3, 0.1, 0.2, 0.3], failed={4})
    ensemble = Stacking(size=3)(pool, SEEDS)
    assert [member.trial for member in ensemble.members] == [1, 3, 2]
    assert all([base.trial for base in member.stack] == [1, 3, 2] for member in ensemble.members)
