"""A page read strictly, and a ledger to make one from."""

from html.parser import HTMLParser

import pandas as pd

from bayes_hpo.report.page import page
from bayes_hpo.report.page.artifacts import UNKNOWN
from bayes_hpo.report.page.ledger import MARGINS

VOID = {"meta", "img", "input", "br", "path", "circle"}


class Reader(HTMLParser):
    """Reads a page strictly: every tag is closed in order, every id is there once; folded: ids inside a fold."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text, self.folded = [], [], [], set()
        self.feed(text)
        self.close()
        assert self.open == []
        ids = [value for _, attributes in self.tags for name, value in attributes.items() if name == "id"]
        assert len(ids) == len(set(ids))
        self.ids = set(ids)

    def handle_starttag(self, tag, attributes):
        assert len(attributes) == len(dict(attributes)), f"an attribute twice in {tag}"
        self.tags.append((tag, dict(attributes)))
        if "details" in self.open and "id" in dict(attributes):
            self.folded.add(dict(attributes)["id"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def all(self, tag):
        """Attributes of every element of this kind."""
        return [attributes for name, attributes in self.tags if name == tag]

    def addresses(self):
        """Where the links lead."""
        return [attributes["href"] for attributes in self.all("a")]

    def said(self):
        """The text, single spaces."""
        return " ".join(" ".join(self.text).split())


def ledger(**changes):
    """A ledger of four claims of the toy scale, one of them of four parts; changes: columns for all rows."""
    row = {
        "claim": "T3.1-best", "also": "", "tier": "secondary", "part": "hold-out", "document": "thesis",
        "place": "3.3.2, table 3.1", "text": "gp-r has the lowest rank",
        "verdict": "reproduced", "part_verdict": "reproduced", "estimate": 0.5,
        "low": 0.25, "high": 1.0, "level": 0.95, "unit": "ranks", "published": 0.75, "published_on": "own data sets",
        "power": 0.625, "data_sets": 12, "repetitions": "2 to 3", "scale": "toy", "core_hours": 1.5,
        "command": "snakemake --cores 64 toy_overfitting", "note": "a note", "kind": "direction", "limit": 0.0,
        "power_so_far": None, "best_power": 0.75, "interim": False, "decided_by": "",
        "p": None, "p_adjusted": None, "p_test": None,
        **dict.fromkeys(MARGINS),
    }  # fmt: skip
    absent = dict.fromkeys(("estimate", "low", "high", "power", "published", "core_hours"), None)
    not_run = {
        "claim": "TB-none",
        "place": "table B.1",
        "verdict": "not run",
        "data_sets": 0,
        "repetitions": "",
    } | absent
    equal = {"claim": "T3.4-equal", "verdict": "inconclusive", "kind": "equality", "limit": 0.15, "level": 0.9}
    many = [{"claim": "T3.2-all", "part": f"against {number}", "verdict": "inconclusive"} for number in range(4)]
    return pd.DataFrame([row, row | not_run, row | equal, *(row | one for one in many)]).assign(**changes)


def read(products, scale="toy", origin=UNKNOWN):
    """The page of what is there, read."""
    return Reader(page.write(scale, products, origin).read_text(encoding="utf-8"))
