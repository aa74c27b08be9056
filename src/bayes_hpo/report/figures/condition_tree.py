"""Trees of conditions: hyperparameters in boxes, joined by the values that activate them (thesis, figure 5.1)."""

import re
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bayes_hpo.report.results import Results

BOX = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "0.2", "linewidth": 0.8}
VALUE = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
TEXT: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 7}


class Node(NamedTuple):
    """A hyperparameter, or a value of the hyperparameter above it, with its position and that of the node above it."""

    text: str
    is_value: bool
    x: float
    y: float
    above: tuple | None


def figure(results: Results, *, measure: str, panels: dict, notes: list) -> tuple[Figure, list[str]]:
    """(matplotlib figure, notes): trees one above the other. panels: dict, tree of the measure -> title."""
    rows = results.measure(measure)
    drawing = Figure(figsize=(7.2, 5.2), layout="constrained")
    axes = drawing.subplots(2, 1, height_ratios=[5, 3])
    for axis, (tree, title) in zip(axes, panels.items(), strict=True):
        draw(axis, rows[rows["tree"] == tree])
        axis.set_title(title)
    return drawing, notes


def layout(edges: pd.DataFrame) -> list[Node]:
    """The Nodes of a tree; every leaf takes one unit of width, every level one unit of height.

    edges: frame with columns parent, value and child, as in the measure condition_trees.
    """
    nodes: list[Node] = []
    left = 0.0
    for root in edges.loc[edges["parent"] == "", "child"]:
        left += _grow(edges, root, False, left, 0, nodes)[0]
    return nodes


def _grow(edges, text, is_value, left, level, nodes, parent=""):
    """Add a node and its descendants to `nodes`, starting at the horizontal position `left`; return (width, x)."""
    if is_value:
        below = edges[(edges["parent"] == parent) & (edges["value"] == text) & (edges["child"] != "")]["child"]
    else:
        below = edges.loc[edges["parent"] == text, "value"].unique()
    width, middles, start = 0.0, [], len(nodes)
    for child in below:
        grown, middle = _grow(edges, child, not is_value, left + width, level + 1, nodes, text)
        width += grown
        middles.append(middle)
    x = sum(middles) / len(middles) if middles else left + 0.5
    nodes[start:] = [node if node.above else node._replace(above=(x, -level)) for node in nodes[start:]]
    nodes.append(Node(text, is_value, x, -level, None))
    return max(width, 1.0), x


def draw(axis: Axes, edges: pd.DataFrame) -> None:
    """Draw one tree. edges: as in `layout`."""
    nodes = layout(edges)
    for node in nodes:
        if node.above:
            axis.plot([node.above[0], node.x], [node.above[1], node.y], color="0.4", linewidth=0.8, zorder=1)
        look: dict[str, Any] = {"bbox": VALUE, "style": "italic"} if node.is_value else {"bbox": BOX}
        axis.text(node.x, node.y, node.text if node.is_value else written(node.text), **look, **TEXT)
    axis.set_xlim(0, max(node.x for node in nodes) + 0.5)
    axis.set_ylim(min(node.y for node in nodes) - 0.5, 0.5)
    axis.axis("off")


def written(name: str) -> str:
    """The name as printed: gamma_5 as a symbol, others unchanged."""
    return re.sub(r"^gamma_(\d+)$", r"$\\gamma_{\1}$", name)
