"""What the optimizer refuses, arguments and trials, and the sentence that says what is allowed."""

import numpy as np
import pandas as pd
import pytest
from library_objectives import FORBIDDEN, GRID, KEEPING, SPACE

from bayes_hpo import Optimizer, Space, minimize
from bayes_hpo.errors import UserError


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"method": "gp_cond_lss"},
            r"unknown method=gp_cond_lss \(did you mean gp_cond_ls\?\); allowed: bo, .*random",
        ),
        ({"method": "eo"}, r"^method=eo reads the predictions of models, which only a study stores; allowed: bo, "),
        ({"method": "cma", "space": Space(SPACE, FORBIDDEN)}, f"allowed with clauses: {', '.join(sorted(KEEPING))}$"),
        ({"method": "smac", "space": Space(GRID | {"z": {"choices": [1, 2]}}, [{"z": 2}])}, "^method=smac may propose"),
        ({"method": "grid", "budget": 50}, "^budget=50 is no full grid in 5 dimensions"),
        ({"budget": 0}, "^budget=0 must be at least 1$"),
        ({"budget": 1}, "^budget=1 is below the initial design; raise it to at least 2 trials$"),
        ({"budget": 10.0}, "^budget=10.0 must be a whole number$"),
        ({"seed": -1}, "^seed=-1 must be at least 0$"),
        ({"seed": None}, "^seed=None must be a whole number$"),
        ({"journal": 5}, "^journal=5 must be the path of a file, or None$"),
        ({"journal": ""}, "^journal='' must be the path of a file, or None$"),
        ({"space": [1]}, r"^parameters=\[1\] must be a dict, name -> mapping such as "),
        ({"space": "nowhere.yaml"}, "nowhere.yaml; give the path of a file that ends in .yaml$"),
        ({"space": {"x": {"low": 1}}}, "^x: .* must be the numbers low and high"),
        ({"space": {"x": {"choices": [(1,), (2,)]}}, "journal": "journal"}, r"^x=\(1,\) cannot be kept in a journal; "),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_allowed(change, sentence, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=sentence):
        Optimizer(**({"space": SPACE} | change))


@pytest.mark.parametrize(
    ("configuration", "loss", "sentence"),
    [
        ("C=1", 0.1, "^'C=1' is not a configuration; it must be a dict, name -> value$"),
        ({"x": 5.0, "y": 0.5}, 0.1, "^x=5.0 is not in the search space: Real"),
        ({"x": 0.5}, 0.1, "lacks y$"),
        ({1: 0.5}, 0.1, "^{1: 0.5} is not a configuration; it must be a dict, name -> value$"),
        ({"x": 0.5, "y": 0.5, "z": 1}, 0.1, "^z is not a hyperparameter; allowed: x, y$"),
        ({"x": 0.5, "y": 0.5}, None, "^the loss None is not a number; give one, or NaN for a failed trial$"),
        ({"x": 0.5, "y": 0.5}, [1.0, 2.0], "is not a number; give one, or NaN for a failed trial$"),
    ],
)
def test_a_wrong_trial_is_refused_and_not_kept(configuration, loss, sentence):
    optimizer = Optimizer(GRID)
    with pytest.raises(UserError, match=sentence):
        optimizer.tell(configuration, loss)
    assert optimizer.trials == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"parameters": {1: {"low": 0, "high": 1}}}, r"^parameters={1: .* must be a dict, name -> mapping such as "),
        ({"forbidden": 3}, r"^forbidden=3 must be a list of clauses such as {kernel: linear}$"),
        ({"forbidden": {"kernel": "linear"}}, "^forbidden={'kernel': 'linear'} must be a list of clauses"),
        ({"imputed": "no"}, "^imputed='no' must be a number from 0 to 1, or None$"),
        ({"imputed": 2}, "^imputed=2 must be at least 0 and at most 1$"),
    ],
)
def test_a_wrong_space_is_named(change, sentence):
    with pytest.raises(UserError, match=sentence):
        Space(**({"parameters": SPACE} | change))


def test_whole_numbers_of_numpy_are_whole_numbers(tmp_path):
    path = tmp_path / "journal"
    with Optimizer(GRID, "grid", seed=np.int64(3), budget=np.int32(4), journal=path) as optimizer:
        optimizer.tell(optimizer.ask(), 0.5)
    with Optimizer(GRID, "grid", seed=3, budget=4, journal=path) as again:
        assert len(again.trials) == 1


def test_what_is_told_after_the_journal_was_closed_is_refused_and_not_kept(tmp_path):
    with Optimizer(GRID, "random", journal=tmp_path / "journal") as optimizer:
        configuration = optimizer.ask()
    with pytest.raises(UserError, match=r"journal is closed; make another Optimizer with it to go on$"):
        optimizer.tell(configuration, 0.5)
    assert optimizer.trials == []


def test_what_is_no_function_is_refused_before_a_trial(tmp_path):
    with pytest.raises(UserError, match=r"^3 is not a function; give one that returns the loss of a configuration$"):
        minimize(3, GRID, journal=tmp_path / "journal")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("frame", [[1, 2], {"x": [0.0], "y": [0.0], "loss": [1.0]}])
def test_what_is_no_frame_is_refused(frame):
    with pytest.raises(UserError, match=r"must be a pandas DataFrame, a column per hyperparameter and one of losses$"):
        Optimizer.from_frame(GRID, frame)


@pytest.mark.parametrize(("loss", "wrong"), [("y", "is a hyperparameter"), ("error", "is not a column of the frame")])
def test_a_frame_without_its_losses_is_refused(loss, wrong):
    frame = pd.DataFrame({"x": [0.0], "y": [0.0], "loss": [1.0]})
    with pytest.raises(UserError, match=f"^loss={loss} {wrong}; name the column of losses, of x, y, loss$"):
        Optimizer.from_frame(GRID, frame, loss=loss)
