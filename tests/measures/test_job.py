"""A measure job writes the whole frame with what it depends on, or nothing."""

import json
import math
import re

import pandas as pd
import pyarrow.parquet as pq
import pytest
from measured import frame

from bayes_hpo.campaign.modules import digest
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.options import CONF, options
from bayes_hpo.errors import RunError, UserError
from bayes_hpo.measures.job import run_measure
from bayes_hpo.storage import measured


@pytest.fixture
def settings(grid):
    """The measure splits, on tiny data."""
    return grid.cfg["measures"]["splits"] | {"dataset": "tiny"}


def test_the_file_holds_the_frame_and_what_it_depends_on(grid, settings, tmp_path):
    output, depends = tmp_path / "new/splits.parquet", {"modules": {"a": "1"}, "config": {"x": 2}}
    run_measure(settings, grid, output=output, depends=depends)
    table = pq.read_table(output)
    assert table.to_pandas().equals(frame(grid, "splits"))
    assert json.loads(table.schema.metadata[b"depends"]) == depends


@pytest.mark.parametrize("extend", [False, True])
def test_rows_of_other_searches_stay_if_the_file_is_extended(grid, settings, tmp_path, extend):
    output, other = tmp_path / "splits.parquet", frame(grid, "splits").assign(dataset="another")
    measured.write(other, output, {"fingerprint": "a"}, study=grid.study, scale=grid.scale)
    run_measure(settings, grid, output=output, depends={"fingerprint": "a"}, extend=extend)
    assert set(pd.read_parquet(output)["dataset"]) == {"tiny", *(["another"] if extend else [])}


def test_no_space_leaves_the_older_file(grid, settings, tmp_path, in_child):
    output = tmp_path / "splits.parquet"
    output.write_bytes(b"older")
    code, problem = in_child(lambda: run_measure(settings, grid, output=output, depends={}), file_size=1000)
    assert code == 0
    assert isinstance(problem, RunError)
    assert re.search(rf"{output} could not be written .*File too large", str(problem))
    assert [path.name for path in tmp_path.iterdir()] == ["splits.parquet"]
    assert output.read_bytes() == b"older"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"iterations": 0}, "measure.iterations=0 must be at least 1 and at most 1000"),
        ({"iterations": "three"}, "measure.iterations: 'three' is not of type int"),
        ({"iteration": 3}, "measure: got an unexpected keyword argument 'iteration'"),
        ({"_target_": "bayes_hpo.measures.splits.Split"}, "there is no bayes_hpo.measures.splits.Split"),
    ],
)
def test_a_wrong_setting_is_one_sentence(grid, settings, tmp_path, change, words):
    with pytest.raises(UserError, match=words):
        run_measure(settings | change, grid, output=tmp_path / "x.parquet", depends={})


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, -1])
@pytest.mark.parametrize("name", options("measure"))
def test_a_number_that_nothing_can_be_computed_with_is_one_sentence(grid_of, name, wrong):
    settings = grid_of().cfg["measures"][name]
    for key in [key for key, value in settings.items() if isinstance(value, int | float)]:
        value = int(wrong) if wrong == -1 else wrong
        with pytest.raises(UserError, match=rf"^measure\.{key}[=:]"):
            build(settings | {key: value}, "measure")


@pytest.mark.parametrize("name", options("measure"))
def test_a_measure_is_built_and_says_what_it_is(grid_of, name):
    """With the settings that it has in a study that takes it."""
    settings = next(grid_of(study).measures[name] for study in options("study") if name in grid_of(study).measures)
    assert callable(build(settings, "measure"))
    assert (CONF / f"measure/{name}.yaml").read_text(encoding="utf-8").startswith("# ")
    assert len(digest(settings)) == 16
