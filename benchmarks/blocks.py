"""The conditional kernel block by block beside the dense computation, on the pools of real searches.

    python -m benchmarks.blocks results/small/pools/conditional/*/kfold/gp_cond_ls/rep_000.npz

CPU seconds with the first 200 trials of each pool, medians of TURNS; puts the table into README.md.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.acquisition.criteria import Integrated, ExpectedImprovement
from bayes_hpo.surrogates.gp.conditional import Conditional
from bayes_hpo.acquisition.maximize import best_sample
from bayes_hpo.surrogates.gp.model import Model
from bayes_hpo.surrogates.gp.regression import CHAIN
from bayes_hpo.acquisition.evaluated import Evaluated
from bayes_hpo.storage.pools import read_pool
from bayes_hpo.seeds import Seeds
from bayes_hpo.report.tables.markdown import markdown, put
from benchmarks.clock import cpu_seconds
from benchmarks.page import PAGE

TRIALS, TURNS = 200, 5
SEEDS = Seeds("benchmarks", "blocks", 0)


def main():
    """Measure every pool in both forms and show them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.blocks", description=__doc__.splitlines()[0])
    parser.add_argument("pools", nargs="+", type=Path)
    try:
        rows = {path: measure(read_pool(path)) for path in parser.parse_args().pools}
    except (UserError, RunError) as problem:
        parser.exit(1, f"error: {problem}\n")
    frame = pd.DataFrame({f"{path.parts[-4]}, {path.stem}": row for path, row in rows.items()}).T
    put("blocks", markdown("pool", frame), PAGE)


def measure(pool):
    """Block sizes and, for every part of a suggestion, "blocks / dense" in milliseconds."""
    job = pool.provenance["job"]
    searcher = build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=TRIALS + 1)
    own = searcher.surrogate.model
    dense = Model(Conditional(own.kernel, own.space), own.amplitude, own.noise, own.noise_start)
    blocks, whole = (parts(with_model(searcher, model), pool[:TRIALS]) for model in (own, dense))
    _, sizes = np.unique(searcher.space.signatures(searcher.points(pool[:TRIALS])), return_counts=True)
    return {"block sizes": ", ".join(map(str, sorted(sizes, reverse=True)))} | {
        name: f"{1e3 * blocks[name]:.1f} / {1e3 * whole[name]:.1f}" for name in blocks
    }


def with_model(searcher, model):
    """The searcher, its Gaussian process with another model."""
    return replace(searcher, surrogate=replace(searcher.surrogate, model=model))


def parts(searcher, pool):
    """Median CPU seconds of the parts of one suggestion after the trials of the pool."""
    history, X = pool.history, searcher.points(pool)
    y, tried = searcher.targets(history.losses), Evaluated(searcher.space, X, best=X[history.losses.argmin()])
    model, sampling = searcher.surrogate.model, searcher.surrogate.hyperparameters
    states = sampling.continued(history.memory[CHAIN], model, X, y, SEEDS("mcmc"))
    posterior = model.posterior(states, X, y)
    criterion = Integrated(ExpectedImprovement(y.min()), posterior)
    samples = searcher.candidates.generate(tried, SEEDS("samples"))
    acts = {
        "fit: ten sweeps": lambda: sampling.continued(states[-1], model, X, y, SEEDS("mcmc")),
        "posterior": lambda: model.posterior(states, X, y),
        "1,000 samples": lambda: best_sample(criterion, samples, tried, SEEDS("samples")),
        "local search": lambda: searcher.maximizer(criterion, samples, tried, SEEDS("samples")),
        "a suggestion": lambda: searcher.propose(history, SEEDS),
    }
    return {name: float(np.median([cpu_seconds(act) for _ in range(TURNS)])) for name, act in acts.items()}


if __name__ == "__main__":
    main()
