"""The products of a study: the tables and figures that are made from the results of its grid."""

from bayes_hpo.configuration.compose import unknown
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import product_file

ALL = "all"  # the artifacts of a study without the page


def artifacts(grid, wanted=None):
    """Names of the study's artifacts, or that of the one that is wanted. Raises: UserError for another one."""
    every = grid.cfg["study"]["artifacts"]
    if wanted in (None, ALL):
        return every
    if not every:
        raise UserError(f"study={grid.study} has no artifacts; give the study that lists {wanted} (study.artifacts)")
    if wanted not in every:
        raise UserError(f"{unknown('artifact', wanted, every)}, the artifacts of study {grid.study}")
    return [wanted]


def products(grid, folder="."):
    """The first file below `folder` of every artifact of the study."""
    document = grid.cfg["study"]["document"]
    return [product_file(grid.scale, document, name, folder) for name in grid.cfg["study"]["artifacts"]]
