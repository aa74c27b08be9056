"""Targets of Snakemake by name."""

import difflib

from bayes_hpo.configuration.options import options
from bayes_hpo.documents import catalog
from bayes_hpo.storage.layout import product_file


def named() -> list[str]:
    """Every target that has a name: scales, a scale's studies, and their tables and figures."""
    scales, studies = options("scale"), options("study")
    documents = {name: catalog.document(name)["artifacts"] for name in catalog.documents()}
    return [
        *scales,
        *(f"{scale}_{study}" for scale in scales for study in studies),
        *(product_file(scale, name, one) for scale in scales for name, every in documents.items() for one in every),
    ]


def missing_target(target: str) -> str:
    """The sentence on a target that nothing makes."""
    close = difflib.get_close_matches(target, named(), n=1)
    hint = f" (did you mean {close[0]}?)" if close else ""
    return (
        f"nothing makes {target}{hint}; targets are a scale ({', '.join(options('scale'))}), one study of it, such as "
        "small_overfitting, and the files of tables/ and figures/"
    )
