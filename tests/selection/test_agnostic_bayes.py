"""Laws of the selector of agnostic Bayes: weights of the trials, failed ones, pools of another task."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.agnostic_bayes import Resampled, shares
from bayes_hpo.ensembles.combine import mean, vote
from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.pool import FAILED, Pool, Proposal, Trial, Truth
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.argmin import argmin
from bayes_hpo.selection.post_hoc import PostHoc

SEEDS = Seeds("study", "toy", 0)
N = 40


@pytest.fixture
def task(setting):
    return lambda study: build(setting(study, "study.task"), "study.task")


@pytest.fixture
def select(grid_of):
    """Function: the selector of ESMBO in a study."""

    def of(study="esmbo_svm", name="agnostic_bayes"):
        return build(grid_of(study).cfg["selectors"][name], "selector")

    return of


def pool(kind="labels", count=6):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=N) if kind == "labels" else rng.normal(size=N)
    trials = []
    for t in range(count):
        if kind == "labels":
            predictions = np.where(rng.random(N) < 0.3, rng.integers(3, size=N), y)
            loss = (predictions != y).mean()
        else:
            predictions = y + rng.normal(size=N)
            loss = ((predictions - y) ** 2).mean()
        trials.append(Trial(Proposal({"x": t}, t), np.array([loss]), predictions=predictions))
    return Pool(tuple(trials), truth=Truth(y, np.zeros(N, dtype=int)))


def changed(given, t, **changes):
    return replace(given, trials=(*given.trials[:t], replace(given[t], **changes), *given.trials[t + 1 :]))


@pytest.mark.parametrize(("kind", "study", "combine"), [("labels", "esmbo_svm", "Vote"), ("values", "esmbo_svr", mean)])
def test_members_are_the_trials_that_are_best_on_a_bootstrap(kind, study, combine, select):
    given, selector = pool(kind), select(study)
    ensemble = selector(given, SEEDS)
    assert sum(member.weight for member in ensemble.members) == pytest.approx(1)
    by_hand = {"labels": lambda p: p != given.truth.y, "values": lambda p: (p - given.truth.y) ** 2}[kind]
    losses = np.array([by_hand(trial.predictions) for trial in given], dtype=float)
    expected = shares(selector.posterior.samples(losses, SEEDS), np.ones(len(given), dtype=bool))
    assert {m.trial: m.weight for m in ensemble.members} == {t: w for t, w in enumerate(expected) if w}
    assert [m.configuration for m in ensemble.members] == [{"x": m.trial} for m in ensemble.members]
    assert getattr(ensemble.combine, "func", type(ensemble.combine)).__name__ == getattr(combine, "__name__", combine)


def test_one_trial_is_that_trial(select):
    given = pool(count=1)
    (member,) = select()(given, SEEDS).members
    assert (member.configuration, member.weight) == (argmin(given, SEEDS).members[0].configuration, 1.0)


def test_a_failed_trial_has_no_weight_however_good_its_loss(select):
    given = changed(pool(), 2, status=FAILED, predictions=None, losses=np.array([0.0]))
    assert 2 not in {member.trial for member in select()(given, SEEDS).members}
    nothing = given
    for t in range(len(given)):
        nothing = changed(nothing, t, status=FAILED, predictions=None)
    with pytest.raises(EmptyPoolError):
        select()(nothing, SEEDS)


@pytest.mark.parametrize("name", ["agnostic_bayes_n10", "agnostic_bayes_essr50", "agnostic_bayes_dirichlet"])
def test_the_variants_are_ensembles_too(name, select):
    assert sum(member.weight for member in select(name=name)(pool(), SEEDS).members) == pytest.approx(1)


def test_the_t_posterior_weighs_every_trial(select):
    ensemble = select(name="agnostic_bayes_student_t")(pool(), SEEDS)
    assert sum(member.weight for member in ensemble.members) == pytest.approx(1)


def test_a_selector_of_another_task_is_refused(select):
    with pytest.raises(RunError, match="this pool is of regression, its selector or searcher of classification"):
        select("esmbo_svm")(pool("values"), SEEDS)
    with pytest.raises(RunError, match="this pool is of classification, its selector or searcher of regression"):
        select("esmbo_svr")(pool(), SEEDS)


def test_a_vote_of_a_regression_pool_is_refused(setting, grid_of):
    post_hoc = build(grid_of("ensembles_svm").cfg["selectors"]["post_hoc"], "selector")
    assert isinstance(post_hoc, PostHoc)
    with pytest.raises(RunError, match="not labels of the validation rows"):
        post_hoc(pool("values"), SEEDS)


def test_a_pool_without_predictions_is_refused(select):
    with pytest.raises(RunError, match="stores no predictions"):
        select()(changed(pool(), 1, predictions=None), SEEDS)


def test_the_ensemble_combines_as_the_study_says(select):
    given = pool("values")
    ensemble = select("esmbo_svr")(given, SEEDS)
    stored = np.array([given[m.trial].predictions for m in ensemble.members])
    weights = np.array([m.weight for m in ensemble.members])
    np.testing.assert_allclose(ensemble.combined(stored, SEEDS("vote")), weights @ stored)
    assert Resampled is type(select("esmbo_svr").posterior)
    assert vote is not ensemble.combine
