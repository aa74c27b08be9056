"""A measure job: one quantity of a study, computed from its pools, the GP or a search, as a tidy frame in a file."""

from bayes_hpo.configuration.build import build
from bayes_hpo.measures.searches import Grid
from bayes_hpo.storage import measured


def run_measure(measure: dict, grid: Grid, *, output: str, depends: dict) -> None:
    """Compute a measure and write `output`.

    measure: its node of the configuration, built to a function of the grid that returns a tidy pandas frame.
        It may read the data set of its setting `dataset`, and pools and scores of the methods of `methods`.
    depends: what the frame depends on besides these files (`fingerprint.measure_depends`).
    Raises: UserError for a wrong setting; RunError when a file that the measure reads is missing or damaged, or the
    output cannot be written.
    """
    frame = build(measure, "measure")(grid)
    measured.write(frame, output, depends, study=grid.study, scale=grid.scale)
