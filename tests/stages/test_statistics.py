"""The command that makes the ledger: what it writes, and one sentence for what is wrong."""

import json
import shutil

import chapter_5
import pandas as pd
import pytest
from score_rows import rows, write

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.scores.sums import Sums
from bayes_hpo.storage import measured

pytestmark = pytest.mark.slow  # the whole ledger is made

STUDY = "pilot/scores/overfitting"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A results folder with scores of three methods on a data set of the pilot."""
    folder = tmp_path_factory.mktemp("results")
    errors = {"gp": 0.2, "gp_r": 0.1, "rs": 0.3}
    frame = rows(
        lambda validation, name, method, repetition, iteration: errors[method] + repetition / 100,
        datasets={"planning": "planning", "ecoli": "ecoli"},
        methods=list(errors),
    ).assign(scale="pilot")
    write(folder / STUDY, frame)
    return folder


@pytest.fixture
def released(results, tmp_path):
    """A folder in which the same scores are released."""
    folder = tmp_path / "released" / "overfitting"
    folder.mkdir(parents=True)
    (folder / "pilot").symlink_to(results / STUDY)
    Sums(folder.parent).add("overfitting", "pilot")
    return folder.parent


def _files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_the_ledger_is_written_and_printed(command, results, tmp_path):
    done = command("statistics", "scale=pilot", f"results_dir={results}", f"products_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert _files(tmp_path) == ["tables/pilot/ledger.csv", "tables/pilot/ledger.tex"]
    frame = pd.read_csv(tmp_path / "tables/pilot/ledger.csv").set_index("claim")
    row = frame.loc["T3-reshuffle-gp-ho"]
    assert (row["estimate"], row["data_sets"], row["repetitions"]) == (100, 2, 2)
    grid = Grid.of("overfitting", "pilot")
    searches = {one.searcher: one.hours for one in estimates(grid, Costs.read()) if one.validation == "holdout"}
    sharing = [pool for pool in grid.pools if pool[0].startswith("holdout") and pool[1] == "gp"]
    assert row["core_hours"] == pytest.approx(2 * searches["gp"] / len(sharing), rel=1e-4)  # gp's pool and gp-r's
    assert frame.loc["T3.1-gpr-best-ho", "verdict"] == "not run"  # only three of its methods have scores
    counted = frame[frame["tier"].isin(["primary", "secondary"])].index.nunique()
    assert f"{counted} primary and secondary claims: " in done.stdout


def test_a_data_set_is_left_out(command, results, tmp_path):
    done = command("statistics", "scale=pilot", f"results_dir={results}", f"products_dir={tmp_path}", "without=[ecoli]")
    assert done.returncode == 0, done.stderr
    frame = pd.read_csv(tmp_path / "tables/pilot/ledger.csv").set_index("claim")
    assert frame.loc["T3-reshuffle-gp-ho", "data_sets"] == 1


def test_a_study_whose_scores_are_all_left_out_was_not_run(command, results, tmp_path):
    given = (f"results_dir={results}", f"products_dir={tmp_path}", "without=[ecoli,planning]")
    done = command("statistics", "scale=pilot", *given)
    assert done.returncode == 0, done.stderr
    assert set(pd.read_csv(tmp_path / "tables/pilot/ledger.csv")["verdict"]) == {"not run"}


def test_final_choices_are_weighed(command, tmp_path):
    frame = chapter_5.scores(["tita", "pim"], methods=["gp_cond_ls"], repetitions=4)
    told = {0: "svm", 1: "rf", 2: "rf", 3: "dt"}  # repetition -> final learner
    frame["configuration"] = [json.dumps([{"learner": told[repetition]}]) for repetition in frame["repetition"]]
    frame["dataset"] = frame["dataset"].map({"our-tita": "titanic", "our-pim": "pima"})
    write(tmp_path / "small/scores/conditional", frame.assign(scale="small"))
    done = command("statistics", "scale=small", f"results_dir={tmp_path}", f"products_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    ledger = pd.read_csv(tmp_path / "tables/small/ledger.csv").set_index("claim")
    assert ledger.loc["F5.8-rf-svm", "estimate"] == 0.0


def test_without_any_scores_nothing_was_run(command, tmp_path):
    done = command("statistics", "scale=small", f"results_dir={tmp_path}", f"products_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    assert set(pd.read_csv(tmp_path / "tables/small/ledger.csv")["verdict"]) == {"not run", "undecidable by design"}


def test_released_scores_are_read_from_their_folder(command, released, tmp_path):
    done = command("statistics", "scale=pilot", f"scores={released}", f"products_dir={tmp_path}")
    assert done.returncode == 0, done.stderr
    frame = pd.read_csv(tmp_path / "tables/pilot/ledger.csv").set_index("claim")
    assert frame.loc["T3-reshuffle-gp-ho", ["estimate", "data_sets"]].tolist() == [100, 2]


def test_the_released_ledger_names_what_was_left_out(command, released, tmp_path):
    given = (f"scores={released}", f"products_dir={tmp_path}", "without=[ecoli]")
    assert command("statistics", "scale=pilot", *given).returncode == 0
    frame = pd.read_csv(tmp_path / "tables/pilot/ledger.csv").set_index("claim")
    assert frame.loc["T3-reshuffle-gp-ho", "data_sets"] == 1
    assert "'without=[ecoli]'" in (tmp_path / "tables/pilot/ledger.tex").read_text()


def test_a_folder_without_released_scores_is_one_sentence(command, tmp_path):
    done = command("statistics", "scale=pilot", f"scores={tmp_path}", f"products_dir={tmp_path}")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"error: scores={tmp_path} holds no scores of scale pilot; leave scores out, or release some first"
    ]


def test_scores_and_measures_of_other_code_are_told(command, results, tmp_path):
    shutil.copytree(results, tmp_path / "results")
    made = pd.DataFrame({"value": [0.0]})
    path = tmp_path / "results/pilot/measures/overfitting/splits.parquet"
    measured.write(made, path, {"config": {}}, study="overfitting", scale="pilot")
    done = command("statistics", "scale=pilot", f"results_dir={tmp_path / 'results'}", f"products_dir={tmp_path}")
    tex = (tmp_path / "tables/pilot/ledger.tex").read_text()
    for words in ("Outdated: 4 score files of overfitting", "Outdated: 1 measure (splits) of overfitting"):
        assert words in done.stdout
        assert words in tex


def test_scores_of_two_schema_versions_are_one_sentence(command, results, tmp_path):
    for path in (results / STUDY).glob("*/*/*.parquet"):
        target = tmp_path / STUDY / path.relative_to(results / STUDY)
        target.parent.mkdir(parents=True)
        frame = pd.read_parquet(path)
        frame.assign(schema=2 if "ecoli" in str(path) else 1).to_parquet(target, index=False)
    done = command("statistics", "scale=pilot", f"results_dir={tmp_path}", f"products_dir={tmp_path}")
    assert done.returncode == 1
    assert "holds scores of schema 2, not only 1" in done.stderr
    assert len(done.stderr.splitlines()) == 1
