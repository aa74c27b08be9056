"""The chances of pairs of methods on each data set: from made-up losses, and through a study's scores."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.errors import RunError
from bayes_hpo.measures.paired_chances import COLUMNS, PairedChances
from bayes_hpo.scoring.row_losses import write_row_losses
from bayes_hpo.stats.poisson_binomial import chances_by_rows

METHODS = ["esmbo", "ers", "smbo", "rs"]
POOLS = {"esmbo": ["esmbo"], "smbo": ["smbo"], "random": ["ers", "rs"]}
STEPS = (1, 2, 3)


class Grid:
    """A study of two data sets, the second without scores of a pool."""

    study, scale, draws, datasets = "study", "toy", "study", ("a", "b")
    pools = tuple(("holdout", name) for name in POOLS)

    def __init__(self, results):
        self.results = str(results)

    def methods_on(self, protocol, searcher):
        return POOLS[searcher]


@pytest.fixture
def losses():
    """Zero-one losses of 30 test rows: dict, (repetition, method, iteration) -> (30,)."""
    rng = np.random.default_rng(0)
    return {(r, name, t): (rng.random(30) < 0.3) * 1.0 for r in (0, 1) for name in METHODS for t in STEPS}


@pytest.fixture
def grid(tmp_path, losses):
    for dataset in ("a", "b"):
        for searcher in list(POOLS)[: 3 if dataset == "a" else 2]:
            _write(tmp_path / f"toy/scores/study/{dataset}/holdout/{searcher}.parquet", losses)
    return Grid(tmp_path)


def _write(scores, losses):
    """Write an empty file of scores, and the losses of the methods of its pool."""
    scores.parent.mkdir(parents=True, exist_ok=True)
    rows = [
        (dict(zip(("repetition", "method", "iteration"), key, strict=True)), row)
        for key, row in losses.items()
        if key[1] in POOLS[scores.stem] and not (key[1] == "smbo" and key[2] == 1)  # its first trial failed
    ]
    scores.touch()
    write_row_losses(rows, scores, {})


def test_scores_without_their_losses_are_one_sentence(grid, tmp_path):
    (tmp_path / "toy/scores/study/a/holdout/smbo.losses.npz").unlink()
    with pytest.raises(RunError, match=r"smbo.losses.npz cannot be read .* score again"):
        PairedChances(methods=METHODS)(grid)


def test_every_pair_has_its_chance_where_all_methods_have_losses(grid, losses):
    frame = PairedChances(methods=METHODS)(grid)
    assert list(frame) == COLUMNS
    assert set(frame["dataset"]) == {"a"}
    assert set(frame["iteration"]) == {2, 3}
    assert len(frame) == 2 * 2 * 6
    for _, row in frame.iterrows():
        first, second = (losses[row["repetition"], row[name], row["iteration"]] for name in ("first", "second"))
        assert row["by_rows"] == chances_by_rows((first - second)[None])[0]
        assert abs(row["by_weights"] - row["by_rows"]) < 0.15
        assert (row["by_weights"] < 0.5) == (first.mean() > second.mean()) or first.mean() == second.mean()


def test_it_is_the_same_again(grid):
    pd.testing.assert_frame_equal(PairedChances(methods=METHODS)(grid), PairedChances(methods=METHODS)(grid))


def test_methods_in_another_order_have_the_rest_of_each_chance(grid):
    pair, chances = ["first", "second"], ["by_rows", "by_weights"]
    keys = ["dataset", "repetition", "iteration"]
    chosen = PairedChances(methods=METHODS)(grid).set_index(keys + pair)[chances]
    exchanged = PairedChances(methods=METHODS[::-1])(grid).set_index(keys + pair[::-1])[chances]
    pd.testing.assert_frame_equal(chosen.sort_index(), (1 - exchanged).rename_axis(keys + pair).sort_index(), atol=2e-4)


def test_methods_of_equal_losses_have_even_chances(grid, losses, tmp_path):
    equal = {key: losses[key[0], "rs", key[2]] for key in losses if key[1] == "ers"}
    _write(tmp_path / "toy/scores/study/a/holdout/random.parquet", losses | equal)
    frame = PairedChances(methods=METHODS)(grid).set_index(["first", "second"])[["by_rows", "by_weights"]]
    assert (frame.loc[[("ers", "rs")]] == 0.5).all(axis=None)
    assert (frame.loc[[("esmbo", "rs")]] != 0.5).any(axis=None)


def test_without_losses_of_every_method_there_is_nothing(tmp_path):
    with pytest.raises(RunError, match="no data set has scores of esmbo, ers, smbo, rs"):
        PairedChances(methods=METHODS)(Grid(tmp_path))
