"""The comparison of a disturbed run with an undisturbed one sees what differs, and only that."""

import numpy as np
import pytest

from benchmarks.slurm_faults import FAULTS, Run, differences


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


def test_every_fault_has_a_method():
    assert all(callable(getattr(Run, name)) for name in FAULTS)
