"""The learner that a search ends with is that of the first of its lowest losses."""

from types import SimpleNamespace

import numpy as np
import pytest

from bayes_hpo.errors import UserError
from bayes_hpo.measures import chosen_learner
from bayes_hpo.measures.chosen_learner import ChosenLearner
from bayes_hpo.pool import FAILED, FINISHED, Pool, Proposal, Trial
from bayes_hpo.spaces.space import Space

SPACE = Space(
    {"learner": {"choices": ["svm", "rf", "gnb"]}, "C": {"low": 0.0, "high": 1.0, "when": {"learner": "svm"}}}
)
KEY = {"dataset": "iris", "repetition": 0, "validation": "kfold", "method": "gp_cond_ls"}


@pytest.fixture
def measured(monkeypatch):
    """Function: the frame of one search, given its learners and losses; a loss of None is a failed trial."""

    def of(learners, losses):
        trials = [
            Trial(
                Proposal({"learner": learner}, t),
                losses=np.array([1.0 if loss is None else loss]),
                status=FAILED if loss is None else FINISHED,
            )
            for t, (learner, loss) in enumerate(zip(learners, losses, strict=True))
        ]
        search = SimpleNamespace(key=KEY, pool=Pool(tuple(trials)), seeds=None)
        monkeypatch.setattr(chosen_learner, "searches", lambda grid, methods: [search])
        return ChosenLearner(methods=["gp_cond_ls"], space=SPACE, root="learner")(None)

    return of


@pytest.mark.parametrize(
    ("learners", "losses", "final"),
    [
        (["svm", "rf", "gnb"], [0.3, 0.1, 0.2], "rf"),
        (["gnb", "rf", "svm"], [0.1, 0.2, 0.1], "gnb"),
        (["svm", "rf", "rf"], [0.2, None, 0.3], "svm"),
    ],
    ids=["lowest", "first of equals", "one that finished"],
)
def test_a_search_has_one_final_learner(measured, learners, losses, final):
    rows = measured(learners, losses)
    assert rows.set_index("quantity")["value"].to_dict() == {
        f"chosen_{name}": float(name == final) for name in ("svm", "rf", "gnb")
    }
    assert (rows[list(KEY)] == list(KEY.values())).all(axis=None)


@pytest.mark.parametrize("root", ["C", "lerner"])
def test_what_is_no_choice_is_refused(root):
    with pytest.raises(UserError, match=f"root={root} is no choice of the space; allowed: learner, C"):
        ChosenLearner(methods=["gp_cond_ls"], space=SPACE, root=root)
