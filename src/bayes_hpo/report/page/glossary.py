"""The glossary of methods: the components behind each name in tables and figures, read from conf/method."""

from functools import cache

from bayes_hpo.configuration.compose import configure, unknown
from bayes_hpo.configuration.options import options, written
from bayes_hpo.documents.names import printed
from bayes_hpo.errors import UserError

COLUMNS = ("method", "searcher", "splits", "selection split", "selector", "what it does", "where", "studies")


@cache
def glossary() -> tuple[tuple[str, ...], ...]:
    """Rows (as COLUMNS) for all methods, in the order of the studies that compare them.

    Raises: UserError when a study names a method that does not exist.
    """
    labels: dict[str, dict[str, str]] = {}  # method -> study -> printed name
    for name in options("study"):
        study = written("study", name)  # what it inherits from another study is listed there
        for method in study.get("methods", ()):
            labels.setdefault(method, {})[name] = printed(method, study.get("labels", {}))
    nodes = configure("plan", [f"study={options('study')[0]}"], groups=("method",))["methods"]
    rows = []
    for method, of_studies in labels.items():
        if method not in nodes:
            raise UserError(f"study {next(iter(of_studies))}: {unknown('method', method, nodes)}")
        node, label = nodes[method], ", ".join(dict.fromkeys(of_studies.values()))
        searched = (node["searcher"], node["splits"], "yes" if node["selection_split"] else "no")
        rows.append((label, *searched, node["selector"], node["summary"], node["place"], ", ".join(of_studies)))
    return tuple(rows)
