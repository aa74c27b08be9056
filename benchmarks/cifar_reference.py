"""The reference network of CIFAR-10 beside the print: its test error after training on four batches (thesis, 4.4.3).

    python -m benchmarks.cifar_reference

Trains the default configuration of conf/space/cifar.yaml for the epochs of scale `paper` on batches 1 to 4, with the
seeds of the study's first RUNS repetitions, and prints the error on the test batch. Needs the extra cnn, the data
(python -m bayes_hpo.stages.data dataset=cifar-10 data.cifar_dir=FOLDER) and a GPU; says so where one is absent.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.needs import lacking
from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.documents import published
from bayes_hpo.repetition import Repetition
from bayes_hpo.storage.layout import RESULTS, data_file

STUDY, DATASET, RUNS = "cifar", "cifar-10", 3


def main():
    """Train and print, or say what is absent."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cifar_reference", description=__doc__.splitlines()[0])
    parser.add_argument("--results", default=RESULTS, help="folder of the prepared data")
    results = parser.parse_args().results
    if absent := needed(results):
        print(f"the reference network was not trained: {'; '.join(absent)}. {beside()}")
        return
    grid = Grid.of(STUDY, "paper", results)
    data, errors = Data.load(data_file(DATASET, results), grid.rows[DATASET].stated), []
    for error, seconds in trained(grid.job("holdout", "bo"), data):
        errors.append(error)
        print(f"run {len(errors)}: {error:.2f} % test error, {seconds:.0f} s", flush=True)
    print(f"mean {np.mean(errors):.2f} +- {np.std(errors, ddof=1):.2f} % of {len(errors)} runs. {beside()}")


def needed(results: str) -> list[str]:
    """What is absent (sentences without a full stop)."""
    problems = [lacking(STUDY)] if lacking(STUDY) else [] if has_gpu() else ["there is no GPU that PyTorch can use"]
    if not Path(data_file(DATASET, results)).is_file():
        command = f"python -m bayes_hpo.stages.data dataset={DATASET} data.cifar_dir=FOLDER"
        problems.append(f"{data_file(DATASET, results)} does not exist, prepare it with: {command}")
    return problems


def has_gpu() -> bool:
    """Whether PyTorch finds a GPU."""
    import torch

    return torch.cuda.is_available()


def trained(job: dict, data: Data, runs: int = RUNS) -> Iterator[tuple[float, float]]:
    """Yield test error in percent and seconds of each run, given the configuration of a search of the study."""
    reference = build(job["space"], "space").default()
    for number in range(runs):
        start, repetition = time.perf_counter(), Repetition.of(job, data, number)
        how = {"draw": 0, "seeds": repetition.seeds, "training_cap": repetition.training_cap}
        (fold,) = repetition.protocol.folds(repetition.parts, repetition.strata, **how)
        _, predict = repetition.fit(reference, fold.train)
        test = repetition.parts.test
        yield 100 * (predict(test) != data.y[test]).mean(), time.perf_counter() - start


def beside() -> str:
    """The sentence on the print."""
    (row,) = (
        published.rows("thesis_T4_7_cifar").query("table == '4.4.3' and method.str.startswith('baseline')").itertuples()
    )
    return f"Printed: {row.value} +- {row.std} % ({row.method}, {row.protocol})"


if __name__ == "__main__":
    main()
