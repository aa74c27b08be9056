"""The table of variants: wins by hand over the searches that both methods of a pair have finished."""

import pytest
from score_rows import rows

from bayes_hpo.errors import RunError
from bayes_hpo.report.tables.variants import variants_table

STEPS = tuple(range(1, 21))
HOW = {
    "variants": {"esmbo_variants": ["late", "new"], "esmbo_refit": ["late"]},
    "against": ["base", "new"],
    "validation": "holdout",
    "notes": {"esmbo_variants": "Ours.", "esmbo_refit": "Trained again."},
}


@pytest.fixture
def results(given):
    """Function: Results in which `late` beats `base` on one data set of two, in the last tenth alone; else they tie."""

    def make(methods=("late", "base"), drop="iteration > 20"):
        def error(_, name, method, repetition, t):
            return 0.1 if (method, name) == ("late", "a") and t > 18 else 0.2

        frame = rows(error, {"a": "a", "b": "b"}, list(methods), iterations=STEPS, validations=["holdout"])
        frame = frame.drop(frame.query(drop).index)
        study = {"study": "esmbo_variants", "methods": ("late", "base", "new")}
        return given(frame.assign(study="esmbo_variants"), {"a": "", "b": ""}, **study)

    return make


def test_wins_are_those_of_the_last_tenth(results):
    table = variants_table(results(), **HOW)
    (row,) = table.values.query("searches > 0").to_dict("records")
    assert (row["method"], row["against"]) == ("late", "base")
    assert (row["frequency"], row["ties"]) == (0.75, 0.5)
    assert row["data_sets"] == 2
    assert table.cells.loc[("esmbo_variants", "late"), "base"] == f"0.75 (2, {row['searches']})"


def test_a_method_that_is_scored_at_the_end_alone_is_compared_there(results):
    made = results(drop="method == 'late' and iteration < 20")
    assert variants_table(made, **HOW).values.query("searches > 0")["frequency"].tolist() == [0.75]


def test_what_has_no_scores_is_named_and_nothing_is_said_of_it(results):
    notes = variants_table(results(), **HOW).notes
    assert "Left out, no scores: esmbo_variants (new), esmbo_refit (late)." in notes
    assert "Ours." in notes
    assert "Trained again." not in notes
    assert any("named substitutes" in note for note in notes)


def test_no_scores_are_one_sentence(results):
    with pytest.raises(RunError, match=r"no variant of esmbo_variants, esmbo_refit has scores"):
        variants_table(results(["base"]), **HOW)
