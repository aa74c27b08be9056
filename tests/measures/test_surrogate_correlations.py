"""Kendall's tau of surrogates that know the truth, its opposite or nothing; which trials they see."""

from types import SimpleNamespace

import numpy as np
import pytest
from probable_pools import SPACE, Study

from bayes_hpo.configuration.build import build
from bayes_hpo.measures.surrogate_correlations import Sample, SurrogateCorrelations
from bayes_hpo.pool import Pool
from bayes_hpo.search.random import RandomSearch
from tests.measures.made_up import SEEDS, search_of

TRIALS, HELD_OUT = 24, 6
FAILING = {3, 20}


@pytest.fixture(scope="module")
def search():
    study = Study(failing=FAILING)
    trials = study.run(RandomSearch(SPACE), TRIALS, SEEDS)
    return search_of(Pool(tuple(trials), truth=study.truth))


@pytest.fixture(scope="module")
def sample(search):
    return Sample.of(search, SPACE, HELD_OUT / TRIALS)


class Knows:
    """Predicts a function of the points, and remembers what it was given."""

    def __init__(self, values):
        self.values = values

    def fit(self, points, targets, memory, rng):
        self.points, self.targets = points, targets
        return self

    def moments(self, points):
        self.asked = points
        mean = np.array([self.values(point) for point in points])
        return mean[None], np.zeros_like(mean)[None]


def trial_at(sample, point):
    return int(np.abs(sample.points - point).sum(axis=1).argmin())


def true_diversity(sample):
    """The truth, looked up by the two points that stand side by side."""
    d = len(SPACE)
    return lambda pair: sample.diversities[trial_at(sample, pair[:d]), trial_at(sample, pair[d:])]


@pytest.mark.parametrize("sign", [1, -1])
def test_tau_is_one_for_the_truth_and_minus_one_for_its_opposite(sample, sign):
    truth, rng = true_diversity(sample), np.random.default_rng(0)
    assert sample.tau_of_pairs(Knows(lambda pair: sign * truth(pair)), 10, rng) == pytest.approx(sign, abs=0.02)
    errors = Knows(lambda point: sign * sample.losses[trial_at(sample, point)])
    assert sample.tau_of_errors(errors, 10, rng) == pytest.approx(sign)


def test_what_predicts_the_same_for_all_has_no_tau(sample):
    assert np.isnan(sample.tau_of_pairs(Knows(lambda _: 1.0), 10, np.random.default_rng(0)))


def test_all_ordered_pairs_are_given_and_all_unordered_ones_asked_for_without_failed_trials(sample):
    surrogate = Knows(true_diversity(sample))
    sample.tau_of_pairs(surrogate, 10, np.random.default_rng(0))
    assert surrogate.points.shape == (9 * 8, 2 * len(SPACE))  # one of the first ten has failed
    assert len({tuple(pair) for pair in surrogate.points}) == 9 * 8
    assert {trial_at(sample, pair[: len(SPACE)]) for pair in surrogate.points} == set(range(10)) - {3}
    np.testing.assert_allclose(surrogate.targets, [surrogate.values(pair) for pair in surrogate.points])
    assert len(surrogate.asked) == 5 * 4 / 2  # one of the six held out has failed
    assert not {trial_at(sample, pair[: len(SPACE)]) for pair in surrogate.asked} & set(range(TRIALS - HELD_OUT))


def test_the_surrogate_of_errors_is_given_failed_trials_and_asked_for_finished_ones(sample):
    surrogate = Knows(lambda point: point[0])
    sample.tau_of_errors(surrogate, 10, np.random.default_rng(0))
    assert surrogate.targets.tolist() == sample.losses[:10].tolist()
    assert surrogate.targets[3] == 1
    assert len(surrogate.asked) == 5


def correlations(**changes):
    settings = {
        "methods": ["rs_es"],
        "space": SPACE,
        "held_out": HELD_OUT / TRIALS,
        "sizes": [0.05, 0.5, 1.0],
        "diversity": {"LGB": Knows(sum), "XGB": Knows(sum)},
        "performance": {"PRF-p": Knows(sum)},
        "needs": {},
    }
    return SurrogateCorrelations(**settings | changes)


def test_every_size_with_pairs_and_every_surrogate_is_a_row(search):
    rows = list(correlations()._rows(search))
    assert [(row["observations"], row["surrogate"]) for row in rows] == [
        (n, name) for n in (9, 18) for name in ("LGB", "XGB", "PRF-p")
    ]
    assert [row["quantity"] for row in rows][:2] == ["tau_LGB_9", "tau_XGB_9"]
    assert [row["quantity"] for row in rows][3:] == ["tau_LGB", "tau_XGB", "tau_PRF-p"]


def test_surrogates_of_the_diversity_are_given_pairs_and_that_of_the_error_single_trials(search):
    measure = correlations(sizes=[0.5])
    assert len(list(measure._rows(search))) == 3
    for kind, coordinates in ((measure.diversity, 2 * len(SPACE)), (measure.performance, len(SPACE))):
        for surrogate in kind.values():
            assert surrogate.points.shape[1] == surrogate.asked.shape[1] == coordinates


def test_no_two_surrogates_and_no_two_sizes_share_a_generator(search):
    drawn = []

    class Draws(Knows):
        def fit(self, points, targets, memory, rng):
            drawn.append(rng.random())
            return super().fit(points, targets, memory, rng)

    list(
        correlations(diversity={"LGB": Draws(sum), "XGB": Draws(sum)}, performance={"PRF-p": Draws(sum)})._rows(search)
    )
    assert len(set(drawn)) == len(drawn) == 6


def test_a_surrogate_whose_library_is_missing_is_left_out(search):
    rows = correlations(needs={"XGB": "no_such_library", "LGB": "numpy"})._rows(search)
    assert {row["surrogate"] for row in rows} == {"LGB", "PRF-p"}


@pytest.mark.slow
def test_the_surrogates_of_the_configuration_learn_the_diversity_of_a_small_space(search, grid_of):
    node = grid_of("divbo_surrogates").cfg["measures"]["surrogate_correlations"]
    node = node | {"diversity": {name: node["diversity"][name] for name in ("lightgbm", "forest")}}
    measure = build(node, "measure")
    forest = SimpleNamespace(space=SPACE)
    surrogates = {"LGB": measure.diversity["lightgbm"]}
    surrogates["PRF"] = type(measure.diversity["forest"])(measure.diversity["forest"].surrogate, forest.space)
    whole = Sample.of(search, SPACE, 0.3)
    for surrogate in surrogates.values():
        assert whole.tau_of_pairs(surrogate, whole.observed, np.random.default_rng(0)) > 0.2
