"""DivBO's learners (conf/learner/divbo.yaml): every option fits, probabilities are probabilities, failures are told."""

import time
from collections import Counter

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.errors import is_learner_error

SPACE = build(written("space", "divbo"), "space")
OPTIONS = [(root, option) for root in ("algorithm", "rescaler", "preprocessor")
           for option in SPACE.parameters[root].values]  # fmt: skip
SECONDS = 5.0  # of CPU time, in which a configuration fits on 300 rows


@pytest.fixture(scope="module")
def learner():
    return build(written("learner", "divbo"), "learner")


@pytest.fixture(scope="module")
def parts():
    """Function: training and validation rows of a loader's data set, X and y of each."""

    def make(load):
        X, y = load(return_X_y=True)
        order = np.random.default_rng(0).permutation(len(y))
        train, others = order[: min(300, 2 * len(y) // 3)], order[min(300, 2 * len(y) // 3) :]
        return X[train], y[train], X[others], y[others]

    return make


def probabilities(learner, configuration, parts):
    X, y, new, _ = parts
    return learner.fit(configuration, X, y, np.random.default_rng(1)).predict_proba(new)


def assert_are_probabilities(p, n, k):
    assert p.shape == (n, k)
    assert p.min() >= 0
    np.testing.assert_allclose(p.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine], ids=["two classes", "three classes"])
@pytest.mark.parametrize(("root", "option"), OPTIONS)
def test_every_option_fits_in_its_default_configuration_better_than_chance(learner, parts, load, root, option):
    others = {"algorithm": "logistic_regression", "rescaler": "minmax", "preprocessor": "empty"}
    others |= {"qda_reg_param": 0.1} if option == "qda" else {}  # without, it refuses columns that depend on others
    configuration = SPACE.fix(others | {root: option}).default()
    data = parts(load)
    p = probabilities(learner, configuration, data)
    assert_are_probabilities(p, len(data[3]), len(set(data[1])))
    constant = max(Counter(data[3].tolist()).values()) / len(data[3])
    assert np.mean(p.argmax(axis=1) == data[3]) > constant


def test_a_configuration_gives_the_same_predictions_again(learner, parts):
    data = parts(load_wine)
    for seed in range(6):
        configuration = SPACE.arm("lightgbm" if seed % 2 else "random_forest").sample(np.random.default_rng(seed))
        try:
            first = probabilities(learner, configuration, data)
        except ValueError:
            continue
        np.testing.assert_array_equal(first, probabilities(learner, configuration, data))


def test_missing_values_are_medians_of_the_training_rows(learner, parts):
    X, y, new, _ = (array.copy() for array in parts(load_wine))
    configuration = SPACE.fix({"algorithm": "lda", "rescaler": "standard", "preprocessor": "empty"}).default()
    X[::7, 2], new[::5, 3] = np.nan, np.nan
    filled = [np.where(np.isnan(rows), np.nanmedian(X, axis=0), rows) for rows in (X, new)]
    np.testing.assert_array_equal(
        probabilities(learner, configuration, (X, y, new, None)),
        probabilities(learner, configuration, (filled[0], y, filled[1], None)),
    )


def test_an_operator_that_leaves_no_column_is_a_failure_of_the_learner(learner):
    X, y = np.random.default_rng(0).random((100, 4)), np.arange(100) % 2
    values = {"algorithm": "lightgbm", "rescaler": "empty", "preprocessor": "generic_univariate"}
    strict = {"generic_univariate_mode": "fwe", "generic_univariate_alpha": 0.01}
    with pytest.raises(ValueError, match="has left no column") as problem:
        probabilities(learner, SPACE.fix(values | strict).default(), (X, y, X, y))
    assert is_learner_error(problem.value)


def test_values_that_are_not_finite_are_a_failure_of_the_learner(learner):
    X, y = np.random.default_rng(0).random((100, 4)), np.arange(100) % 2
    values = {"algorithm": "lightgbm", "rescaler": "empty", "preprocessor": "polynomial"}
    X[:, 0] = 1e300  # its square is infinite, which LightGBM would take
    with pytest.raises(ValueError, match=r"not finite|infinity") as problem:
        probabilities(learner, SPACE.fix(values).default(), (X, y, X, y))
    assert is_learner_error(problem.value)


@pytest.mark.slow
def test_500_drawn_configurations_fit_or_say_why_not(learner, parts):
    data, rng, reasons, drawn = parts(load_breast_cancer), np.random.default_rng(7), Counter(), Counter()
    for _ in range(500):
        configuration, start = SPACE.sample(rng), time.process_time()
        drawn[configuration["algorithm"]] += 1
        try:
            p = probabilities(learner, configuration, data)
        except ValueError as problem:  # any other error is a fault of the space or of the learner's settings
            reasons[f"{configuration['preprocessor']}, {configuration['algorithm']}: {str(problem)[:60]}"] += 1
        else:
            assert_are_probabilities(p, len(data[3]), 2)
            if time.process_time() - start > SECONDS:
                reasons[f"{configuration['preprocessor']}, {configuration['algorithm']}: too slow"] += 1
    print(*reasons.most_common(), sep="\n")
    assert sum(reasons.values()) < 0.1 * 500
    failed = Counter()
    for reason, count in reasons.items():
        failed[reason.partition(", ")[2].partition(":")[0]] += count
    most = dict.fromkeys(drawn, 0.25) | {"qda": 0.75}  # of D7: a covariance of deficient rank
    assert {name: share for name in drawn if (share := failed[name] / drawn[name]) > most[name]} == {}
