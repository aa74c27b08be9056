"""The tables of fidelity in released/README.md: each method on its own data sets, with and without the flagged ones."""

from dataclasses import replace
from pathlib import Path

import chapter_5
import pytest
from score_rows import as_printed, rows

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.results import results_of
from bayes_hpo.report.fidelity import table, update

TWO = ["car", "1049"]


@pytest.fixture
def flagged(conditional):
    """The input of two methods on two data sets, of which 1049 is flagged and lies 10 points above the print."""
    frame = chapter_5.scores(TWO, methods=["rs", "smac"], noise=0.1)
    frame.loc[frame["dataset"] == "our-1049", "test_error"] += 0.1
    return conditional(frame, TWO)


def cells_of(lines):
    """Rows of a table in Markdown as a dict, label -> texts."""
    found = [[text.strip() for text in line.strip("|").split("|")] for line in lines.splitlines()[2:]]
    return {label: texts for label, *texts in found}


def test_errors_like_the_printed_ones_have_z_of_zero_until_a_flagged_data_set_counts(flagged):
    found = cells_of(table(flagged))
    assert list(found) == [
        "RS, 5-fold", "RS, 5-fold without 1049", "SMAC, 5-fold", "SMAC, 5-fold without 1049",
    ]  # fmt: skip
    assert found["RS, 5-fold without 1049"][:2] == ["1", "0.00"]
    sets, rms, mean, farthest, ratio, _ = found["RS, 5-fold"]
    assert (sets, ratio) == ("2", "-")
    assert float(rms) > 5
    assert float(mean) > 5
    assert farthest.endswith("(1049)")


def test_the_last_column_is_of_the_step_nearest_to_a_fifth_of_the_trials(conditional):
    """Of steps 5, 40, 80 and 200 that is 40, where the errors are the printed ones; the others lie 10 points above."""
    frame = chapter_5.scores(["car", "pim"], methods=["rs"], iterations=(5, 40, 80, 200), noise=0.1, early={"rs": 0.0})
    frame["test_error"] += 0.1 * (frame["iteration"] != 40)
    _, rms, *_, early = cells_of(table(conditional(frame, ["car", "pim"])))["RS, 5-fold"]
    assert early == "0.00"
    assert float(rms) > 5
    final = cells_of(table(conditional(frame[frame["final"]], ["car", "pim"])))["RS, 5-fold"]
    assert final[-1] == "-"


def test_each_method_stands_on_all_of_its_own_data_sets(given):
    frame = rows(as_printed, methods=["gp", "gp_r"], repetitions=range(3))
    less = frame[(frame["method"] == "gp") | (frame["dataset"] != "wine")]
    found = cells_of(table(given(less)))
    assert {label: texts[0] for label, texts in found.items()} == {
        "gp, hold-out": "5", "gp-r, hold-out": "4", "gp, 5-fold": "5", "gp-r, 5-fold": "4",
    }  # fmt: skip


def test_a_method_that_no_table_printed_has_no_row(given):
    frame = rows(as_printed, methods=["gp", "gp_pm"], repetitions=range(3), validations=["holdout"])
    assert list(cells_of(table(given(frame)))) == ["gp, hold-out"]


def test_the_table_takes_the_place_of_its_study_and_scale(flagged, tmp_path):
    page = tmp_path / "README.md"
    other = "<!-- fidelity overfitting toy -->\nearlier\n<!-- end -->\n"
    page.write_text(f"{other}<!-- fidelity conditional toy -->\nearlier\n<!-- end -->\nafter\n", encoding="utf-8")
    assert update(replace(flagged, released=str(tmp_path))) == []
    text = page.read_text(encoding="utf-8")
    assert text == f"{other}<!-- fidelity conditional toy -->\n{table(flagged)}\n<!-- end -->\nafter\n"


def test_a_folder_without_a_page_gets_none(flagged, tmp_path):
    update(replace(flagged, released=str(tmp_path)))
    assert not (tmp_path / "README.md").exists()


def test_a_command_that_leaves_data_sets_out_makes_no_table(flagged, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- fidelity conditional toy -->\nearlier\n<!-- end -->\n", encoding="utf-8")
    assert update(replace(flagged, released=str(tmp_path), left_out=("our-car",))) == []
    assert "earlier" in page.read_text(encoding="utf-8")


def test_damaged_scores_are_a_sentence_and_the_page_stays(flagged, tmp_path):
    page = tmp_path / "README.md"
    page.write_text("<!-- fidelity conditional toy -->\nearlier\n<!-- end -->\n", encoding="utf-8")
    next(flagged.scores_dir.rglob("*.parquet")).write_bytes(b"PAR1")
    [said] = update(replace(flagged, released=str(tmp_path)))
    assert "cannot be read" in said
    assert "earlier" in page.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("study", ["overfitting", "conditional"])
def test_the_committed_page_shows_what_is_committed(study):
    if not any(Path(f"released/{study}/small").glob("*/*/*.parquet")):
        pytest.skip(f"nothing is released of {study}")
    given = results_of(Grid.of(study, "small"), "released")
    with open("released/README.md", encoding="utf-8") as page:
        assert f"<!-- fidelity {study} small -->\n{table(given)}\n<!-- end -->" in page.read()
