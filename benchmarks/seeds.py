"""Whether another seed of the bootstrap would change a verdict: the ledger of the released scores under eight seeds.

    python -m benchmarks.seeds           (five minutes; puts what came out into docs/statistics.md)

The seed is that of the resamples and of the simulations of power.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
from pathlib import Path

import pandas as pd

from bayes_hpo.scores import frames
from bayes_hpo.claims import study
from bayes_hpo.claims.ledger import ledger
from bayes_hpo.configuration.options import options
from bayes_hpo.campaign.estimates import pools
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.scale_settings import scales_of
from bayes_hpo.storage.layout import score_files
from bayes_hpo.report.tables.markdown import put
from bayes_hpo.scores.sums import Sums
from bayes_hpo.stats.bootstrap import SEED

PAGE = Path(__file__).parents[1] / "docs/statistics.md"
SCALE, SEEDS = "small", range(SEED, SEED + 8)


def main():
    """Make the ledgers, and put a sentence on their verdicts into the page."""
    argparse.ArgumentParser(prog="python -m benchmarks.seeds", description=__doc__.splitlines()[0]).parse_args()
    grids = [Grid.of(name, SCALE) for name in options("study") if SCALE in scales_of(name)]
    studies = {grid.study: _study(grid) for grid in grids}
    ledgers = {seed: ledger(studies, grids[0].registered, SCALE, seed=seed) for seed in SEEDS}
    verdicts = pd.DataFrame({seed: one.set_index(["claim", "part"])["part_verdict"] for seed, one in ledgers.items()})
    print(verdicts.to_string())
    put("seeds", sentence(verdicts), PAGE)


def sentence(verdicts):
    """What to say of verdicts: frame (parts, seeds)."""
    moved = verdicts[verdicts.nunique(axis=1) > 1]
    between = "; ".join(f"{' '.join(part)}: {', '.join(sorted(set(row)))}" for part, row in moved.iterrows())
    return (
        f"Verdicts of the {len(verdicts)} parts at scale {SCALE} under {verdicts.shape[1]} seeds of the bootstrap: "
        f"{len(moved) or 'none'} differ{f' ({between})' if between else ''}."
    )


def _study(grid):
    """The released Study of a grid."""
    folder = Sums("released").check(grid.study, SCALE)
    which = {"scale": SCALE, "datasets": grid.datasets, "registered": grid.registered, "pools": pools(grid)}
    which |= {"scored": bool(score_files(folder, grid.datasets)), "hint": frames.RESTORE}
    return study.read(grid.study, grid.cfg["study"], folder, folder / "measures", **which)


if __name__ == "__main__":
    main()
