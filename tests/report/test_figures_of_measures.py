"""Figures that are drawn from a measure: their files, their caption, and what a missing measure says."""

import pytest
from measured import frame, placed

from bayes_hpo.errors import RunError
from bayes_hpo.report import artifact
from bayes_hpo.storage import measured

MEASURES = {"F2_1": "gp_toy", "F2_2": "gp_toy", "F3_2": "splits", "F3_5": "posterior_mean_toy"}
each = pytest.mark.parametrize(("name", "measure"), MEASURES.items())


@pytest.fixture
def make(given, printed_rows, tmp_path, capsys, grid_of, iris):
    """Function: (artifact, measures that are there) -> (paths, what was printed)."""

    def of_measures(name, measures):
        (tmp_path / "measures").mkdir(exist_ok=True)
        grid = placed(grid_of(), iris, tmp_path / "results")
        for measure in measures:
            path = tmp_path / f"measures/{measure}.parquet"
            measured.write(frame(grid, measure), path, {}, study=grid.study, scale=grid.scale)
        paths = artifact.make(
            name, document="thesis", studies={"overfitting": given(printed_rows)}, products_dir=tmp_path
        )
        return paths, capsys.readouterr().out

    return of_measures


@pytest.mark.slow
@each
def test_the_caption_says_scale_and_command_and_the_bytes_are_the_same_again(make, name, measure):
    paths, said = make(name, [measure])
    assert "toy scale: no evidence" in said
    assert f"Command: snakemake --cores 2 figures/toy/thesis/{name}.pdf" in said
    first = [path.read_bytes() for path in paths]
    assert [path.read_bytes() for path in make(name, [measure])[0]] == first


@each
def test_a_missing_measure_is_named_with_its_command_and_nothing_is_written(make, name, measure, tmp_path):
    with pytest.raises(RunError, match=rf"python -m bayes_hpo\.stages\.measure study=overfitting measure={measure}"):
        make(name, [])
    assert not (tmp_path / "figures").exists()
