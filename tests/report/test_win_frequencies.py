"""Tables and figures of ESMBO: win frequencies, expected ranks and tests by hand, beside the printed ones."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from score_rows import rows

from bayes_hpo.documents import published
from bayes_hpo.documents.printed import Printed
from bayes_hpo.errors import MissingResultsError, RunError
from bayes_hpo.report.figures.paired import probabilities_and_ranks
from bayes_hpo.report.paired import Paired
from bayes_hpo.report.tables.win_frequencies import frequency_table, marks_table
from bayes_hpo.stats.poisson_binomial import better_on_most
from bayes_hpo.storage import measured

METHODS = ["esmbo", "ers", "smbo", "rs"]
LABELS = {"esmbo": "ESMBO", "ers": "ERS", "smbo": "SMBO", "rs": "RS"}
SPACES = {"esmbo_svr": "Support Vector Regressor", "esmbo_gbr": "Gradient Boosting Regressor"}
DATASETS = ["a", "b", "c"]
STEPS = tuple(range(1, 21))
LEVELS = {"poisson_binomial": [0.8, 0.9], "sign": [0.1, 0.05]}
CHANCE = 0.9
FIRST, CERTAIN = dict.fromkeys(DATASETS, 0.1), dict.fromkeys(DATASETS, CHANCE)


@pytest.fixture
def of_study(given, tmp_path):
    """Function: Results of a study in which ESMBO is always first, the others tie, and every pair has one chance.

    Or with the errors of ESMBO and the chances of every pair on each data set (dicts), maybe of more data sets.
    """

    def make(study, errors=FIRST, chances=CERTAIN):
        def error(_, name, method, repetition, t):
            return errors[name] if method == "esmbo" else 0.2

        frame = rows(error, {name: name for name in DATASETS}, METHODS, iterations=STEPS, validations=["holdout"])
        results = given(frame.assign(study=study), dict.fromkeys(DATASETS, ""), study=study, methods=tuple(METHODS))
        pairs = [
            {"dataset": d, "repetition": r, "iteration": t, "first": a, "second": b, "by_rows": chances[d]}
            for d in chances
            for r in (0, 1)
            for t in STEPS
            for i, a in enumerate(METHODS)
            for b in METHODS[i + 1 :]
        ]
        folder = tmp_path / f"measures_{study}"
        folder.mkdir()
        measured.write(pd.DataFrame(pairs), folder / "paired_chances.parquet", {}, study=study, scale="toy")
        made = replace(results, measures_dir=folder, printed=Printed(labels=LABELS), most_rows=1000)
        assert len(made.scores)  # read now: the next study's scores take their place
        return made

    return make


@pytest.fixture
def table(of_study):
    return frequency_table(
        of_study("esmbo_gbr"),
        methods=METHODS,
        document="esmbo_uai",
        spaces=SPACES,
        validation="holdout",
        chance="by_rows",
        levels=LEVELS,
    )


def test_pairs_and_ranks_are_those_of_the_errors(of_study):
    paired = Paired.of(of_study("esmbo_svr"), METHODS, "holdout", "by_rows")
    pairs, ranks = paired.pairs(), paired.ranks()
    assert len(pairs) == len(STEPS) * 2 * 12
    first = pairs.query("method == 'esmbo'")
    assert set(first["frequency"]) == {1.0}
    np.testing.assert_allclose(first["probability"], better_on_most(np.full(3, CHANCE)))
    np.testing.assert_allclose(first["sign_p"], 1 / 8)
    back = pairs.query("against == 'esmbo'")
    np.testing.assert_allclose(back["probability"], 1 - better_on_most(np.full(3, CHANCE)))
    tied = pairs.query("method == 'ers' and against == 'rs'")
    assert set(tied["ties"]) == {1.0}
    assert set(tied["frequency"]) == {0.5}
    np.testing.assert_allclose(ranks, [[1, 3, 3, 3]] * len(ranks))


def test_the_end_is_the_last_tenth_of_the_trials(of_study):
    end = Paired.of(of_study("esmbo_svr"), METHODS, "holdout", "by_rows").at_the_end
    assert set(end.pairs()["iteration"]) == {19, 20}
    assert set(end.ranks().index.get_level_values("iteration")) == {19, 20}


def test_the_table_has_ours_above_the_print_with_marks_of_both_tests(table):
    ours, printed = table.cells.iloc[0], table.cells.iloc[1]
    assert table.cells.index[0] == ("Gradient Boosting Regressor", "ESMBO", "ours")
    assert ours["SMBO"] == "1.00+"  # P = .972 of three sets at .9, .86 in the other form; p = 1/8 is no mark
    assert (
        table.cells.xs("ours", level=2).loc[("Gradient Boosting Regressor", "ERS"), "RS"] == "0.50 (100)"
    )  # ties say nothing
    assert ours["E[rank]"] == "1.00"
    assert printed["SMBO"] == "0.91"
    assert printed["E[rank]"] == "1.85"
    assert any("3 data sets, 2 repetitions" in note for note in table.notes)
    assert any("named substitutes" in note and "of at most 1,000 rows" in note for note in table.notes)
    assert "Left out, no scores: Support Vector Regressor." in table.notes
    values = table.values.set_index(["method", "against"])
    assert values.loc[("ESMBO", "SMBO"), "frequency_published"] == 0.91
    assert values.loc[("SMBO", "ESMBO"), "rank_published"] == 3.19


def test_the_published_numbers_of_both_versions_are_the_same():
    for space in SPACES.values():
        ours, theirs = (published.win_frequencies(document)[space] for document in ("esmbo_uai", "esmbo_arxiv"))
        pd.testing.assert_frame_equal(ours[0], theirs[0])
        pd.testing.assert_series_equal(ours[1], theirs[1])


def test_the_figure_has_a_row_for_each_space_in_the_order_of_the_document(of_study):
    studies = [of_study(study) for study in ("esmbo_gbr", "esmbo_svr")]
    how = {"methods": METHODS, "pairs": [["esmbo", "smbo"]], "document": "esmbo_uai", "spaces": SPACES}
    drawing, notes = probabilities_and_ranks(*studies, **how, validation="holdout", chance="by_rows")
    assert not any("Left out" in note for note in notes)
    assert "of at most 1,000 rows" in notes[-1]
    left, right = drawing.axes[0], drawing.axes[1]
    assert left.get_ylabel().startswith("Support Vector Regressor")
    np.testing.assert_allclose(left.lines[0].get_ydata(), better_on_most(np.full(3, CHANCE)))
    ends = [line.get_ydata() for line in right.lines if len(line.get_ydata()) == 1]
    np.testing.assert_allclose(np.ravel(ends), [3.27, 2.68, 2.38, 1.66])  # the first method is drawn last


def test_the_marks_are_a_table_of_their_own(of_study):
    table = marks_table(of_study("esmbo_svr"), levels=LEVELS, names=["significantly", "highly"])
    assert table.cells.loc["highly"].tolist() == ["++: > 0.9", "**: p < 0.05"]


def test_wins_losses_and_ties_are_told_apart(of_study):
    """A win, a loss and a tie; a data set without scores has chances and does not count."""
    results = of_study("esmbo_svr", {"a": 0.1, "b": 0.3, "c": 0.2}, {"d": 0.99, "c": 0.5, "b": 0.4, "a": 0.9})
    pairs = Paired.of(results, METHODS, "holdout", "by_rows").pairs()
    row = pairs.query("method == 'esmbo' and against == 'rs' and iteration == 20 and repetition == 0").iloc[0]
    assert (row["frequency"], row["ties"], row["sign_p"]) == (0.5, pytest.approx(1 / 3), 0.75)
    assert row["probability"] == pytest.approx(better_on_most(np.array([0.9, 0.4, 0.5])))


def test_a_repetition_that_lacks_a_data_set_counts_in_nothing(of_study):
    results = of_study("esmbo_svr", dict(zip(DATASETS, [0.1, 0.1, 0.3], strict=True)))
    expected = Paired.of(results, METHODS, "holdout", "by_rows")
    vars(results)["scores"] = results.scores.query("repetition == 0 or dataset == 'c'")  # one data set of repetition 1
    paired = Paired.of(results, METHODS, "holdout", "by_rows")
    pd.testing.assert_frame_equal(paired.ranks(), expected.ranks().xs(0, level="repetition", drop_level=False))
    assert set(paired.pairs()["repetition"]) == {0}


def test_repetitions_that_lack_different_data_sets_are_not_whole(of_study):
    results = of_study("esmbo_svr")
    vars(results)["scores"] = results.scores.query(
        "(repetition == 0 and dataset != 'a') or (repetition == 1 and dataset != 'c')"
    )
    with pytest.raises(MissingResultsError, match="no repetition has scores of all 4 methods on every data set; "):
        Paired.of(results, METHODS, "holdout", "by_rows")


def test_a_space_without_a_common_repetition_is_missing_and_no_other_error(of_study):
    results = of_study("esmbo_svr")
    vars(results)["scores"] = results.scores.query("method != 'rs'")
    with pytest.raises(MissingResultsError, match="no data set has hold-out scores of all 4 methods"):
        Paired.of(results, METHODS, "holdout", "by_rows")


def test_every_row_of_the_table_has_its_labels(table):
    """Which renderers blank where they repeat."""
    assert list(table.cells.index)[:2] == [
        ("Gradient Boosting Regressor", "ESMBO", "ours"),
        ("Gradient Boosting Regressor", "ESMBO", "publ."),
    ]


def test_the_deviation_over_repetitions_is_in_the_file(table):
    values = table.values.set_index(["method", "against"])
    assert values.loc[("ESMBO", "SMBO"), ["frequency_sd", "repetitions"]].tolist() == [0, 2]


def test_a_method_that_the_measure_lacks_is_one_sentence(of_study):
    results = of_study("esmbo_svr")
    of_three = results.measure("paired_chances").query("first != 'rs' and second != 'rs'")
    measured.write(of_three, results.measures_dir / "paired_chances.parquet", {}, study="esmbo_svr", scale="toy")
    with pytest.raises(RunError, match=r"lacks rs; add it to conf/measure/paired_chances\.yaml"):
        Paired.of(results, METHODS, "holdout", "by_rows")


@pytest.mark.parametrize("left", ["dataset != 'b'", "repetition != 1", "iteration != 7"])
def test_a_measure_that_lacks_some_of_the_scores_is_one_sentence(of_study, left):
    results = of_study("esmbo_svr")
    older = results.measure("paired_chances").query(left)
    measured.write(older, results.measures_dir / "paired_chances.parquet", {}, study="esmbo_svr", scale="toy")
    with pytest.raises(RunError, match=r"paired_chances of esmbo_svr is older than the scores .*; make it again with"):
        Paired.of(results, METHODS, "holdout", "by_rows")
