"""Laws of ensemble optimization: with one slot it is Bayesian optimization; what it observes is computed by hand."""

from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest
from probable_pools import SPACE, random_probabilities
from votes_by_hand import pool_of

from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles import losses
from bayes_hpo.ensembles.slots import Slots
from bayes_hpo.ensembles.ties import random_order, smallest_label
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.evaluation import WithPredictions
from bayes_hpo.pool import History, Pool
from bayes_hpo.repetition import Repetition
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.ensemble_optimization import EnsembleOptimization, OfProbabilities
from bayes_hpo.seeds import Seeds
from bayes_hpo.selection.slot_members import SlotMembers

SEEDS = Seeds("study", "toy", 0)
BUDGET = 12


class Restarted(Bayesian):
    """Bayesian optimization whose chain begins anew at every trial."""

    def chain(self, history):
        return {}


@pytest.fixture(scope="module")
def job(grid_of):
    return grid_of("ensembles_svm", "toy").job("kfold", "eo")


@pytest.fixture(scope="module")
def evaluation(job, iris):
    rng = np.random.default_rng(0)
    hard = replace(iris, y=np.where(rng.random(60) < 0.3, rng.integers(3, size=60), iris.y))  # so that votes differ
    return WithPredictions(Repetition.of(job, hard, 0))


@pytest.fixture
def searcher(job):
    """Function: the searcher `eo` of the toy study with `m` slots, or the same parts as another class."""
    node, space = job["searcher"], build(job["space"], "space")

    def make(m=3, cls=None, loss="squared_margin", pick=None, ties=random_order):
        parts = {name: part for name, part in node.items() if name not in ("slots", "_target_")}
        if cls:
            return build(parts | {"_target_": f"{__name__}.{cls.__name__}"}, "searcher", space=space, budget=BUDGET)
        slots = Slots(m=m, loss=getattr(losses, loss), pick=getattr(losses, pick or loss), ties=ties)
        return build(parts | {"_target_": node["_target_"]}, "searcher", space=space, budget=BUDGET, slots=slots)

    return make


def _run(searcher, evaluate, trials=BUDGET):
    done = []
    while len(done) < trials:
        done.append(evaluate(searcher.propose(History(done, evaluate.truth), SEEDS)))
    return done


def _proposals(trials):
    return [(t.proposal.configuration, {k: v.tolist() for k, v in t.proposal.memory.items()}) for t in trials]


@pytest.mark.parametrize("loss", ["squared_margin", "zero_one"])
def test_with_one_slot_it_is_bayesian_optimization_with_a_chain_that_begins_anew(searcher, evaluation, loss):
    single, plain = (_run(one, evaluation) for one in (searcher(1, loss=loss), searcher(cls=Restarted)))
    assert _proposals(single) == _proposals(plain)
    assert len({str(trial.proposal.configuration) for trial in single}) > BUDGET / 2


def test_it_is_two_overrides_of_bayesian_optimization():
    own = {name for name in vars(EnsembleOptimization) if name in vars(Bayesian) and name[0] != "_"}
    assert own == {"observations", "chain"}


@pytest.mark.parametrize("m", [1, 3, 5])
def test_the_first_m_plus_1_trials_are_uniform_draws_by_trial(searcher, evaluation, m):
    """D13, D20: until two trials are outside of the ensemble there is no surrogate."""
    ensemble, wider = _run(searcher(m), evaluation), _run(searcher(8), evaluation)
    same = [one == other for one, other in zip(_proposals(ensemble), _proposals(wider), strict=True)]
    assert all(same[: m + 1])
    assert not any(same[m + 1 : 9])
    assert all(set(trial.proposal.memory) == {"point"} for trial in ensemble[: m + 1])


def test_it_observes_the_ensembles_losses_with_every_trial_that_is_not_in_another_slot(searcher, evaluation):
    three, members = searcher(3), {}
    trials, truth = _run(three, evaluation), evaluation.truth
    for t in range(BUDGET):
        rest = [trial for slot, trial in members.items() if slot != t % 3]
        outside = [trial for trial in range(t) if trial not in rest]
        indices, observed = three.observations(History(trials[:t], truth), SEEDS)
        assert indices.tolist() == outside
        np.testing.assert_allclose(observed, [_squared_margin(trials, [*rest, own], truth) for own in outside])
        # the new model is a candidate for its own slot; ties go to the lower error, then to the earlier trial
        order = {
            own: (round(_squared_margin(trials, [*rest, own], truth), 12), trials[own].loss, own)
            for own in [*outside, t]
        }
        members[t % 3] = min(order, key=order.get)
    assert len(set(members.values())) == 3


