"""The measures of a grid: their jobs, what they read, what they depend on."""

from copy import deepcopy
from dataclasses import replace

import pytest

from bayes_hpo.campaign.fingerprint import changes, measure_depends
from bayes_hpo.campaign.grid import GROUPS, Grid
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError

NAMES = ["splits", "posterior_mean_toy"]


@pytest.fixture
def measuring(grid_of):
    """Function: the toy grid with both measures, after `change(cfg)`."""

    def make(change=lambda cfg: None):
        cfg = deepcopy(grid_of().cfg)
        cfg["study"]["measures"] = list(NAMES)
        change(cfg)
        return Grid(cfg)

    return make


def _reading(methods):
    return lambda cfg: cfg["measures"]["splits"].update(methods=methods)


def test_a_study_has_a_job_for_each_of_its_measures(measuring):
    jobs = measuring().measure_jobs()
    assert [job.measure for job in jobs] == NAMES
    assert jobs[0].output == "results/toy/measures/overfitting/splits.parquet"
    assert jobs[0].command == "python -m bayes_hpo.stages.measure study=overfitting measure=splits scale=toy"
    assert replace(jobs[0], results="/elsewhere").command.endswith("scale=toy results_dir=/elsewhere")


def test_an_unknown_measure_is_one_sentence(measuring):
    grid = measuring(lambda cfg: cfg["study"].update(measures=["split"]))
    with pytest.raises(UserError, match=r"study overfitting: unknown measure=split \(did you mean splits\?\); allowed"):
        grid.measure_jobs()


def test_a_measure_reads_the_data_set_that_it_names_and_else_nothing(measuring):
    assert measuring().measure_inputs("splits") == ["results/data/sklearn-iris.npz"]
    assert measuring().measure_inputs("posterior_mean_toy") == []


def test_a_measure_that_names_methods_reads_the_scores_of_their_pools(measuring):
    grid = measuring(_reading(["gp_pm", "gp_sel_r"]))
    wanted = [
        job.output
        for job in grid.score_jobs()
        if (job.searcher, job.protocol.removeprefix(grid.validation(job.protocol))) in [("gp", ""), ("gp", "_sel_r")]
    ]
    assert len(wanted) == 2 * 2 * len(grid.datasets)
    assert grid.measure_inputs("splits")[1:] == wanted


def test_an_unknown_method_of_a_measure_is_one_sentence(measuring):
    with pytest.raises(UserError, match=r"unknown measure splits: method=gp_rr \(did you mean gp_r\?\); allowed: "):
        measuring(_reading(["gp_rr"])).measure_inputs("splits")


@pytest.mark.slow
def test_the_stage_composes_the_measures_of_the_grid(measuring):
    for name in NAMES:
        cfg = configure("measure", ["study=overfitting", "scale=toy", f"measure={name}"], groups=GROUPS)
        depends = measure_depends(Grid(cfg).owner, cfg["measure"])
        assert changes(measuring().digests.measure_depends[name], depends) == []


@pytest.mark.parametrize(
    ("change", "moved"),
    [
        (lambda cfg: cfg["measures"]["splits"].update(iterations=4), {"splits"}),
        (lambda cfg: cfg["searchers"]["cma"].update(sigma=0.3), set()),
        (lambda cfg: cfg["study"].update(pools="svm_width"), set(NAMES)),
    ],
    ids=["setting", "searcher", "owner"],
)
def test_a_measure_depends_on_its_own_settings_and_the_owner_of_the_draws(measuring, change, moved):
    old, new = measuring().digests.measure_depends, measuring(change).digests.measure_depends
    assert {name for name in NAMES if old[name]["fingerprint"] != new[name]["fingerprint"]} == moved


def test_a_measure_depends_on_the_code_that_its_settings_name(measuring):
    modules = {name: set(depends["modules"]) for name, depends in measuring().digests.measure_depends.items()}
    assert {"bayes_hpo.splits", "bayes_hpo.data.prepared"} <= modules["splits"]
    assert {"bayes_hpo.acquisition.evaluated", "bayes_hpo.selection.posterior_mean"} <= modules["posterior_mean_toy"]
    assert not any(name.startswith(("bayes_hpo.surrogates", "bayes_hpo.acquisition")) for name in modules["splits"])
    assert not any(name.split(".")[1:2] in (["search"], ["report"]) for one in modules.values() for name in one)
