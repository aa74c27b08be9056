"""DivBO's search space (conf/space/divbo.yaml): printed numbers of hyperparameters, conditions, draws, round trips."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written

pytestmark = pytest.mark.xdist_group("divbo space")  # from which is drawn once

ALGORITHMS = {  # table 6: printed number of hyperparameters, those left out
    "adaboost": (4, 1),  # D30: algorithm
    "random_forest": (5, 0),
    "extra_trees": (5, 0),
    "gradient_boosting": (7, 1),  # D30: criterion
    "k_nearest_neighbors": (2, 0),
    "lda": (4, 0),
    "qda": (1, 0),
    "logistic_regression": (4, 0),
    "liblinear_svc": (5, 0),
    "libsvm_svc": (7, 0),
    "lightgbm": (6, 0),
}
RESCALERS = {"minmax": (0, 0), "normalizer": (0, 0), "quantile": (2, 0), "robust": (2, 0), "standard": (0, 0)}
PREPROCESSORS = {  # table 7
    "cross_features": (1, 0),
    "fast_ica": (4, 0),
    "feature_agglomeration": (4, 0),
    "kernel_pca": (5, 0),
    "kitchen_sinks": (2, 0),
    "lda_decomposer": (1, 0),
    "nystroem": (5, 0),
    "pca": (2, 0),
    "polynomial": (2, 0),
    "random_trees_embedding": (5, 0),
    "svd": (1, 0),
    "select_percentile": (2, 0),
    "generic_univariate": (3, 0),
    "extra_trees_selector": (5, 0),
    "linear_svm_selector": (5, 3),  # D11: penalty, dual, loss
}
ALLOWED = {"liblinear_svc": 4 / 8, "feature_agglomeration": 7 / 9}  # share of an option's combinations
PRINTED = {"algorithm": ALGORITHMS, "rescaler": RESCALERS, "preprocessor": PREPROCESSORS}


@pytest.fixture(scope="module")
def space():
    return build(written("space", "divbo"), "space")


@pytest.fixture(scope="module")
def drawn(space):
    rng = np.random.default_rng(21)
    return [space.decode(point) for point in space.draw(10_000, rng)]


def owners(space):
    """Name of each hyperparameter -> (root, option) that it belongs to, by its conditions."""
    found = {root: (root, None) for root in PRINTED}
    names = list(space.parameters)
    for place in space.conditions.order:
        if names[place] not in found:
            (condition,) = space.conditions.of[place]
            parent = names[condition.parent]
            option = [space.parameters[parent].values[number] for number in condition.numbers]
            found[names[place]] = (parent, option[0]) if parent in PRINTED else found[parent]
    return found


@pytest.mark.parametrize("root", PRINTED)
def test_every_option_has_the_printed_number_of_hyperparameters(space, root):
    counts = Counter(option for owner, option in owners(space).values() if owner == root and option)
    assert counts == Counter({option: printed - left_out for option, (printed, left_out) in PRINTED[root].items()})
    assert set(space.parameters[root].values) - {"empty"} == set(PRINTED[root])


def test_96_hyperparameters_and_three_choices_are_searched(space):
    assert len(space) == 96 + 3
    assert sum(printed for options in PRINTED.values() for printed, _ in options.values()) == 101
    assert space.root == "algorithm"  # whose choices are the arms


def test_a_hyperparameter_is_named_after_its_option(space):
    assert all(name.startswith(f"{option}_") for name, (_, option) in owners(space).items() if option)


@pytest.mark.slow
def test_drawn_configurations_are_valid_and_survive_encoding(space, drawn):
    points = space.encode(drawn)  # raises UserError for an invalid one
    for configuration, point in zip(drawn, points, strict=True):
        decoded = space.decode(point)
        assert decoded.keys() == configuration.keys()
        for name, value in configuration.items():
            assert decoded[name] == (pytest.approx(value, rel=1e-9) if isinstance(value, float) else value)


@pytest.mark.slow
@pytest.mark.parametrize("root", PRINTED)
def test_options_are_drawn_as_often_as_their_combinations_are_allowed(space, drawn, root):
    options = space.parameters[root].values
    counts = Counter(configuration[root] for configuration in drawn)
    shares = np.array([ALLOWED.get(option, 1) for option in options])
    expected = len(drawn) * shares / shares.sum()
    assert chisquare([counts[option] for option in options], expected).pvalue > 0.001


@pytest.mark.slow
def test_no_drawn_configuration_is_a_forbidden_one(drawn):
    for c in drawn:
        if c["algorithm"] == "liblinear_svc":
            how = c["liblinear_svc_penalty"], c["liblinear_svc_loss"], c["liblinear_svc_dual"]
            assert how in {("l2", "hinge", True), ("l2", "squared_hinge", True), ("l2", "squared_hinge", False),
                           ("l1", "squared_hinge", False)}  # fmt: skip
        if c.get("feature_agglomeration_linkage") == "ward":
            assert c["feature_agglomeration_affinity"] == "euclidean"


@pytest.mark.parametrize(("root", "option"), [(root, option) for root in PRINTED for option in PRINTED[root]])
def test_every_option_has_a_default_configuration(space, root, option):
    configuration = space.fix({root: option}).default()
    assert configuration[root] == option
    space.encode([configuration])
