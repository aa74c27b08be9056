"""Which data sets and repetitions enter a comparison, and what is computed from them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from score_rows import as_printed, printed, rows

from bayes_hpo.errors import RunError
from bayes_hpo.report import caption, comparison

TWO = {"iris": "iris", "wine": "wine"}
THREE = ["rs", "gp", "cma"]


def made(frame, methods=THREE, datasets=TWO):
    return comparison.comparison(frame, "holdout", methods, datasets, printed(datasets), 100)


def test_the_mean_and_population_sd_are_over_final_repetitions_in_percent():
    errors = {0: 0.10, 1: 0.20, 2: 0.40}
    frame = rows(lambda v, name, m, repetition, t: errors[repetition] + (t < 12), TWO, THREE, repetitions=errors)
    part = made(frame)
    np.testing.assert_allclose(part.mean, 70 / 3)
    np.testing.assert_allclose(part.sd, np.std([10, 20, 40]))


def test_one_repetition_has_no_standard_deviation():
    frame = rows(lambda v, name, m, repetition, t: 0.2 + repetition / 10, TWO, THREE, repetitions=range(2))
    part = made(frame[(frame["dataset"] != "wine") | (frame["repetition"] == 1)])
    assert part.repetitions.to_dict() == {"iris": 2, "wine": 1}
    np.testing.assert_allclose(part.sd.loc["iris"], 5)
    assert part.sd.loc["wine"].isna().all()
    np.testing.assert_allclose(part.mean.loc["wine"], 30)


def test_methods_are_compared_on_the_repetitions_that_all_of_them_have():
    frame = rows(lambda v, name, m, repetition, t: repetition / 10, TWO, THREE, repetitions=range(3))
    part = made(frame[(frame["method"] != "gp") | (frame["repetition"] != 2) | (frame["dataset"] != "wine")])
    assert part.repetitions.to_dict() == {"iris": 3, "wine": 2}
    np.testing.assert_allclose(part.mean.loc["wine"], 5)
    assert "2 data sets, 2 to 3 repetitions" in caption.coverage({"holdout": part})[0]


def test_a_data_set_without_a_score_of_every_method_is_left_out_by_name():
    frame = rows(as_printed, TWO, THREE)
    part = made(frame[(frame["method"] != "cma") | (frame["dataset"] != "wine")])
    assert list(part.mean.index) == ["iris"]
    assert part.left_out == ("wine",)
    assert any("wine" in said for said in caption.coverage({"holdout": part}))


def test_many_data_sets_that_are_left_out_are_counted():
    part = made(rows(as_printed, TWO, THREE), datasets={**TWO, **{f"absent-{i}": "" for i in range(50)}})
    assert "50 data sets" in caption.coverage({"holdout": part})[1]


def test_a_part_of_the_document_s_data_sets_is_told_as_one():
    part = made(rows(as_printed, TWO, THREE))
    whole, some = (replace(part, printed_size=size) for size in (2, 118))
    assert len(caption.coverage({"holdout": whole})) == 1
    assert caption.coverage({"holdout": some})[1] == "The document's table has 118 data sets."
    both = caption.coverage({"holdout": whole, "kfold": some})
    assert both[1] == "The document's table has 118 data sets (5-fold)."


def test_nothing_enters_when_a_method_was_never_scored(given):
    made_from = given(rows(as_printed, TWO, THREE), datasets=TWO)
    with pytest.raises(
        RunError, match=r"hold-out or 5-fold .*\(absent: gp-sel\); make them with: snakemake .* toy_overf"
    ):
        comparison.compare(made_from, [*THREE, "gp_sel"])


SETS = {f"set-{i}": "" for i in range(8)}


def covered(counts, repetition=None):
    """Scores of each method on the first so many of SETS; repetition: dict, method -> the only one of it, else 0."""
    alone = repetition or {}
    return pd.concat(
        rows(lambda *_: 0.2, dict(list(SETS.items())[:count]), [name], repetitions=[alone.get(name, 0)])
        for name, count in counts.items()
    )


@pytest.mark.parametrize(("count", "methods"), [(8, THREE), (6, THREE), (5, ["rs", "cma"]), (1, ["rs", "cma"])])
def test_a_method_enters_with_three_quarters_of_the_data_sets_of_the_best_covered_pair(count, methods):
    assert comparison.covering(covered({"rs": 8, "gp": count, "cma": 8}), "holdout", THREE) == methods


def test_each_validation_has_its_own_methods(given):
    """Scores under another validation, on twice as many data sets, change nothing."""
    holdout = covered({"rs": 4, "gp": 4, "cma": 4}).query("validation == 'holdout'")
    kfold = covered({"rs": 8, "gp": 8}).query("validation == 'kfold'")
    both = pd.concat([holdout, kfold])
    assert comparison.covering(both, "holdout", THREE) == THREE
    assert comparison.covering(both, "kfold", THREE) == ["rs", "gp"]
    compared, notes = comparison.covered(given(both, datasets=SETS), THREE)
    assert {name: list(of_one.mean) for name, of_one in compared.items()} == {"holdout": THREE, "kfold": ["rs", "gp"]}
    assert notes == ["Left out (5-fold), no scores: cma; 2 methods are compared."]


def test_a_validation_without_scores_is_named(given):
    _, notes = comparison.covered(
        given(covered({"rs": 8, "gp": 8}).query("validation == 'holdout'"), datasets=SETS), THREE
    )
    assert notes == [
        "No data set has 5-fold scores of all methods.",
        "Left out, no scores: cma; 2 methods are compared.",
    ]


def test_the_reason_for_leaving_out_a_method_is_that_of_the_scores_that_were_compared(given):
    results = given(covered({"rs": 8, "gp": 8, "cma": 8}), datasets=SETS)
    some = results.scores[results.scores["method"] != "cma"]
    _, notes = comparison.covered(results, THREE, ["holdout"], some)
    assert notes == ["Left out, no scores: cma; 2 methods are compared."]


def test_the_best_covered_pair_is_of_methods_that_have_a_repetition_in_common():
    frame = covered({"rs": 8, "gp": 8, "cma": 8, "grid": 3}, repetition={"rs": 1})
    assert comparison.covering(frame, "holdout", ["rs", "gp", "cma", "grid"]) == ["gp", "cma"]


def test_methods_that_share_enough_with_a_pair_but_not_with_each_other_do_not_all_enter():
    frame = covered({"rs": 8, "gp": 8, "cma": 6})
    last = covered({"grid": 8})
    frame = pd.concat([frame, last[last["dataset"].isin(list(SETS)[2:])]])
    assert comparison.covering(frame, "holdout", ["rs", "gp", "grid", "cma"]) == ["rs", "gp", "grid"]


def test_nothing_is_left_out_where_fewer_than_two_methods_have_scores():
    assert comparison.covering(covered({"rs": 8}), "holdout", THREE) == THREE


def test_published_cells_are_found_by_published_name():
    datasets = {"mine": "", "sklearn-iris": "iris"}
    part = made(rows(lambda *_: 0.2, datasets, THREE), datasets=datasets)
    assert list(part.mean.index) == ["mine", "sklearn-iris"]
    assert part.published_mean.loc["sklearn-iris"].to_dict() == {"rs": 5.8, "gp": 7.0, "cma": 5.4}
    assert part.published_mean.loc["mine"].isna().all()


def test_a_comparison_drops_the_data_sets_that_the_document_lacks():
    datasets = {"mine": "nobody-printed-this", "wine": "wine"}
    part = made(rows(lambda *_: 0.2, datasets, THREE), datasets=datasets).as_published()
    assert list(part.mean.index) == list(part.published_mean.index) == ["wine"]
    assert part.unpublished == ("mine",)


def test_ours_stand_alone_when_the_document_has_none_of_the_data_sets():
    part = made(rows(lambda *_: 0.2, {"mine": ""}, THREE), datasets={"mine": ""}).as_published()
    assert list(part.mean.index) == ["mine"]
