"""Fixtures of all tests: tiny real data, a toy job, pools without a search, a process that may be killed."""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import logging
import multiprocessing
import resource
import signal
from functools import cache, reduce
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.configuration.build import build
from bayes_hpo.data.prepared import Data
from bayes_hpo.pool import FAILED, FINISHED, Pool, Proposal, Trial
from bayes_hpo.storage import npz
from bayes_hpo.storage.pools import FORM, write_pool

pytest_plugins = ["gp_models"]  # of surrogates, acquisition and what is made of both
ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _root_is_the_working_folder(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def iris():
    """Sixty real rows of iris, twenty a class."""
    X, y = load_iris(return_X_y=True)
    rows = np.flatnonzero(np.arange(150) % 5 < 2)
    return Data(X[rows], y[rows], np.array([], dtype=int), False, {"name": "tiny"})


@pytest.fixture(scope="session")
def grid_of():
    """Function: the grid of a study at a scale, composed once."""
    return cache(lambda study="overfitting", scale="toy": Grid.of(study, scale))


@pytest.fixture(scope="session")
def setting(grid_of):
    """Function: the value at a dotted place of the configuration of a study at a scale."""
    return lambda study, place, scale="toy": reduce(
        lambda node, key: node[key], place.split("."), grid_of(study, scale).cfg
    )


@pytest.fixture(scope="session")
def built():
    """Function: an instance of a class as the configuration makes it, where annotated limits are checked."""
    return lambda kind, path, **settings: build({"_target_": f"{kind.__module__}.{kind.__name__}", **settings}, path)


@pytest.fixture
def toy_job(grid_of):
    """Function: the resolved configuration of a search at toy scale, with changes."""
    return lambda searcher="random", protocol="holdout_sel_r", **changes: grid_of().job(protocol, searcher) | changes


@pytest.fixture
def pool_from():
    """Function: a pool whose trial t has the loss losses[t] (one number, or one per fold)."""

    def make(losses, selection=None, rounds=None, failed=()):
        def rows(values):
            return [None] * len(losses) if values is None else [np.atleast_1d(np.array(v, dtype=float)) for v in values]

        trials = [
            Trial(
                Proposal({"C": float(t)}, t if rounds is None else rounds[t]),
                losses=loss,
                status=FAILED if t in failed else FINISHED,
                selection_losses=selection_loss,
            )
            for t, (loss, selection_loss) in enumerate(zip(rows(losses), rows(selection), strict=True))
        ]
        return Pool(tuple(trials))

    return make


@pytest.fixture(scope="session")
def arrays():
    """Function: the arrays (dict) that equal pools share: every one of its file but seconds and provenance."""

    def read(path):
        whole = npz.read(path, FORM)
        return {name: array for name, array in whole.items() if not name.startswith(("seconds", "provenance"))}

    return read


@pytest.fixture
def bits(tmp_path, arrays):
    """Function: what must be equal in equal pools, of a pool or its file: `arrays` without those that `but` begin."""

    def of(pool, *but):
        path = pool
        if isinstance(pool, Pool):
            path = tmp_path / "bits.npz"
            write_pool(pool, path)
        found = {name: array for name, array in arrays(path).items() if not name.startswith(but)}
        return {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in found.items()}

    return of


@pytest.fixture
def in_child():
    """Function: do `action` in a process of its own whose files can grow to `file_size` bytes only, and itself by
    `memory` bytes.

    Returns (its exit code, the exception it raised or None).
    """

    def run(action, file_size=resource.RLIM_INFINITY, memory=None):
        ours, theirs = multiprocessing.Pipe()

        def child():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, resource.RLIM_INFINITY))
            if memory is not None:
                size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
                resource.setrlimit(resource.RLIMIT_AS, (size + memory, resource.RLIM_INFINITY))
            try:
                action()
            except Exception as problem:
                theirs.send(problem)

        process = multiprocessing.get_context("fork").Process(target=child)
        process.start()
        theirs.close()
        process.join()
        return process.exitcode, ours.recv() if ours.poll() and process.exitcode == 0 else None

    return run


@pytest.fixture
def logged(tmp_path):
    """Function: text of all that the package has logged in this test, in whatever process."""
    handler = logging.FileHandler(tmp_path / "test.log", encoding="utf-8")
    package = logging.getLogger("bayes_hpo")
    package.addHandler(handler)
    package.setLevel(logging.INFO)
    yield (tmp_path / "test.log").read_text
    package.removeHandler(handler)
    package.setLevel(logging.NOTSET)
    handler.close()
