"""The tree of a space has an edge for every value and every hyperparameter that is active there."""

import pytest

from bayes_hpo.configuration.build import build
from bayes_hpo.measures.condition_trees import edges
from bayes_hpo.spaces.space import Space


@pytest.fixture
def rows(grid_of):
    """The frame of conf/measure/condition_trees.yaml."""
    return build(grid_of().cfg["measures"]["condition_trees"], "condition_trees")(None)


def of(tree):
    return set(tree[["parent", "value", "child"]].itertuples(index=False, name=None))


def test_gamma_5_needs_gamma_2_to_be_c3_which_needs_gamma_1_to_be_c1(rows):
    tree = of(rows[rows["tree"] == "generic"])
    assert {("", "", "gamma_1"), ("gamma_1", "c1", "gamma_2"), ("gamma_2", "c3", "gamma_5")} <= tree
    assert [edge for edge in tree if edge[2] == "gamma_5"] == [("gamma_2", "c3", "gamma_5")]


def test_hyperparameters_hang_from_their_learner(rows, grid_of):
    printed = grid_of().cfg["measures"]["condition_trees"]["cash"]["parameters"]
    tree = of(rows[rows["tree"] == "cash"])
    children = {("learner", own["when"]["learner"], name) for name, own in printed.items() if "when" in own}
    assert tree == children | {("", "", "learner")}


def test_a_value_without_hyperparameters_is_there_alone_and_several_values_share_one():
    space = Space({"root": {"choices": ["a", "b", "c"]}, "x": {"low": 0.0, "high": 1.0, "when": {"root": ["a", "c"]}},
                   "free": {"low": 0.0, "high": 1.0}})  # fmt: skip
    tree = of(edges(space))
    assert tree == {("", "", "root"), ("", "", "free"), ("root", "a", "x"), ("root", "b", ""), ("root", "c", "x")}
