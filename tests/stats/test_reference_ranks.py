"""Mean ranks, best counts and expected ranks that uai2016, the thesis, divbo2022 and both esmbo versions print."""

import numpy as np
import pytest

from bayes_hpo.documents import published
from bayes_hpo.stats.ranks import comparable, ranks


@pytest.mark.parametrize(
    ("table", "equal", "largest"),
    [
        (("uai2016", "T2"), 2, 0.029),
        (("uai2016", "T4"), 4, 0.0034),
        (("thesis", "T4_4"), 2, 0.029),
        (("thesis", "T4_6"), 1, 0.112),
        (("thesis", "T5_2"), 5, 0.0601),
        (("divbo2022", "T1"), 9, 0.0034),
    ],
)
def test_mean_ranks_follow_from_rounded_errors(table, equal, largest):
    errors, printed = published.mean_errors(*table)
    ours = ranks(errors).mean()
    assert (ours.round(2) == printed).sum() == equal
    assert (ours - printed).abs().max() < largest


def test_mean_ranks_of_table_4_4():
    ours = ranks(published.mean_errors("thesis", "T4_4")[0]).mean()
    assert ours[["BO-best", "BO-post", "EO-post", "EO"]].round(3).to_list() == [3.389, 2.833, 1.917, 1.861]


@pytest.mark.parametrize(
    ("table", "alone", "shared"),
    [
        (("thesis", "T4_4"), {"EO": 10, "BO-best": 0}, {}),
        (("thesis", "T4_6"), {"EO-sig": 7, "BO-best": 0}, {"EO-sig": 8}),
        (("divbo2022", "T1"), {"DivBO": 10, "RB-ES": 3}, {}),
    ],
)
def test_on_how_many_data_sets_a_method_is_best(table, alone, shared):
    errors = published.mean_errors(*table)[0]
    values = comparable(errors)
    best = values == values.min(axis=1, keepdims=True)  # (n_datasets, n_methods)
    counts = dict(zip(errors.columns, (best & (best.sum(axis=1, keepdims=True) == 1)).sum(axis=0), strict=True))
    assert {name: counts[name] for name in alone} == alone
    counts = dict(zip(errors.columns, best.sum(axis=0), strict=True))
    assert {name: counts[name] for name in shared} == shared


@pytest.mark.parametrize("document", ["esmbo_uai", "esmbo_arxiv"])
def test_expected_ranks_are_one_plus_the_frequencies_of_losing(document):
    spaces = published.win_frequencies(document)
    assert len(spaces) == 7
    for frequency, printed in spaces.values():
        losing = (1 - frequency).to_numpy()[~np.eye(4, dtype=bool)].reshape(4, 3)
        assert np.abs(1 + losing.sum(axis=1) - printed[frequency.index]).max() < 0.01 + 1e-9


def test_ranks_of_table_5_2_without_its_doubtful_columns():
    errors = published.mean_errors("thesis", "T5_2")[0]
    assert ranks(errors).mean()["GP-cond-ls"].round(2) == 2.5  # printed: 2.56, from errors that are not rounded
    assert ranks(errors.drop(index="s-sh")).mean()["GP-cond-ls"].round(2) == 2.17
    flagged = ["s-sh", "46", "184", "917"]
    for columns, third in ((flagged, "GP-matern"), ([*flagged, "1049"], "GP-cond")):  # last on 1049
        sure = ranks(errors.drop(index=columns)).mean().sort_values()
        assert list(sure.index[:3]) == ["GP-cond-ls", "GP-matern-ls", third]
        assert sure.index[-1] == "Spearmint"
