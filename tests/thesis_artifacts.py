"""The artifacts of the thesis as functions of one study's Results, and what their rows in published/thesis.yaml say."""

from bayes_hpo.documents import catalog
from bayes_hpo.report import artifact


def function(name):
    """What makes an artifact."""
    return lambda results: artifact.find(name, "thesis").make({"the study": results})


def row(name):
    """The arguments of that function, as published/thesis.yaml has them."""
    return catalog.document("thesis")["artifacts"][name]["draw"]