def _squared_margin(trials, members, truth):
    """Mean over folds of (1 - M)^2 / 4, M the mean over members of 1 if right, -1 if wrong (eq. 4.8; D23)."""
    by_fold = {}
    for row, (label, fold) in enumerate(zip(truth.y.tolist(), truth.folds.tolist(), strict=True)):
        M = np.mean([1 if trials[member].predictions[row] == label else -1 for member in members])
        by_fold.setdefault(fold, []).append((1 - M) ** 2 / 4)
    return float(np.mean([np.mean(losses) for losses in by_fold.values()]))


def test_ties_of_votes_are_broken_by_the_rule_of_its_slots(searcher):
    """Of two members one errs in every tied row: where the other label is first in the row's order the vote errs."""
    truth = np.repeat([0, 1], [12, 28])
    history = pool_of([np.zeros(40), np.ones(40), truth], truth).history  # the perfect trial 2 takes slot 0
    first = random_order(2, 40, SEEDS("validation_vote")).argmax(axis=0)
    errors = {"smallest": [28, 0], "random": [(first < truth).sum(), (first > truth).sum()]}
    for name, ties in (("smallest", smallest_label), ("random", random_order)):
        trials, observed = searcher(2, loss="zero_one", ties=ties).observations(history, SEEDS)
        assert trials.tolist() == [0, 1]
        np.testing.assert_allclose(observed, np.array(errors[name]) / 40)
    assert 0 < errors["random"][0] < 28


def test_of_probabilities_it_observes_what_it_does_of_the_most_probable_labels(grid_of):
    """Shen et al. 2022: D24; of equally probable classes the first."""
    searcher = build(grid_of().cfg["searchers"]["divbo_eo"], "searcher", space=SPACE, budget=BUDGET)
    assert type(searcher) is OfProbabilities
    plain = EnsembleOptimization(**{field.name: getattr(searcher, field.name) for field in fields(searcher)})
    for seed in range(5):
        probable = random_probabilities(seed, trials=BUDGET, n_folds=2, failed={4})
        labels = [np.zeros(30) if t == 4 else probable[t].predictions.argmax(axis=1) for t in range(BUDGET)]
        voting = pool_of(labels, probable.truth.y, probable.truth.folds, failed={4})
        for t in range(BUDGET + 1):
            ours, expected = (
                s.observations(h[:t], SEEDS) for s, h in ((searcher, probable.history), (plain, voting.history))
            )
            np.testing.assert_array_equal(ours, expected)


def test_its_ensemble_is_that_of_the_slots_after_the_last_trial(searcher, evaluation):
    three = searcher(3, loss="sigmoid", pick="zero_one")
    pool = Pool(tuple(_run(three, evaluation)), truth=evaluation.truth)
    ensemble = SlotMembers(slots=three.slots)(pool, SEEDS)
    assert len(ensemble.members) == 3
    assert all(member.weight == 1 for member in ensemble.members)


def test_a_failed_trial_is_observed_with_loss_1_and_never_a_member(searcher, evaluation):
    def failing(proposal):
        trial = evaluation(proposal)
        return evaluation.failed(proposal, "no reason", "failed") if proposal.round in (2, 7) else trial

    failing.truth, three = evaluation.truth, searcher(3)
    trials = _run(three, failing)
    indices, observed = three.observations(History(trials, evaluation.truth), SEEDS)
    assert {2, 7} <= set(indices.tolist())  # no slot holds them
    assert observed[indices == 7] == 1
    assert Counter(trial.status for trial in trials)["failed"] == 2


def test_more_slots_than_trials_is_one_sentence(searcher):
    with pytest.raises(
        UserError, match=r"m=13 slots cannot be filled by budget=12 trials; lower m or raise the budget"
    ):
        searcher(13)


def test_a_search_that_stores_no_predictions_is_one_sentence(searcher):
    with pytest.raises(RunError, match="stores no predictions; give its study evaluation: predictions"):
        searcher(3).propose(History(), SEEDS)
