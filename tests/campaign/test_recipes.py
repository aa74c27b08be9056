"""How a missing artifact is made: right for one's own runs and for released scores."""

import pytest

from bayes_hpo.campaign.costs import Costs
from bayes_hpo.campaign.estimates import estimates
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.recipes import recipes


def test_of_one_s_own_runs_the_product_is_the_target(tmp_path):
    recipe = recipes("smoke", str(tmp_path))("thesis", "T3_1")
    assert recipe.commands == ("snakemake --cores 2 tables/smoke/thesis/T3_1.tex",)
    assert recipe.data == ()  # bundled
    hours = sum(row.hours for row in estimates(Grid.of("overfitting", "smoke", str(tmp_path)), Costs.read()))
    assert recipe.core_hours == pytest.approx(hours)


def test_of_released_scores_the_rest_is_run_released_and_drawn(tmp_path):
    data, run, release, report = recipes("small", str(tmp_path), str(tmp_path))("thesis", "T5_2").commands
    assert data == "python -m bayes_hpo.stages.data suite=conditional_small data.archive_dir=FOLDER"
    assert run == f"snakemake --cores 2 small_conditional --config skip={tmp_path}"
    assert release == "python -m bayes_hpo.stages.release study=conditional scale=small"
    assert report.endswith(f"study=conditional scale=small artifact=thesis/T5_2 scores={tmp_path}")


def test_measures_that_look_into_pools_are_made_of_the_finished_searches_before_the_release(tmp_path):
    commands = recipes("small", str(tmp_path), str(tmp_path))("divbo2022", "T3").commands
    measured = [command for command in commands if "stages.measure" in command]
    ends = ["finished=true study=divbo_quake scale=small measure=suggestions"]
    ends += ["finished=true study=divbo_surrogates scale=small measure=random_suggestions"]
    assert [command.rpartition("measure ")[2] for command in measured] == ends
    assert commands.index(measured[-1]) < next(k for k, command in enumerate(commands) if "stages.release" in command)


def test_what_rests_on_no_search_needs_none(tmp_path):
    of = recipes("small", str(tmp_path), str(tmp_path))
    for name, stages in {"A2_1": ["report"], "F5_1": ["measure", "report"]}.items():
        recipe = of("thesis", name)
        assert (recipe.core_hours, recipe.data) == (0, ())
        assert [command.split()[2].rpartition(".")[2] for command in recipe.commands] == stages


def test_an_artifact_of_another_scale_has_no_recipe(tmp_path):
    assert recipes("pilot", str(tmp_path))("thesis", "T5_2") is None
