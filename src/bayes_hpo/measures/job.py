"""A measure job: one quantity of a study, computed from its pools, the GP or a search, as a tidy frame in a file."""

from bayes_hpo.configuration.build import build
from bayes_hpo.measures.searches import Grid
from bayes_hpo.scores.extended import extended
from bayes_hpo.storage import measured

REMAKE = "make it again (python -m bayes_hpo.stages.measure)"


def run_measure(measure: dict, grid: Grid, *, output: str, depends: dict, extend: bool = False) -> None:
    """Compute a measure and write `output`.

    measure: its node of the configuration, built to a function of the grid that returns a tidy pandas frame.
        It may read the data set of its setting `dataset`, and pools and scores of the methods of `methods`.
    depends: what the frame depends on besides these files (`fingerprint.measure_depends`).
    extend: whether rows of other searches that `output` holds stay (`extended`).
    Raises: UserError for a wrong setting; RunError when a file that the measure reads is missing or damaged, or the
    output cannot be written.
    """
    frame, names = build(measure, "measure")(grid), {"study": grid.study, "scale": grid.scale}
    if extend:
        frame, depends = extended(frame, depends, output, REMAKE, **names)
    measured.write(frame, output, depends, **names)
