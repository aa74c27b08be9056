"""Regression on scikit-learn's diabetes, from the search to a table: the models as trained, and refit."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.campaign.fingerprint import search_depends
from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.configuration.compose import configure
from bayes_hpo.data.registry import find
from bayes_hpo.data.sources.bundled import read
from bayes_hpo.ensembles.combine import LinearStacker, mean
from bayes_hpo.ensembles.ensemble import Ensemble, Member
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.repetition import Repetition
from bayes_hpo.report import artifact
from bayes_hpo.report.artifact import Artifact
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.errors import plain_errors_table
from bayes_hpo.scoring.as_trained import AsTrained
from bayes_hpo.scoring.job import run_score
from bayes_hpo.scoring.row_losses import read_row_losses, row_losses_file
from bayes_hpo.scoring.score import score
from bayes_hpo.search.block import run_block
from bayes_hpo.storage.layout import SCORES_SCHEMA, manifest_file
from bayes_hpo.storage.pools import hidden_file, read_pool

DATASET, POOL, BUDGET = "sklearn-diabetes", ("holdout", "random"), 6
SAID = {"study": "regression", "scale": "toy", "dataset": DATASET, "protocol": POOL[0], "validation": "holdout"}


def regression(final):
    """The grid of a regression study at toy scale."""
    groups = {"task@study.task": "regression", "space@study.space": "svr", "final@study": final}
    overrides = [f"{name}={value}" for name, value in {"study": "random_forest", "scale": "toy", **groups}.items()]
    cfg = configure("plan", overrides, groups=GROUPS)
    cfg["study"] |= {
        "learner": {"_target_": "bayes_hpo.learners.rbf_svm.RbfSvr", "max_iter": 100000},
        "test_percent": 30,
        "validations": ["holdout"],
        "methods": ["rs"],
        "curves": ["rs"],
        "checkpoint": 3,
        "row_losses": True,
        "scales": {"toy": {"suite": "regression", "budget": BUDGET, "repetitions": {"holdout": 2}}},
    }
    return Grid(cfg)


@pytest.fixture(scope="module")
def diabetes():
    return read(find(DATASET), None)


@pytest.fixture(scope="module")
def searched(tmp_path_factory, diabetes):
    """Function: (final, data) -> the folder of two finished repetitions, with their grid and job."""

    def run(final, data=diabetes):
        folder, grid = tmp_path_factory.mktemp(final) / DATASET / POOL[0] / "pools", regression(final)
        folder.mkdir(parents=True)
        data.save(folder / f"{DATASET}.npz")
        one = SimpleNamespace(folder=folder, grid=grid, job=grid.job(*POOL), data_path=folder / f"{DATASET}.npz")
        one.manifest = manifest_file(folder, 0, 1)
        paths = {"data_path": one.data_path, "folder": folder, "manifest": one.manifest}
        run_block(one.job, [0, 1], **paths, depends={}, fingerprint="code", revision="abc")
        return one

    return run


@pytest.fixture(scope="module")
def trained(searched):
    return searched("as_trained")


def scored(one):
    """The score file of a finished search; its rows."""
    output = one.folder.parent / "random.parquet"
    digests = {"pool_fingerprint": "code", "refit_fingerprint": "code"}
    paths = {"blocks": [one.manifest], "data_path": one.data_path, "output": output}
    run_score(one.job, one.grid.scoring(*POOL), **paths, **digests, depends={}, columns=SAID)
    return output, pd.read_parquet(output)


def repetition(one, data, number=0):
    return Repetition.of(one.job, data, number)


def test_models_are_measured_by_squared_error_of_the_target(trained, diabetes):
    pool, r = read_pool(trained.folder / "rep_000.npz"), repetition(trained, diabetes)
    assert len(r.parts.test) == 133
    (fold,) = r.protocol.folds(r.parts, r.strata, 0, r.seeds, training_cap=r.training_cap)
    np.testing.assert_array_equal(pool.truth.y, diabetes.y[fold.validation])
    for trial in pool:
        assert trial.predictions.dtype == np.float64
        assert trial.loss == ((trial.predictions - pool.truth.y) ** 2).mean()
    assert min(pool.history.losses) < pool.truth.y.var()


def test_the_score_is_that_of_the_models_of_the_search(trained, diabetes):
    output, rows = scored(trained)
    pool, r = read_pool(trained.folder / "rep_000.npz"), repetition(trained, diabetes)
    (fold,) = r.protocol.folds(r.parts, r.strata, 0, r.seeds, training_cap=r.training_cap)
    best = int(pool.losses.mean(axis=1).argmin())
    _, predict = r.fit(pool[best].proposal.configuration, fold.train)
    losses = (predict(r.parts.test) - diabetes.y[r.parts.test]) ** 2
    kept = read_row_losses(output)
    np.testing.assert_array_equal(kept[0, "rs", BUDGET], losses)
    assert rows.query(f"repetition == 0 and iteration == {BUDGET}")["test_error"].item() == losses.mean()
    assert list(kept) == [(number, "rs", t) for number in (0, 1) for t in (3, 6)]
    assert not list(trained.folder.glob("*.refits*"))


def test_losses_that_are_lost_are_made_again_with_the_scores(trained):
    output, _ = scored(trained)
    kept = read_row_losses(output)
    row_losses_file(output).unlink()
    scored(trained)
    assert read_row_losses(output).keys() == kept.keys()


def test_a_refit_is_trained_on_all_but_the_test_part(searched, trained):
    refit, own = scored(searched("refit"))[1], scored(trained)[1]
    assert (refit["configuration"] == own["configuration"]).all()
    assert (refit["test_error"] != own["test_error"]).all()


def test_nothing_of_a_search_moves_with_the_test_part(searched, trained, diabetes, bits):
    """Its features and values are NaN, on which this learner raises: the search does not notice."""
    test = repetition(trained, diabetes).parts.test
    X, y = diabetes.X.copy(), diabetes.y.copy()
    X[test], y[test] = np.nan, np.nan
    blank = searched("as_trained", replace(diabetes, X=X, y=y))
    ours, theirs = (one.folder / "rep_000.npz" for one in (trained, blank))
    assert bits(ours, "fingerprint") == bits(theirs, "fingerprint")
    assert hidden_file(ours).exists()
    assert not hidden_file(theirs).exists()
    with pytest.raises(RunError, match=r"rep_000\.test\.npz cannot be used"):
        scored(blank)


def test_no_searcher_and_no_selector_is_handed_test_predictions(trained):
    pool = read_pool(trained.folder / "rep_000.npz")
    assert all(trial.test_predictions is None for trial in [*pool, *pool.history])


def test_test_predictions_of_another_pool_are_refused(trained, tmp_path):
    for name in ("rep_000.npz", "rep_001.npz"):
        (tmp_path / name).write_bytes((trained.folder / name).read_bytes())
    hidden_file(tmp_path / "rep_000.npz").write_bytes(hidden_file(trained.folder / "rep_001.npz").read_bytes())
    with pytest.raises(RunError, match="belongs to another pool"):
        _ = AsTrained(tmp_path / "rep_000.npz").predictions
    with pytest.raises(RunError, match="has no model with test predictions"):
        AsTrained(trained.folder / "rep_000.npz")(Member({"C": 1.0}))


def test_ensembles_of_values_are_means_and_fitted_stackers(trained, diabetes):
    pool, r = read_pool(trained.folder / "rep_000.npz"), repetition(trained, diabetes)
    chosen = np.argsort(pool.history.losses)[:3]
    members = tuple(Member(pool[int(t)].proposal.configuration, 1.0, int(t)) for t in chosen)
    predict, y_test = AsTrained(trained.folder / "rep_000.npz"), diabetes.y[r.parts.test]
    own = np.array([predict(member) for member in members])  # (3, n_test)
    losses = score(Ensemble(members, mean), predict, y_test, r.seeds("vote"), r.task)
    np.testing.assert_allclose(losses, (own.mean(axis=0) - y_test) ** 2)
    stored = np.array([pool[int(t)].predictions for t in chosen])
    stacker = LinearStacker.fit(stored, pool.truth.y)
    fitted = r.task.losses(stacker(stored, None, None), pool.truth.y).mean()
    assert fitted <= pool.history.losses.min()
    assert score(Ensemble(members, stacker), predict, y_test, r.seeds("vote"), r.task).shape == y_test.shape


def test_a_data_set_of_another_kind_is_refused(trained, iris):
    with pytest.raises(UserError, match="dataset=tiny is of classification, the study of regression"):
        repetition(trained, iris)


def test_a_table_is_in_the_unit_of_the_target(trained, tmp_path, capsys):
    output, rows = scored(trained)
    grid = trained.grid
    results = Results.of(
        {DATASET: grid.registered[DATASET]},
        grid.cfg["study"] | {"tables": {}},
        study="regression",
        scale="toy",
        setting="toy",
        scores_dir=output.parents[2],
        measures_dir=tmp_path,
    )
    assert SCORES_SCHEMA in set(rows["schema"])
    table = plain_errors_table(results, validation="holdout")
    end = rows[rows["final"]]["test_error"]
    assert table.values["mean"].item() == pytest.approx(end.mean())
    assert table.cells.loc[DATASET].item() == f"{end.mean():.1f} ({end.std(ddof=0):.1f})"
    assert table.notes[-1] == "In each cell the mean (sd) over repetitions, in squared unit of the target."
    draw = {"_target_": "bayes_hpo.report.tables.errors.plain_errors_table", "validation": "holdout"}
    toy = Artifact("thesis", "T0_0", "Toy", draw)
    paths = artifact.write_table(toy, {"regression": results}, tmp_path / "T.tex")
    assert "squared unit of the target" in paths[1].read_text()
    assert DATASET in capsys.readouterr().out


def test_the_task_and_what_is_stored_are_part_of_the_fingerprint():
    one, other = (search_depends(regression(final).job(*POOL)) for final in ("as_trained", "refit"))
    assert one["fingerprint"] != other["fingerprint"]
    assert json.dumps(one["config"]["task"]) == json.dumps(other["config"]["task"])
