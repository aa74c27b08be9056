"""A measure job: computes one quantity of a study from its pools, a surrogate or a search, and writes a tidy frame."""

from bayes_hpo.configuration.build import build
from bayes_hpo.measures.searches import Grid
from bayes_hpo.scores.extended import extended
from bayes_hpo.storage import measured

REMAKE = "make it again (python -m bayes_hpo.stages.measure)"


def run_measure(measure: dict, grid: Grid, *, output: str, depends: dict, extend: bool = False) -> None:
    """Compute a measure and write `output`.

    measure: node of the configuration that builds a function, grid -> tidy pandas frame. It may read the data set named
        by its setting `dataset`, and pools and scores of the methods named by `methods`.
    depends: what the frame depends on in addition to these files (`fingerprint.measure_depends`).
    extend: whether to keep rows of other searches in `output` (`extended`).
    Raises: UserError for an invalid setting; RunError when a file that the measure reads is missing or damaged, or the
    output cannot be written.
    """
    frame, names = build(measure, "measure")(grid), {"study": grid.study, "scale": grid.scale}
    if extend:
        frame, depends = extended(frame, depends, output, REMAKE, **names)
    measured.write(frame, output, depends, **names)
