"""With which choice searches end: read from final scores, of any part of a study."""

import json

import pandas as pd
import pytest

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.scores.choices import Choices
from bayes_hpo.storage.layout import SCORES_SCHEMA

SPACE = {"parameters": {"learner": {"choices": ["svm", "rf", "gnb"]}, "C": {"low": 0.0, "high": 1.0}}}
WHOSE = {"study": "conditional", "scale": "small"}
SCORED = {"study": "conditional", "scale": "small", "schema": SCORES_SCHEMA}
REMAKE = "make them with: snakemake --cores 2 small_conditional"
CHOICES = Choices("learner", ("svm", "rf", "gnb"))


@pytest.fixture
def folder(tmp_path):
    """Scores of two repetitions on iris: before the end svm, at the end what the repetition says; nothing on wine."""
    path = tmp_path / "iris" / "kfold" / "gp_cond_ls.parquet"
    path.parent.mkdir(parents=True)
    rows = [
        {"dataset": "iris", "repetition": repetition, "validation": "kfold", "method": "gp_cond_ls",
         "iteration": 5 + 5 * final, "final": final, "validation_loss": 0.1, "test_error": 0.1, **SCORED,
         "configuration": json.dumps([{"learner": learner if final else "svm", "C": 0.5}])}
        for repetition, learner in enumerate(["rf", "gnb"]) for final in (False, True)
    ]  # fmt: skip
    pd.DataFrame(rows).to_parquet(path)
    return tmp_path


def test_a_search_has_one_final_choice(folder):
    found = CHOICES.read(folder, datasets=["iris", "wine"], **WHOSE)
    wide = found.pivot(index="repetition", columns="quantity", values="value")
    assert wide.to_dict("index") == {
        0: {"chosen_svm": 0.0, "chosen_rf": 1.0, "chosen_gnb": 0.0},
        1: {"chosen_svm": 0.0, "chosen_rf": 0.0, "chosen_gnb": 1.0},
    }
    assert set(found["dataset"]) == {"iris"}


def test_the_choices_keep_the_order_of_the_space(folder):
    assert list(CHOICES.read(folder, datasets=["iris"], **WHOSE)["quantity"].unique()) == [
        "chosen_svm",
        "chosen_rf",
        "chosen_gnb",
    ]


def test_a_study_says_what_its_searches_are_asked_for():
    assert Choices.of({"root_choice": "learner", "space": SPACE}) == CHOICES
    assert Choices.of({"root_choice": None, "space": SPACE}) is None


@pytest.mark.parametrize("root", ["C", "lerner"])
def test_what_is_no_choice_is_refused(root):
    with pytest.raises(UserError, match=rf"unknown study\.root_choice={root}.*; allowed: learner$"):
        Choices.of({"root_choice": root, "space": SPACE})


def test_without_scores_it_is_said_how_to_make_them(tmp_path):
    with pytest.raises(RunError, match=f"holds no scores of the 1 data sets of conditional; {REMAKE}"):
        CHOICES.read(tmp_path, datasets=["iris"], **WHOSE)


@pytest.mark.parametrize(
    "configuration",
    [None, "learner=rf", "[]", "[null]", '["rf"]', '[{"C": 0.5}]', '[{"learner": "lda"}]', '[{"learner": ["rf"]}]'],
)
def test_a_score_that_does_not_tell_its_choice_is_named(folder, configuration):
    path = folder / "iris" / "kfold" / "gp_cond_ls.parquet"
    frame = pd.read_parquet(path)
    frame.loc[frame["final"] & (frame["repetition"] == 1), "configuration"] = configuration
    frame.to_parquet(path)
    said = f"the score of iris 1 kfold gp_cond_ls below .* has no learner; delete its file and {REMAKE}"
    with pytest.raises(RunError, match=said):
        CHOICES.read(folder, datasets=["iris"], **WHOSE)


def test_an_ensemble_has_the_choice_of_its_first_member(folder):
    path = folder / "iris" / "kfold" / "gp_cond_ls.parquet"
    frame = pd.read_parquet(path).assign(configuration='[{"learner": "gnb"}, {"learner": "svm"}]')
    frame.to_parquet(path)
    found = CHOICES.read(folder, datasets=["iris"], **WHOSE).query("value == 1")
    assert set(found["quantity"]) == {"chosen_gnb"}


@pytest.mark.parametrize(
    ("changes", "said"), [({"study": "other"}, "scores of study other"), ({"scale": "toy"}, "scores of scale toy")]
)
def test_scores_of_another_study_or_scale_are_refused(folder, changes, said):
    path = folder / "iris" / "kfold" / "gp_cond_ls.parquet"
    pd.read_parquet(path).assign(**changes).to_parquet(path)
    with pytest.raises(RunError, match=f"{said}, not only"):
        CHOICES.read(folder, datasets=["iris"], **WHOSE)


def test_a_score_that_is_there_twice_is_refused(folder):
    path = folder / "iris" / "kfold" / "gp_cond_ls.parquet"
    path.with_name("renamed.parquet").write_bytes(path.read_bytes())
    with pytest.raises(RunError, match="occurs twice"):
        CHOICES.read(folder, datasets=["iris"], **WHOSE)


def test_scores_without_configurations_are_refused_in_a_sentence(folder):
    path = folder / "iris" / "kfold" / "gp_cond_ls.parquet"
    pd.read_parquet(path).drop(columns="configuration").to_parquet(path)
    with pytest.raises(RunError, match=rf"gp_cond_ls\.parquet lacks configuration; delete it and {REMAKE}"):
        CHOICES.read(folder, datasets=["iris"], **WHOSE)
