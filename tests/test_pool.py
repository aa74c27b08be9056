"""Laws and faults of the pool file, and what a searcher may see of it."""

import dataclasses

import numpy as np
import pytest

from bayes_hpo.errors import EmptyPoolError, RunError
from bayes_hpo.outcomes.predictions import Labels
from bayes_hpo.pool import FAILED, History, Pool, Proposal, Trial, Truth
from bayes_hpo.storage import npz
from bayes_hpo.storage.pools import read_pool, write_pool

RNG = np.random.default_rng(0)


def _trial(t, folds=5, **fields):
    memory = {"point": RNG.random(2)}
    memory |= {"chain": RNG.random(5) * [1, np.nan, np.inf, 5e-324, 1]} if t >= 2 else {}
    given = {
        "losses": RNG.random(folds),
        "selection_losses": RNG.random(folds),
        "predictions": RNG.integers(0, 3, 40).astype(np.uint8),
        "unconverged": t % 3,
        "seconds": RNG.random(),
        "seconds_proposal": RNG.random(),
    }
    configuration = {"C": 10 ** RNG.uniform(-5, 5), "tau": 10 ** RNG.uniform(-5, 5)}
    return Trial(Proposal(configuration, t // 6, memory), **given | fields)


def _pool(trials=8, **fields):
    provenance = {"repetition": 3, "job": {"budget": trials, "nested": {"x": [1, 2.5, None, True]}}}
    return Pool(tuple(_trial(t, **fields) for t in range(trials)), "a fingerprint", provenance)


def _parts(trial):
    """Every field of a trial as (name, type, bytes), memory and configuration included."""
    own = {field.name: getattr(trial, field.name) for field in dataclasses.fields(trial)}
    proposal = own.pop("proposal")
    own |= {"round": proposal.round} | {f"c {k}": v for k, v in proposal.configuration.items()}
    own |= {f"m {k}": v for k, v in proposal.memory.items()}
    return {k: None if v is None else (np.asarray(v).dtype.str, np.asarray(v).tobytes()) for k, v in own.items()}


def _truth(pool):
    if pool.truth is None:
        return None
    return [(array.dtype.str, array.tobytes()) for array in (pool.truth.y, pool.truth.folds)]


def _same(one, other):
    parts = [(p.fingerprint, p.provenance, _truth(p), [_parts(trial) for trial in p]) for p in (one, other)]
    return parts[0] == parts[1]


def _reloaded(pool, path):
    write_pool(pool, path)
    return read_pool(path)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"selection_losses": None},
        {"predictions": None},
        {"selection_losses": None, "predictions": None, "folds": 1},
        {"predictions": RNG.random((40, 3)).astype(np.float32)},
    ],
    ids=["all", "no selection", "no predictions", "bare", "probabilities"],
)
def test_a_pool_comes_back_bit_for_bit(tmp_path, fields):
    pool = _pool(**fields)
    assert _same(_reloaded(pool, tmp_path / "pool.npz"), pool)


def test_the_truth_of_the_predictions_comes_back_and_stays_with_a_part_of_the_pool(tmp_path):
    truth = Truth(RNG.integers(0, 300, 40).astype(np.uint16), np.repeat([0, 1], 20).astype(np.uint8))
    pool = dataclasses.replace(_pool(), truth=truth)
    again = _reloaded(pool, tmp_path / "pool.npz")
    assert _same(again, pool)
    assert not _same(again, _pool())
    assert _truth(again[:3]) == _truth(pool)


@pytest.mark.parametrize(("at", "loss"), [(0, 1.0), (3, np.nan), (7, 1.0)])
def test_a_failed_trial_comes_back_with_its_reason_and_without_predictions(tmp_path, at, loss):
    trials = list(_pool())
    lost = {"losses": np.full(5, loss), "selection_losses": np.ones(5), "predictions": None}
    trials[at] = dataclasses.replace(trials[at], status=FAILED, reason="ValueError: größer\nals 1", **lost)
    pool = Pool(tuple(trials))
    again = _reloaded(pool, tmp_path / "pool.npz")
    assert _same(again, pool)
    assert at not in again.finished()


