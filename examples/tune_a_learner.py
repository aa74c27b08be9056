"""Tune a choice of two learners, each with its hyperparameters: five-fold error on scikit-learn's breast cancer data.

python examples/tune_a_learner.py        (half a minute; started again, it goes on from tune_a_learner.journal)
"""

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from bayes_hpo import Space, minimize

SPACE = Space(
    {
        "learner": {"choices": ["svm", "forest"]},
        "C": {"low": 1e-3, "high": 1e3, "log": True, "when": {"learner": "svm"}},
        "kernel": {"choices": ["linear", "rbf"], "when": {"learner": "svm"}},
        "gamma": {"low": 1e-5, "high": 10.0, "log": True, "when": {"kernel": "rbf"}},
        "n_estimators": {"low": 5, "high": 50, "integer": True, "log": True, "when": {"learner": "forest"}},
        "max_depth": {"low": 1, "high": 10, "integer": True, "when": {"learner": "forest"}},
    }
)
X, y = load_breast_cancer(return_X_y=True)


def error(configuration):
    """The five-fold error of a configuration; whatever a learner raises is a failed trial."""
    settings = {name: value for name, value in configuration.items() if name != "learner"}
    if configuration["learner"] == "svm":
        learner = make_pipeline(StandardScaler(), SVC(**settings))
    else:
        learner = RandomForestClassifier(**settings, random_state=0)
    return 1 - cross_val_score(learner, X, y, cv=5).mean()


if __name__ == "__main__":
    result = minimize(error, SPACE, budget=30, method="gp_cond_ls", seed=0, journal="tune_a_learner.journal")
    print(result.frame.sort_values("loss").head().to_string())
    print(f"lowest error {100 * result.loss:.2f} %: {result.configuration}")
