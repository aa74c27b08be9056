"""Released measures and committed tables rest on all released scores."""

from pathlib import Path

import pandas as pd
import pytest

from bayes_hpo.configuration.options import written
from bayes_hpo.data.registry import registry
from bayes_hpo.scores.extended import SEARCH

FOLDER = Path(__file__).parents[2] / "released"
TABLE = FOLDER.parent / "tables/small/divbo2022/T1.csv"


def scored(study, scale):
    """The released searches of a study: frame with a row per search and method, columns SEARCH."""
    files = FOLDER.glob(f"{study}/{scale}/*/*/*.parquet")
    rows = pd.concat(pd.read_parquet(file, columns=[*SEARCH, "final"]) for file in files)
    return rows.loc[rows["final"], SEARCH].drop_duplicates()


def measures():
    """Paths of the released measures of single searches."""
    files = sorted(FOLDER.glob("*/*/measures/*.parquet"))
    return [file for file in files if set(SEARCH) <= set(pd.read_parquet(file).columns)]


@pytest.mark.parametrize("path", measures(), ids=lambda path: str(path.relative_to(FOLDER)))
def test_a_measure_has_every_released_search_of_its_methods(path):  # whose pools, which it reads, may be lost
    study, scale = path.parts[-4:-2]
    if not list(FOLDER.glob(f"{study}/{scale}/*/*/*.parquet")):
        pytest.skip(f"{study} has no scores of its own")
    measured = pd.read_parquet(path)[SEARCH].drop_duplicates()
    searches = scored(study, scale)
    expected = searches[searches["method"].isin(measured["method"].unique())]
    missing = expected.merge(measured, how="left", indicator=True).query("_merge == 'left_only'")
    assert missing[SEARCH].to_dict("records") == []


def test_table_1_of_divbo_has_every_data_set_that_its_methods_share():
    names = {label: name for name, label in written("study", "divbo")["labels"].items()}
    cells = pd.read_csv(TABLE).query("metric != 'avg_rank'")
    methods = {names[label] for label in cells["method"]}
    searches = scored("divbo", "small").query("method in @methods")
    counts = searches.groupby(["dataset", "repetition"])["method"].nunique()
    shared = counts[counts == len(methods)].reset_index()["dataset"].unique()
    assert set(cells["dataset"]) == {registry()[name].published_name for name in shared}
