"""The comparison of a disturbed run with an undisturbed one sees what differs, and only that."""

import numpy as np
import pandas as pd
import pytest

from benchmarks.slurm_faults import FAULTS, Run
from benchmarks.two_runs import differences, digests, left, unequal_scores


@pytest.fixture
def run_in(tmp_path):
    """Function: a folder with one pool, whose arrays are changed by keywords."""

    def make(name, **changes):
        folder = tmp_path / name / "results/toy/pools/a"
        folder.mkdir(parents=True)
        arrays = {"losses": np.array([0.1, 0.2]), "status": np.array(["finished"]), "seconds": np.array([1.0, 2.0])}
        np.savez(folder / "rep_000.npz", **arrays | changes)
        return tmp_path / name

    return make


def test_times_and_provenance_may_differ(run_in):
    ours = run_in("ours", seconds=np.array([7.0, 8.0]))
    assert differences(ours, run_in("theirs")) == ([], 1)


@pytest.mark.parametrize("change", [{"losses": np.array([0.1, np.nextafter(0.2, 1)])}, {"more": np.zeros(1)}])
def test_the_last_bit_counts_and_so_does_a_further_array(run_in, change):
    wrong, number = differences(run_in("ours", **change), run_in("theirs"))
    assert (wrong, number) == (["results/toy/pools/a/rep_000.npz"], 1)


def test_a_pool_that_one_run_lacks_is_told(run_in):
    ours, theirs = run_in("ours"), run_in("theirs")
    (theirs / "results/toy/pools/a/rep_001.npz").write_bytes((ours / "results/toy/pools/a/rep_000.npz").read_bytes())
    assert differences(ours, theirs)[0] == ["results/toy/pools/a/rep_001.npz"]


def test_a_pool_made_again_with_the_same_values_has_another_digest_and_an_untouched_one_the_same(run_in):
    ours, again = run_in("ours"), run_in("again", seconds=np.array([7.0, 8.0]))
    assert differences(ours, again) == ([], 1)
    assert digests(ours).keys() == digests(again).keys()
    assert digests(ours) == digests(ours) != digests(again)


def test_scores_may_differ_in_seconds_and_in_no_other_value(tmp_path):
    for name, error, seconds in (("a", 0.25, 1.0), ("b", 0.25, 9.0), ("c", np.nextafter(0.25, 1), 1.0)):
        path = tmp_path / name / "results/toy/scores/study/data/holdout/random.parquet"
        path.parent.mkdir(parents=True)
        pd.DataFrame({"test_error": [error], "seconds": [seconds], "revision": [name]}).to_parquet(path)
    assert unequal_scores(tmp_path / "a", tmp_path / "b") == ([], 1)
    assert len(unequal_scores(tmp_path / "a", tmp_path / "c")[0]) == 1
    assert len(unequal_scores(tmp_path / "a", tmp_path / "nothing")[0]) == 1


def test_unfinished_work_is_told(run_in):
    folder = run_in("ours")
    assert left(folder) == []
    (folder / "results/toy/pools/a/rep_001.journal").touch()
    assert left(folder) == ["results/toy/pools/a/rep_001.journal"]


def test_every_fault_has_a_method():
    assert all(callable(getattr(Run, name)) for name in FAULTS)
