"""The methods decoded: what stands behind each name in tables and figures, read from conf/method."""

from functools import cache

from bayes_hpo.configuration.compose import configure, options, written
from bayes_hpo.documents.names import printed

COLUMNS = ("method", "searcher", "splits", "selection split", "selector", "what it does", "where")


@cache
def glossary():
    """Rows (tuple of tuples of str, as COLUMNS) of all methods, in the order of the studies that compare them."""
    labels = {}  # method -> how documents print it
    for name in options("study"):
        study = written("study", name)  # what it takes over from another one is listed there
        for method in study.get("methods", ()):
            labels.setdefault(method, []).append(printed(method, study.get("labels", {})))
    nodes = configure("plan", [f"study={name}"], groups=("method",))["methods"]
    return tuple(_row(", ".join(dict.fromkeys(names)), nodes[method]) for method, names in labels.items())


def _row(label, node):
    selection = "yes" if node["selection_split"] else "no"
    return (label, node["searcher"], node["splits"], selection, node["selector"], node["summary"], node["place"])
