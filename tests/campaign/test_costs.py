"""Laws of the estimated costs: measured models are met, sizes never make one cheaper, faults are told."""

import csv

import numpy as np
import pytest

from bayes_hpo.campaign.costs import COSTS, Costs, learner_name
from bayes_hpo.errors import RunError, UserError

HEADER = "kind,learner,name,train,predicted,p,candidates,measured,seconds"
COLLINEAR = [(491, 123, 8, 0.054), (2672, 668, 8, 0.05), (3199, 800, 40, 0.205), (26049, 6512, 14, 0.39)]


def _node(learner):
    return {"_target_": f"bayes_hpo.learners.{learner}.Any"}


def _read(tmp_path, *rows):
    path = tmp_path / "costs.csv"
    path.write_text("\n".join([HEADER, *rows]) + "\n")
    return Costs.read(path)


def test_a_power_law_is_found(tmp_path):
    sizes = [(50, 13, 9), (400, 101, 8), (800, 209, 256), (5000, 39587, 42), (2000, 660, 40)]
    rows = [f"model,made,x,{n},{m},{p},,1,{1e-6 * n**0.9 * m**0.5 * p**0.1}" for n, m, p in sizes]
    assert _read(tmp_path, *rows).seconds(_node("made"), 3000, 900, 20) == pytest.approx(
        1e-6 * 3000**0.9 * 900**0.5 * 20**0.1
    )


def test_sizes_that_grow_together_can_be_told_apart_without_absurd_estimates(tmp_path):
    costs = _read(tmp_path, *(f"model,forest,x,{n},{m},{p},,1,{seconds}" for n, m, p, seconds in COLLINEAR))
    assert 0.02 < costs.seconds(_node("forest"), 30000, 15000, 14) < 4
    assert 0.02 < costs.seconds(_node("forest"), 5000, 40000, 40) < 4


@pytest.mark.parametrize("grown", [(2, 1, 1), (1, 2, 1), (1, 1, 2)])
@pytest.mark.parametrize("learner", ["rbf_svm", "random_forest", "unmeasured"])
def test_no_size_makes_a_model_cheaper(learner, grown):
    sizes, costs = np.array([1000, 300, 10]), Costs.read()
    assert costs.seconds(_node(learner), *(sizes * grown)) >= costs.seconds(_node(learner), *sizes)


def test_the_measured_models_are_met_within_a_factor_of_three():
    costs = Costs.read()
    with open(COSTS, newline="") as stream:
        rows = [row for row in csv.DictReader(stream) if row["kind"] == "model"]
    assert rows
    for row in rows:
        sizes = (float(row[name]) for name in ("train", "predicted", "p"))
        assert 1 / 3 < costs.seconds(_node(row["learner"]), *sizes) / float(row["seconds"]) < 3


@pytest.mark.parametrize("text", ["", "nothing\n1\n", f"{HEADER}\nmodel,made,x,ten,1,1,,1,1\n"])
def test_a_file_without_costs_is_told_with_the_command_that_measures_them(tmp_path, text):
    path = tmp_path / "costs.csv"
    path.write_text(text)
    with pytest.raises(RunError, match=r"python -m benchmarks\.costs"):
        Costs.read(path)


@pytest.mark.parametrize("target", ["foo", "", ".", "foo.", None])
def test_a_learner_that_names_no_class_is_told(target):
    with pytest.raises(
        UserError, match=r"study\.learner\._target_=.* names no class; give it as package\.module\.Class"
    ):
        learner_name({"_target_": target})


def test_the_models_of_a_search_cost_its_measured_factor(tmp_path):
    costs = _read(tmp_path, "model,made,x,100,10,2,,1,1", "factor,made,bo,,,,,12,2.5")
    assert [costs.relative(_node("made"), searcher) for searcher in ("bo", "nes")] == [2.5, 1]
    assert costs.relative(_node("other"), "bo") == 1


def test_searches_without_a_factor_are_named_where_others_have_one(tmp_path):
    costs = _read(tmp_path, "model,made,x,100,10,2,,1,1", "factor,made,bo,,,,,12,2.5", "model,other,x,9,9,2,,1,1")
    searchers = ["random", "bo", "nes"]
    assert "models of nes" in costs.unmeasured(_node("made"), searchers)[-1]
    assert not any("models" in sentence for sentence in costs.unmeasured(_node("other"), searchers))