def test_a_pool_in_which_every_trial_failed_comes_back(tmp_path):
    again = _reloaded(_pool(status=FAILED, predictions=None), tmp_path / "pool.npz")
    with pytest.raises(EmptyPoolError, match="none of the 8 trials"):
        again.finished()


def test_a_hundred_trials_of_two_hyperparameters_stay_below_60_kb(tmp_path):
    """With losses and selection losses of five folds and the memory of the Gaussian process."""
    write_pool(_pool(100, predictions=None), tmp_path / "pool.npz")
    assert (tmp_path / "pool.npz").stat().st_size <= 60_000


def test_predictions_of_200_trials_for_8000_rows_of_two_classes_stay_below_half_a_megabyte(tmp_path):
    """Models that differ in every tenth row; 1.6 MB of labels."""
    labels = RNG.integers(0, 2, 8000)
    labels = [np.where(RNG.random(8000) < 0.1, 1 - labels, labels).astype(np.uint8) for _ in range(200)]
    pool = Pool(tuple(_trial(t, predictions=labels[t]) for t in range(200)))
    write_pool(pool, tmp_path / "pool.npz")
    assert (tmp_path / "pool.npz").stat().st_size <= 500_000


def test_labels_of_200_trials_for_10000_rows_of_ten_classes_take_one_byte_each_and_3_mb_at_most(tmp_path):
    """Models of errors from some 10 to 40 %: of hard rows many, of easy ones few."""
    rng = np.random.default_rng(0)
    truth, hard, errors = rng.integers(0, 10, 10_000), rng.beta(0.5, 1.5, 10_000), rng.uniform(0.1, 0.6, 200)
    labels = [np.where(rng.random(10_000) < 4 * error * hard, rng.integers(0, 10, 10_000), truth) for error in errors]
    stored = [Labels().stored(own, truth) for own in labels]
    pool = Pool(tuple(_trial(t, predictions=own) for t, own in enumerate(stored)))
    pool = dataclasses.replace(pool, truth=Truth(truth.astype(np.uint8), np.repeat(np.arange(5, dtype=np.uint8), 2000)))
    again = _reloaded(pool, tmp_path / "pool.npz")
    assert (tmp_path / "pool.npz").stat().st_size <= 3_000_000
    assert {trial.predictions.dtype for trial in again} == {np.dtype(np.uint8)}
    np.testing.assert_array_equal([trial.predictions for trial in again], labels)


