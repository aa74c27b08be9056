"""Laws of SMAC as a searcher."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.acquisition.candidates import ImputedSamples
from bayes_hpo.acquisition.criteria import ExpectedImprovement
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure
from bayes_hpo.pool import FAILED, History, Trial
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds
from bayes_hpo.spaces.space import Space

SEEDS = Seeds("study", "toy", 0)
UNIT = {"low": 0.0, "high": 1.0}
SMALL = Space({"kind": {"choices": ["a", "b", "c"]}, "n": {"low": 1, "high": 3, "integer": True, "when": {"kind": "a"}},
               "ok": {"choices": [True, False], "when": {"kind": ["a", "b"]}}})  # fmt: skip


@pytest.fixture(scope="module")
def cash():
    return build(configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]["cash"], "space")


@pytest.fixture(scope="module")
def smac_on():
    """Function: the searcher smac, as conf/ has it, on a space."""
    node = configure("plan", ["study=overfitting", "scale=toy"], groups=("searcher",))["searchers"]["smac"]
    return lambda space: build(node, "searcher", space=space, budget=40)


@pytest.fixture(scope="module")
def searched(smac_on, cash):
    """The trials (list) of a search of the space of chapter 5."""
    return _run(smac_on(cash), _error(cash), 40)


def _run(searcher, loss, trials, seeds=SEEDS, done=()):
    """Trials (list) of a search that goes on from those that are done; loss: of a configuration."""
    done = list(done)
    while len(done) < trials:
        proposal = searcher.propose(History(done), seeds)
        done.append(Trial(proposal, np.array([loss(proposal.configuration)])))
    return done


def _configurations(trials):
    return [trial.proposal.configuration for trial in trials]


def _error(space):
    """A loss in [0, 1] of configurations: learners differ, each has a best setting."""

    def loss(configuration):
        (point,) = space.encode([configuration])
        away = (point[1:] - 0.3)[space.active(point[None])[0][1:]] ** 2
        return float(0.1 + 0.3 * abs(point[0] - 0.4) + 0.6 * away.sum() / 4)

    return loss


def _distinct(configurations):
    return len({json.dumps(configuration, sort_keys=True) for configuration in configurations})


def test_the_first_trial_is_the_default_configuration_the_middle_of_the_space(smac_on, cash):
    (first,) = _configurations(_run(smac_on(cash), _error(cash), 1))
    middle = {"rf_n_estimators": 16, "rf_max_depth": 6, "rf_min_samples_split": 51, "rf_min_samples_leaf": 51}
    assert first == {"learner": "rf"} | middle
    assert first == smac_on(cash).propose(History(), Seeds("study", "other", 7)).configuration


def test_every_second_trial_is_random_and_the_others_follow_the_losses(smac_on, cash, searched):
    upside_down = [replace(trial, losses=1 - trial.losses) for trial in searched]
    for t in range(21, 33):
        proposals = [smac_on(cash).propose(History(trials[:t]), SEEDS) for trials in (searched, upside_down)]
        assert (proposals[0] == proposals[1]) == (t % 2 == 0), t


def test_random_trials_take_every_learner(smac_on, cash):
    begun, searcher = History(_run(smac_on(cash), _error(cash), 2)), smac_on(cash)
    drawn = [searcher.propose(begun, Seeds("study", "toy", r)).configuration["learner"] for r in range(90)]
    assert set(drawn) == set(cash.parameters["learner"].choices)
    assert drawn.count("svm") < 25


def test_a_trial_of_the_model_has_the_highest_expected_improvement_of_what_was_not_tried(smac_on, cash, searched):
    searcher, history, t = smac_on(cash), History(searched[:39]), 39
    forest = searcher.surrogate.fit(cash.encode(history.configurations), history.losses, {}, SEEDS("forest", t))
    samples = cash.impute(cash.from_uniform(SEEDS("candidates", t).random((1000, 14))))
    new = [point for point in samples if cash.decode(point) not in history.configurations]
    proposed = cash.encode([searcher.propose(history, SEEDS).configuration])
    means, variances = forest.moments(np.concatenate([proposed, new]))
    values = ExpectedImprovement(history.losses.min()).value(means, variances)[0]
    assert values[0] >= values.max() - 1e-12
    assert values[0] > np.median(values) + 1e-4


def test_the_local_search_is_told_the_best_trial_and_all_that_was_tried(smac_on, cash, searched):
    seen = []

    def spy(criterion, candidates, tried, rng):
        seen.append(tried)
        return candidates[0]

    replace(smac_on(cash), maximizer=spy).propose(History(searched[:39]), SEEDS)
    lowest = min(searched[:39], key=lambda trial: trial.loss).proposal.configuration
    np.testing.assert_array_equal(seen[0].best[None], cash.encode([lowest]))
    assert seen[0].contains(cash.encode(_configurations(searched[:39]))).all()


def test_the_model_leads_to_low_losses_and_chance_does_not(searched):
    losses = np.array([trial.loss for trial in searched])
    assert np.median(losses[21::2]) < np.quantile(losses[20::2], 0.3)


def test_no_configuration_is_evaluated_twice(searched):
    assert _distinct(_configurations(searched)) == len(searched)


@pytest.mark.parametrize("repetition", range(3))
def test_a_finite_space_is_tried_out_before_anything_comes_again(smac_on, repetition):
    trials = _run(smac_on(SMALL), lambda c: 0.1 * len(c), 12, Seeds("study", "toy", repetition))
    assert _distinct(_configurations(trials[:9])) == _distinct(_configurations(trials)) == 9  # 3 x 2, 2 and 1


@pytest.mark.parametrize("loss", [0.0, 0.37, 1.0])
def test_equal_losses_are_no_hindrance(smac_on, cash, loss):
    assert _distinct(_configurations(_run(smac_on(cash), lambda c: loss, 12))) == 12


def test_a_failed_trial_without_a_loss_is_no_hindrance(smac_on, cash, searched):
    trials = searched[:6]
    trials[3] = replace(trials[3], losses=np.array([np.nan]), status=FAILED)
    for t in (4, 5, 6):
        assert smac_on(cash).propose(History(trials[:t]), SEEDS).configuration not in _configurations(trials[:t])


def test_each_trial_is_a_round(searched):
    assert [trial.proposal.round for trial in searched] == list(range(len(searched)))


def test_a_search_resumed_at_every_trial_equals_the_uninterrupted_one(smac_on, cash, searched):  # D5.14
    for cut in range(25):
        journal = json.loads(json.dumps([to_record(trial) for trial in searched[:cut]]))
        resumed = _run(smac_on(cash), _error(cash), cut + 2, done=[from_record(record) for record in journal])
        assert [trial.proposal for trial in resumed] == [trial.proposal for trial in searched[: cut + 2]]


def test_only_the_history_up_to_now_is_read(smac_on, cash, searched):
    for t in (0, 1, 2, 17, 32):
        assert smac_on(cash).propose(History(searched)[:t], SEEDS) == searched[t].proposal


def test_no_two_draws_of_a_search_share_a_generator(smac_on, cash, searched):
    asked = []

    def recording(name, *numbers):
        asked.append((name, *numbers))
        return SEEDS(name, *numbers)

    for t in range(5):
        assert smac_on(cash).propose(History(searched[:t]), recording) == searched[t].proposal
    assert len(set(asked)) == len(asked) == 3 + 1 + 3 + 1  # trials 1 to 4


def test_repetitions_differ(smac_on, cash):
    runs = [_configurations(_run(smac_on(cash), _error(cash), 4, Seeds("study", "toy", r))) for r in range(3)]
    assert _distinct([configuration for run in runs for configuration in run]) == 1 + 3 * 3


@pytest.mark.slow
@pytest.mark.parametrize("conditional", [False, True])
def test_it_finds_better_configurations_than_random_search(smac_on, cash, conditional):
    space = cash if conditional else Space(dict.fromkeys("ab", UNIT))
    loss = _error(cash) if conditional else lambda c: 0.1 + (c["a"] - 0.3) ** 2 + (c["b"] - 0.3) ** 2

    def regret(searcher):
        runs = [_run(searcher, loss, 60, Seeds("study", "toy", r)) for r in range(6)]
        return np.mean([min(trial.loss for trial in run) for run in runs]) - 0.1

    assert regret(smac_on(space)) < 0.7 * regret(RandomSearch(space))


def test_the_settings_are_those_of_the_original_s_defaults(smac_on, cash):  # docs/decisions.md, SMAC
    searcher = smac_on(cash)
    forest, search = searcher.surrogate, searcher.maximizer
    assert (forest.trees, forest.min_split, forest.min_leaf, forest.depth) == (10, 3, 3, 20)
    assert forest.features == pytest.approx(5 / 6)
    assert forest.floor == pytest.approx(1e-5)
    assert searcher.candidates == ImputedSamples(1000)
    assert (search.n_starts, search.draws, search.deviation) == (10, 4, 0.2)
    assert search.threshold == pytest.approx(1e-5)
