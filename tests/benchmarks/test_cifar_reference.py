"""The reference network of CIFAR-10: trained as the study trains, or the reason why it is not."""

import numpy as np
import pytest

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.data.prepared import Data
from benchmarks import cifar_reference


def test_without_data_it_says_how_to_get_them_and_what_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["cifar_reference", "--results", str(tmp_path)])
    cifar_reference.main()
    said = capsys.readouterr().out
    assert said.startswith("the reference network was not trained: ")
    assert "stages.data dataset=cifar-10 data.cifar_dir=FOLDER" in said
    assert said.endswith("Printed: 22.4 +- 0.9 % (baseline layers-18pct, 250 epochs, batches 1-4)\n")


def test_every_run_trains_on_the_first_four_fifths_and_is_tested_on_the_given_part():
    pytest.importorskip("torch", reason="the extra cnn is not installed")
    job = Grid.of("cifar", "toy").job("holdout", "bo")
    rng, y = np.random.default_rng(0), np.tile(np.arange(3), 20)
    X = rng.integers(0, 256, (60, 12), dtype=np.uint8)
    data = Data(X, y, np.arange(50, 60), False, {"name": "small"})
    first = [error for error, _ in cifar_reference.trained(job, data, runs=2)]
    X[40:50] = 0  # the validation rows
    assert [error for error, _ in cifar_reference.trained(job, data, runs=2)] == first
    assert all(error in 10.0 * np.arange(11) for error in np.round(first, 9))