def _sentence(path):
    with pytest.raises(RunError) as caught:
        read_pool(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_missing_pool_is_named(tmp_path):
    assert _sentence(tmp_path / "pool.npz") == f"there is no pool {tmp_path / 'pool.npz'}"


def test_a_truncated_pool_is_a_fault_wherever_it_ends(tmp_path):
    path = tmp_path / "pool.npz"
    write_pool(_pool(), path)
    whole = path.read_bytes()
    for end in [0, 1, 30, len(whole) // 2, len(whole) - 30, len(whole) - 1]:
        path.write_bytes(whole[:end])
        assert "is damaged" in _sentence(path)


def test_an_altered_pool_is_a_fault(tmp_path):
    path = tmp_path / "pool.npz"
    write_pool(_pool(), path)
    whole = path.read_bytes()
    body = whole.index(b"losses.npy") + 60  # inside the compressed bytes of one array
    path.write_bytes(whole[:body] + bytes([whole[body] ^ 255]) + whole[body + 1 :])
    assert "is damaged" in _sentence(path)


@pytest.mark.parametrize("content", [b"", b"text\n", b"\x80\x04K*.", b"\x93NUMPY\x01\x00"])
def test_a_foreign_file_is_a_fault(tmp_path, content):
    (tmp_path / "pool.npz").write_bytes(content)
    assert "is damaged" in _sentence(tmp_path / "pool.npz")


def test_a_foreign_npz_a_bare_array_and_a_folder_are_faults(tmp_path):
    np.savez(tmp_path / "foreign.npz", X=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    assert "is of the form unknown, not pool 3" in _sentence(tmp_path / "foreign.npz")
    assert "is damaged" in _sentence(tmp_path / "array.npy")
    assert "cannot be read (Is a directory)" in _sentence(tmp_path)


class _Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_the_order_of_a_spaces_hyperparameters_is_kept(tmp_path):
    space = {"z": {"low": 0, "high": 1}, "a": {"low": 0, "high": 1}}
    pool = dataclasses.replace(_pool(), provenance={"job": {"space": {"parameters": space}}})
    loaded = _reloaded(pool, tmp_path / "pool.npz").provenance["job"]["space"]["parameters"]
    assert list(loaded) == ["z", "a"]


def test_a_pickle_inside_is_never_loaded(tmp_path):
    pool, trap = tmp_path / "pool.npz", tmp_path / "sprung"
    write_pool(_pool(), pool)
    with np.load(pool) as stored:
        arrays = dict(stored)
    for name in ("configurations", "losses", "provenance"):
        np.savez(pool, **arrays | {name: np.array([_Evil(trap)], dtype=object)})
        assert "is damaged" in _sentence(pool)
        assert not trap.exists()
    with np.load(pool, allow_pickle=True) as stored:
        stored["provenance"]
    assert trap.exists()  # the trap works


def test_another_form_is_named(tmp_path):
    npz.write(tmp_path / "pool.npz", "pool 99", {"losses": np.zeros(3)})
    assert "is of the form pool 99, not pool 3" in _sentence(tmp_path / "pool.npz")


def test_another_loss_is_told_though_the_file_is_zipped_again(tmp_path):
    write_pool(_pool(), tmp_path / "pool.npz")
    with np.load(tmp_path / "pool.npz") as stored:
        arrays = dict(stored)
    arrays["losses"][0, 0] += 0.01
    np.savez(tmp_path / "pool.npz", **arrays)
    assert "was altered" in _sentence(tmp_path / "pool.npz")


def test_a_full_disk_leaves_the_old_pool(tmp_path, in_child):
    old, path = _pool(), tmp_path / "pool.npz"
    write_pool(old, path)
    code, problem = in_child(lambda: write_pool(_pool(50), path), file_size=1000)
    assert (code, type(problem)) == (0, RunError)
    assert _same(read_pool(path), old)
    assert [one.name for one in tmp_path.iterdir()] == ["pool.npz"]


def test_the_history_hides_the_selection_split():
    pool = _pool()
    for history in (pool.history, pool.history[:5], History(pool.trials)[2:]):
        assert all(trial.selection_losses is None for trial in history)
    changed = Pool(tuple(dataclasses.replace(trial, selection_losses=np.full(5, np.nan)) for trial in pool))
    assert list(map(_parts, pool.history)) == list(map(_parts, changed.history))


def test_a_slice_is_what_was_known_then():
    pool = _pool()
    assert len(pool[:3]) == 3
    assert pool[:3].history.losses.tolist() == [trial.loss for trial in pool.trials[:3]]
    assert pool.history[:3].memory.keys() == {"point", "chain"}
    assert pool.history[:2].memory.keys() == {"point"}
    assert pool.history[:0].memory == {}


def test_the_loss_of_a_trial_is_the_mean_over_its_folds(pool_from):
    pool = pool_from(losses=[[0.1, 0.3], [0.5, 0.5]])
    np.testing.assert_allclose(pool.history.losses, [0.2, 0.5])


def test_a_trial_without_a_loss_counts_as_the_worst_that_was_seen(pool_from):
    assert pool_from(losses=[0.3, np.nan, 0.7, 0.1], failed=[1]).history.losses.tolist() == [0.3, 0.7, 0.7, 0.1]
    assert pool_from(losses=[[0.3, np.nan], [-3, -5]], failed=[0]).history.losses.tolist() == [-4, -4]
    assert pool_from(losses=[np.nan, np.nan], failed=[0, 1]).history.losses.tolist() == [0, 0]
    assert History().losses.tolist() == []


def test_a_pool_without_selection_split_says_so(pool_from):
    with pytest.raises(RunError, match="no selection split; choose a protocol that has one"):
        _ = pool_from(losses=[0.1]).selection_losses


def test_a_history_carries_the_truth_of_the_stored_predictions():
    truth = Truth(RNG.integers(0, 3, 40), np.zeros(40, dtype=np.uint8))
    history = dataclasses.replace(_pool(), truth=truth).history
    for part in (history, history[:3], history[:0] + _trial(0), History(truth=truth) + _trial(0) + _trial(1)):
        assert part.truth is truth
    assert History().truth is None
