"""Pool files: one finished search each, `.npz` without pickle."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bayes_hpo.errors import RunError
from bayes_hpo.pool import Pool, Proposal, Trial, Truth
from bayes_hpo.storage import npz
from bayes_hpo.storage.files import atomic

FORM = "pool 3"  # increment when the arrays of the file change
TEST_FORM = "test predictions 2"
SCALARS = {"reasons": "reason"} | {name: name for name in ("status", "unconverged", "seconds", "seconds_proposal")}


def write_pool(pool: Pool, path: str | Path) -> None:
    """Write the pool to `path` (.npz), after writing its test predictions to a separate file."""
    arrays = _arrays(pool)
    if tested := {t: trial.test_predictions for t, trial in enumerate(pool) if trial.test_predictions is not None}:
        predicted = {"pool": npz.digest(arrays), "trials": list(tested), "predictions": list(tested.values())}
        failed = npz.from_json([(t, trial.test_reason) for t, trial in enumerate(pool) if trial.test_reason])
        with atomic(hidden_file(path)) as temporary:
            hidden = {name: np.array(value) for name, value in predicted.items()}
            npz.write(temporary, TEST_FORM, hidden | {"failed": failed})
    with atomic(path) as temporary:
        npz.write(temporary, FORM, arrays)


def hidden_file(path: str | Path) -> Path:
    """The file of the test predictions of the pool at `path` (rep_003.test.npz), read only by scoring."""
    return Path(path).with_suffix(".test.npz")


def read_test_predictions(path: str | Path) -> tuple[dict[int, NDArray], dict[int, str]]:
    """Test predictions of the models of the pool at `path`, and the reasons why other models fail on the test part.

    Returns two dicts: trial -> predictions (n_test[, n_classes]), trial -> reason.
    Raises: RunError when the search stored none, or when they are damaged or belong to another pool.
    """
    try:
        stored = npz.read(hidden_file(path), TEST_FORM)
        if str(stored["pool"]) != npz.digest(npz.read(path, FORM)):
            raise ValueError("belongs to another pool")
    except (OSError, ValueError) as problem:
        raise RunError(
            f"the test predictions {hidden_file(path)} cannot be used ({problem}); delete {path}, see that the study's "
            "evaluation is that of conf/final/as_trained.yaml, and run its search again"
        ) from problem
    return dict(zip(stored["trials"].tolist(), stored["predictions"], strict=True)), dict(npz.to_json(stored["failed"]))


def read_pool(path: str | Path) -> Pool:
    """Read the Pool in file `path`. Raises: RunError when it is missing, damaged, altered or of another form."""
    try:
        return _pool(npz.read(path, FORM))
    except FileNotFoundError as problem:
        raise RunError(f"there is no pool {path}") from problem
    except OSError as problem:
        raise RunError(f"{path} cannot be read ({problem.strerror or problem})") from problem
    except ValueError as problem:
        raise RunError(f"{path} {problem}; if it is a pool, run its search again") from problem


def _arrays(pool):
    """The fields of a pool as arrays that np.load reads without pickle."""
    trials = pool.trials
    arrays = {
        "fingerprint": np.array(pool.fingerprint),
        "provenance": npz.from_json(pool.provenance),
        "configurations": npz.from_json([trial.proposal.configuration for trial in trials]),
        "rounds": pool.rounds,
        "losses": pool.losses,
        **{name: np.array([getattr(trial, field) for trial in trials]) for name, field in SCALARS.items()},
    }
    if trials[0].selection_losses is not None:
        arrays["selection_losses"] = pool.selection_losses
    if pool.truth is not None:
        arrays |= {"truth": pool.truth.y, "truth_folds": pool.truth.folds}
    if predicted := [index for index, trial in enumerate(trials) if trial.predictions is not None]:
        arrays["predictions"] = np.array([trials[index].predictions for index in predicted])
        arrays["predicted"] = np.array(predicted)
    for name in sorted({name for trial in trials for name in trial.proposal.memory}):
        remembering = [index for index, trial in enumerate(trials) if name in trial.proposal.memory]
        arrays[f"memory_{name}"] = np.array([trials[index].proposal.memory[name] for index in remembering])
        arrays[f"remembers_{name}"] = np.array(remembering)
    return arrays


def _pool(arrays):
    """The inverse of `_arrays`."""
    configurations = npz.to_json(arrays["configurations"])
    memories = [{} for _ in configurations]
    for key in arrays:
        if key.startswith("memory_"):
            name = key.removeprefix("memory_")
            for index, value in zip(arrays[f"remembers_{name}"], arrays[key], strict=True):
                memories[index][name] = value
    predictions = dict(zip(arrays.get("predicted", ()), arrays.get("predictions", ()), strict=True))
    trials = [
        Trial(
            Proposal(configuration, int(arrays["rounds"][i]), memories[i]),
            losses=arrays["losses"][i],
            **{field: arrays[name][i].item() for name, field in SCALARS.items()},
            selection_losses=arrays["selection_losses"][i] if "selection_losses" in arrays else None,
            predictions=predictions.get(i),
        )
        for i, configuration in enumerate(configurations)
    ]
    truth = Truth(arrays["truth"], arrays["truth_folds"]) if "truth" in arrays else None
    return Pool(tuple(trials), str(arrays["fingerprint"]), npz.to_json(arrays["provenance"]), truth)
