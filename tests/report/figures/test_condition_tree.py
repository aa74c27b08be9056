"""A tree is laid out level by level, a parent above the middle of its children, no two nodes in one place."""

import pandas as pd
import pytest

from bayes_hpo.report.figures.condition_tree import layout

EDGES = [("", "", "root"), ("root", "a", "x"), ("root", "a", "y"), ("root", "b", ""), ("y", "1", "z"), ("", "", "free")]


@pytest.fixture
def nodes():
    """The nodes of a tree of two levels by their text."""
    return {node.text: node for node in layout(pd.DataFrame(EDGES, columns=["parent", "value", "child"]))}


def test_every_hyperparameter_and_value_is_a_node(nodes):
    assert {text: node.is_value for text, node in nodes.items()} == {
        "root": False, "a": True, "b": True, "x": False, "y": False, "1": True, "z": False, "free": False}  # fmt: skip


def test_levels_go_down_and_lines_lead_to_the_node_above(nodes):
    depth = {"root": 0, "free": 0, "a": 1, "b": 1, "x": 2, "y": 2, "1": 3, "z": 4}
    assert {text: -node.y for text, node in nodes.items()} == depth
    above = {"a": "root", "b": "root", "x": "a", "y": "a", "1": "y", "z": "1"}
    for text, parent in above.items():
        assert nodes[text].above == (nodes[parent].x, nodes[parent].y)
    assert nodes["root"].above is nodes["free"].above is None


def test_a_parent_stands_above_the_middle_of_its_children_and_leaves_have_room(nodes):
    assert nodes["a"].x == (nodes["x"].x + nodes["y"].x) / 2
    assert nodes["root"].x == (nodes["a"].x + nodes["b"].x) / 2
    leaves = sorted(nodes[text].x for text in ("x", "z", "b", "free"))
    assert leaves == [0.5, 1.5, 2.5, 3.5]
