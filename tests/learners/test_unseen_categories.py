"""Categories that the test part alone has: known from the file, learned by no model (docs/data.md, Preparation)."""

import numpy as np
import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import written
from bayes_hpo.data.prepared import Data
from bayes_hpo.data.sources.openml_formats import read_table
from bayes_hpo.data.sources.table import MOST_INDICATORS
from bayes_hpo.evaluation import WithTestPredictions
from bayes_hpo.pool import FINISHED, Proposal
from bayes_hpo.repetition import Repetition

N, TEST = 120, np.arange(96, 120)
SPACE = build(written("space", "divbo"), "space")
LEARNER = build(written("learner", "divbo"), "learner")
# without QDA, which no constant column leaves a covariance of full rank
ALGORITHMS = [name for name in SPACE.parameters["algorithm"].values if name != "qda"]


def configuration(algorithm):
    return SPACE.fix({"algorithm": algorithm, "rescaler": "standard", "preprocessor": "empty"}).default()


def fitted(data, algorithm):
    return LEARNER.fit(configuration(algorithm), data.X[:96], data.y[:96], np.random.default_rng(0))


@pytest.fixture(scope="module")
def data():
    """Like amazon_employee: a column of many numbers that are names, and one of few; new ones in the test part."""
    rng = np.random.default_rng(0)
    ids = [str(3 * k + 7) for k in range(MOST_INDICATORS + 10)]
    resources, roles = rng.choice(ids[:-4], N), rng.choice(["a", "b", "c"], N)
    labels = np.where(rng.random(N) < 0.2, rng.integers(0, 2, N), roles == "a")
    resources[: len(ids) - 4], resources[TEST[:4]], roles[TEST[:4]] = ids[:-4], ids[-4:], "d"
    cells = zip(resources, roles, labels, strict=True)
    lines = "\n".join(f"{resource},{role},{label:d}" for resource, role, label in cells)
    head = f"@attribute resource {{{','.join(ids)}}}\n@attribute role {{a,b,c,d}}\n@attribute class {{0,1}}"
    X, y, _ = read_table("dataset.arff", f"@relation r\n{head}\n@data\n{lines}\n".encode(), "class", ())
    return Data(X, y, TEST, False, {"name": "tiny"})


def test_they_have_a_code_or_an_indicator_that_no_training_row_has(data):
    rest = np.delete(data.X, TEST, axis=0)
    assert data.X.shape == (N, 1 + 4)
    assert data.X[TEST[:4], 0].tolist() == [3 * k + 7 for k in range(MOST_INDICATORS + 6, MOST_INDICATORS + 10)]
    assert not set(data.X[TEST[:4], 0]) & set(rest[:, 0])
    assert (data.X[TEST[:4], 4] == 1).all()
    assert not rest[:, 4].any()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_trial_predicts_their_rows(grid_of, data, algorithm):
    repetition = Repetition.of(grid_of("divbo").job("holdout", "random"), data, 0)
    np.testing.assert_array_equal(repetition.parts.test, TEST)
    trial = WithTestPredictions(repetition)(Proposal(configuration(algorithm), 0))
    assert trial.status == FINISHED
    assert trial.test_predictions.shape == (len(TEST), 2)
    np.testing.assert_allclose(trial.test_predictions.sum(axis=1), 1, atol=1e-6)


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "libsvm_svc"])
def test_no_model_has_learned_from_an_indicator_of_theirs(data, algorithm):
    """In the kernel of libsvm_svc it adds to the distance to every training row."""
    model, rows = fitted(data, algorithm), data.X[TEST[:4]]
    without = rows * [1, 1, 1, 1, 0]
    np.testing.assert_allclose(model.predict_proba(rows), model.predict_proba(without), atol=1e-6)


@pytest.mark.parametrize("algorithm", ["adaboost", "random_forest", "extra_trees", "gradient_boosting", "lightgbm"])
def test_their_code_is_a_number_like_any_other(data, algorithm):
    """To trees a code above all that they have seen is the highest of these."""
    model, rows = fitted(data, algorithm), data.X[TEST[:4]]
    highest = rows.copy()
    highest[:, 0] = data.X[:96, 0].max()
    assert (highest[:, 0] < rows[:, 0]).all()
    np.testing.assert_array_equal(model.predict_proba(rows), model.predict_proba(highest))
