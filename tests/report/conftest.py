"""Fixtures of the report's tests: rows of scores, and what an artifact is made from."""

from types import MappingProxyType, SimpleNamespace

import chapter_5
import pytest
from page_reader import ledger
from PIL import Image
from score_rows import DATASETS, METHODS, as_printed, printed, rows, write

from bayes_hpo.report import artifact
from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.results import Results


@pytest.fixture(scope="session")
def printed_rows():
    """Rows whose final errors are the published ones."""
    return rows(as_printed)


@pytest.fixture
def given(tmp_path):
    """Function: (rows, data sets with their published names, their copies and sizes) -> the Results made from them."""

    def from_rows(frame, datasets=DATASETS, copies=(), sizes=MappingProxyType({}), **changes):
        folder = write(tmp_path / "scores", frame)
        fields = {
            "study": "overfitting",
            "scale": "toy",
            "setting": "toy",
            "methods": METHODS,
            "datasets": {
                name: SimpleNamespace(
                    rest=sizes.get(name, 0), n=sizes.get(name, 0), source="bundled" if name in copies else "archive"
                )
                for name in datasets
            },
            "scores_dir": folder,
            "printed": printed(datasets),
            "measures_dir": tmp_path / "measures",
        }
        return Results(**{**fields, **changes})

    return from_rows


@pytest.fixture
def conditional(given):
    """Function: (rows, printed names of data sets) -> the Results of the study conditional."""

    def of(frame, names=chapter_5.CELLS.index, **changes):
        datasets = {f"our-{name}": "" for name in names}
        return given(frame, **{"datasets": datasets, **chapter_5.fields(names), **changes})

    return of


@pytest.fixture
def products(tmp_path):
    """A products folder with nothing but the ledger."""
    folder = tmp_path / "products"
    (folder / "tables/toy").mkdir(parents=True)
    ledger().to_csv(folder / "tables/toy/ledger.csv", index=False)
    return folder


@pytest.fixture
def make_product(products, given):
    """Function: make one artifact from rows below `products`."""
    return lambda name, frame, **changes: artifact.make(
        name, document="thesis", studies={"overfitting": given(frame, **changes)}, products_dir=products
    )


@pytest.fixture
def png(products):
    """A figure 3.3 that was made, of which the lower third holds the caption."""
    path = products / "figures/toy/thesis/F3_3.png"
    path.parent.mkdir(parents=True)
    Image.effect_noise((300, 150), 50).save(path)
    PageEntry("Figure 3.3: noise", ["Scale toy."], "snakemake", drawn=2 / 3).save(path.with_suffix(".json"))
    return path
