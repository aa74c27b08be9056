"""The claims of chapter 4 and of UAI 2016, measured on the printed cells: what their text says of all 18 data sets."""

import csv

import numpy as np
import pytest
from omegaconf import OmegaConf

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.measure import Side
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.sample import Sample
from bayes_hpo.documents import catalog, names, published

TABLES = {
    "ensembles_svm": ("thesis", "T4_4"),
    "ensembles_sklearn": ("thesis", "T4_6"),
    "ensembles_sklearn_uai": ("uai2016", "T4"),
}
CLAIMS = {claim.claim: claim for claim in read() if claim.study in TABLES}
ILLUSTRATED = {claim.claim for claim in read() if claim.study in ("ensembles_width", "ensembles_bank")}
PRINTED = [  # claim, its components in print: in the order of its pairs
    ("T4.4-EO-10of18", [1000 / 18], 0.01),  # EO best on 10 of 18 data sets, BO-best on none
    ("T4.4-nemenyi", [1.50 - 1.106, 1.47 - 1.106, 1.106 - 0.58], 0.06),  # ranks from rounded cells
    ("T4.6-sig-7of18", [800 / 18], 0.01),  # on 7, and on one more beside another
    ("T4.6-nemenyi-BO-RSpost", [2.475 - 1.05, 2.475 - 2.08], 0.12),
    ("T4.6-nemenyi-BObest-RSbest", [2.475 - 1.91], 0.12),
    ("U4-nemenyi", [3.36 - 1.67 - 1.106, 3.11 - 1.67 - 1.106, 3.36 - 1.86 - 1.106, 3.11 - 1.86 - 1.106], 0.01),
]
DIRECTIONS = [  # of which both sides are printed for every data set
    claim.claim
    for claim in CLAIMS.values()
    if claim.is_direction and claim.document != "ours" and claim.measure != "worse_gain"
    if not claim.datasets and "eo_m3" not in claim.b and not any("/" in name for name in claim.a)
]


def _values(name):
    """Components (k,) of a claim on the printed cells."""
    claim = CLAIMS[name]
    cells = published.mean_errors(*TABLES[claim.study])[0]
    labels = OmegaConf.load(f"conf/study/{claim.study}.yaml").labels
    columns = {method: list(cells.columns).index(label) for method, label in labels.items()}
    assert {names.printed(method, labels) for method in columns} == set(cells.columns)
    field = tuple(columns[method] for method in claim.field)
    a = field if claim.a == ("*",) else tuple(columns[method] for method in claim.a)
    side = Side(a, tuple(columns[method] for method in claim.b), field)
    return MEASURES[claim.measure].function(Sample({"error": cells.to_numpy()}, np.full(len(cells), 100)), side)


@pytest.mark.parametrize(("name", "expected", "tolerance"), PRINTED)
def test_the_printed_cells_give_the_printed_numbers(name, expected, tolerance):
    assert sorted(_values(name)) == pytest.approx(sorted(expected), abs=tolerance)


@pytest.mark.parametrize("name", DIRECTIONS)
def test_every_direction_holds_in_the_printed_cells(name):
    assert _values(name).min() > 0


def test_every_published_claim_of_the_tables_has_a_row():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = {row["id"] for row in csv.DictReader(stream)}
    of_tables = {name for name in theirs if name.startswith(("T4.4-", "T4.5-", "T4.6-", "U2-", "U4-", "U5-", "U2.1-"))}
    assert of_tables <= {name for claim in read() for name in (claim.claim, *claim.also)}
    assert len(of_tables) == 41


def test_every_published_claim_of_the_illustrations_and_toys_has_a_row():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = {row["id"] for row in csv.DictReader(stream)}
    of_illustrations = {name for name in theirs if name.startswith(("T4.1-", "T4.2-", "T4.2.3-"))}
    assert len(of_illustrations) == 7
    assert ILLUSTRATED - {"T4.2-fig-shift"} == of_illustrations  # the other half of T4.2-fig-ensobj
