"""conf/claims.csv holds the claims of chapters 2 and 3 and ours, every row composes, a wrong one is one sentence."""

import csv
import re
from pathlib import Path

import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.identities import IDENTITIES
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.part import parts
from bayes_hpo.data.registry import registry
from bayes_hpo.documents import catalog, published
from bayes_hpo.errors import UserError

pytestmark = pytest.mark.xdist_group("grids")  # composed once for all of them

CLAIMS = read()
VALIDATIONS = {  # how the documents' claims write what conf/claims.csv writes shorter
    "hold-out": [("holdout",)],
    "hold-out, 10 reps": [("holdout",)],
    "5-fold": [("kfold",)],
    "both": [("holdout", "kfold"), ("holdout", "kfold", "holdout>kfold")],
    "hold-out and 5-fold": [("holdout", "kfold")],
    "hold-out / 5-fold": [("holdout", "kfold")],
    "hold-out vs 5-fold": [("holdout>kfold",)],
    "5-fold vs hold-out": [("kfold>holdout",)],
    "across": [("across",)],
}
OF_MANY = {  # claims whose printed methods are a phrase: (a, b) as we read it
    "T3.1-cmar-second": ("cma_r", "grid rs gp gp_sel gp_sel_r cma cma_pv cma_bw cma_gv cma_pv_r cma_bw_r cma_gv_r"),
    "T3.1-med-5f-rs": ("rs", "gp_r cma_pv_r"),
    "T3.3-gpr-11of13": ("gp_r", "grid gp gp_sel gp_sel_r cma cma_pv cma_bw cma_gv cma_pv_r cma_bw_r cma_gv_r"),
    "T3-reshuffle-less-5f": ("gp_r", "gp"),
    "T3-reshuffle-most": (
        "gp_r gp_sel_r cma_r cma_pv_r cma_bw_r cma_gv_r",
        "gp gp_sel cma cma_pv cma_bw cma_gv",
    ),
    "T3-sel-cma-ho": ("cma cma cma cma_r cma_r cma_r", "cma_pv cma_bw cma_gv cma_pv_r cma_bw_r cma_gv_r"),
    "T3-sel-cma-5f": ("cma cma cma cma_r cma_r cma_r", "cma_pv cma_bw cma_gv cma_pv_r cma_bw_r cma_gv_r"),
    "T3-sel-worse-5f": ("cma cma cma cma_r cma_r cma_r", "cma_pv cma_bw cma_gv cma_pv_r cma_bw_r cma_gv_r"),
    "T3-bw-worst-ho": ("*", "cma_bw"),
    "T3-overfit-exists": ("gp gp_r", ""),
    "T3-gv-worst-5f": ("*", "cma_gv cma_gv_r"),
    "T3-5f-better": ("*@kfold", "*@holdout"),
    "F3.4-gpr-size": ("gp_r", ""),
    "F3.4-cmar-size": ("", "cma_r"),
    "O3-repaired": (
        " ".join(f"overfitting_repaired/{name}" for name in ["grid", "rs", "gp", "gp_r"]),
        "grid rs gp gp_r",
    ),
    "O3-cap": (" ".join(f"overfitting_uncapped/{name}" for name in ["grid", "rs", "gp", "gp_r"]), "grid rs gp gp_r"),
}
CHAPTER_2 = {  # of one data set: measure, kind, limit
    "T2.6.1-tau-zone": ("zone_distance", "equality", 0.5),
    "T2.6.1-tau-selected": ("choice_distance", "equality", 0.5),
    "T2.6.1-plateau": ("late_gain", "equality", 1),
    "T2.6.1-overfit": ("error_growth", "direction", 0),
    "T2.6.1-smooth": ("length", "direction", 1),
    "O2-smooth-times-1": ("length", "direction", 1),
    "O2-zone-times-1": ("zone_distance", "equality", 0.5),
    "T2.6.2-plateau40": ("plateau_distance", "equality", 15),
    "T2.6.2-overfit20": ("late_overfit", "direction", 0),
}
ALL = ("13 others", "5 others", "all", "each", "others", "all 14")
CLOSE = {"T3-gpr1f-near-gp5f": 0.5, "T3.5-median-1f-5f": 0.5, "T3.1-spread": 3}  # which may differ -> limit
SAME_RUNS = ("ranks", "friedman", "nemenyi", "EO-BOpost", "EOpost-BOpost", "EO-BObest", "BO-post-best", "EO-EOpost")
ALSO = {  # a claim that is another times a constant, or of runs that are printed twice -> the others
    **{f"U2-{name}": [f"T4.4-{name}"] for name in SAME_RUNS},
    "T4.5-CMA-RS": ["T5.3-cma-rs"],
    "T3.1-gpr-win-ho": ["T3.1-gpr-best-ho"],
    "T3.1-gpr-win-5f": ["T3.1-gpr-best-5f"],
    "T3.5-pmr-win": ["T3.4-pmr-best-ho", "T3.4-pmr-best-5f"],
}
PRIMARY = {  # one a chapter and document
    *("T2.6.1-overfit", "T3-reshuffle-gp-ho", "T4.4-EO-BOpost", "T5.2-cond-ls-best", "U5-EO-BOpost", "E-SVR-smbo"),
    "D2-boes",
}
EXPLORATORY = {  # limit, kind or measure chosen after runs were seen
    *("T2.6.1-smooth", "O2-smooth-times-1", "T2.6.2-overfit20", "T3-gpr1f-near-gp5f", "T3.5-median-1f-5f"),
    *("T3-overfit-exists", "T5.3-cond-matern", "F5.9-titanic-dt", "T4.4-m-zone"),
    *("T4.2-fig-ensobj", "T4.2-fig-shift", "T4.2.3-slots", "E-n10"),
    *("D4t-eff100", "D4t-eff50"),
}
OURS = {"O2-smooth-times-1", "O2-zone-times-1", "O3-repaired", "O3-cap", "O5-impute-length-2", "O5-impute-length-100"}
OURS |= {"O4-rs-best", "O4-init13", "O4-svm-init13", "O4-rs-post", "E-n10-posthoc"}


def test_every_claim_of_chapter_3_has_a_row():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = [row["id"] for row in csv.DictReader(stream) if row["id"].startswith(("T3", "F3"))]
    assert len(theirs) == 50
    assert {claim.claim for claim in CLAIMS if claim.document != "ours"} | set(ALSO) >= set(theirs)
    assert {claim.claim for claim in CLAIMS if claim.document == "ours"} >= OURS


def test_every_published_claim_has_a_row_or_a_reason_why_not():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        published = [row["id"] for row in csv.DictReader(stream)]
    reasons = (Path(__file__).parents[2] / "docs/claims.md").read_text().split("<!-- history -->")[0]
    rows = {claim.claim for claim in CLAIMS}.union(*(claim.also for claim in CLAIMS))
    named = set(re.findall(r"[A-Z]\d?[\w.-]*-[\w.-]*\w", reasons))
    assert set(published) - rows - named == set()


def test_a_claim_that_is_another_times_a_constant_stands_beside_it_alone():
    found = {name: [claim.claim for claim in CLAIMS if name in claim.also] for name in ALSO}
    assert found == ALSO
    assert not set(ALSO) & {claim.claim for claim in CLAIMS}


def test_every_claim_is_sorted_before_it_is_weighed():
    tiers = {claim.claim: claim.tier for claim in CLAIMS}
    assert {name for name, tier in tiers.items() if tier == "primary"} == PRIMARY
    assert {name for name, tier in tiers.items() if tier == "exploratory"} == EXPLORATORY
    assert {name for name, tier in tiers.items() if tier == "ours"} == OURS - EXPLORATORY


def test_where_ten_repetitions_are_printed_ten_are_compared():
    assert {claim.claim for claim in CLAIMS if claim.repetitions} == {
        claim.claim for claim in CLAIMS if claim.claim.startswith(("T3.4", "T3.5"))
    }
    assert {claim.repetitions for claim in CLAIMS} == {0, 10}


def test_every_claim_of_chapter_2_is_measured_on_its_data_set():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = {row["id"]: row["suite"].lower() for row in csv.DictReader(stream) if row["id"].startswith("T2.")}
    ours = {claim.claim: claim for claim in CLAIMS if claim.claim.startswith("T2.")}
    assert {name: claim.datasets for name, claim in ours.items()} == {name: (one,) for name, one in theirs.items()}
    assert {one.claim: (one.measure, one.kind, one.limit) for one in CLAIMS if one.claim in CHAPTER_2} == CHAPTER_2
    assert {claim.a for claim in ours.values()} == {("gp",)}


def _compared(text):
    """What a document's claim writes as method_A or method_B, as conf/claims.csv writes it."""
    if text in ALL:
        return "*"
    label, *validation = text.rsplit(" ", 1) if text.endswith((" hold-out", " 5-fold")) else (text,)
    names = " ".join(label.replace(",", " ").replace("-", "_").split())
    at = {"hold-out": "@holdout", "5-fold": "@kfold"}[validation[0]] if validation else ""
    return " ".join(name + at for name in names.split())


def test_every_row_compares_what_the_documents_claim_compares():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = {row["id"]: row for row in csv.DictReader(stream)}
    chapter_3 = ("overfitting", "overfitting_repaired", "overfitting_uncapped")
    for claim in [claim for claim in CLAIMS if claim.study in chapter_3]:
        row = theirs.get(claim.claim)
        a, b = OF_MANY.get(claim.claim) or (_compared(row["method_A"]), _compared(row["method_B"]))
        assert (" ".join(claim.a), " ".join(claim.b)) == (a, b), claim.claim
        if row:
            assert claim.validations in VALIDATIONS[row["protocol"]], claim.claim
            no_difference = row["kind"] == "equality-no-difference"
            kind = "closeness" if claim.claim in CLOSE else "equality" if no_difference else "direction"
            assert claim.kind == kind, claim.claim
        usual = 0.15 if claim.kind == "equality" else 0
        assert claim.limit == CLOSE.get(claim.claim, usual), claim.claim


def test_every_measure_is_that_of_a_claim():
    assert {claim.measure for claim in CLAIMS} == {*MEASURES, *IDENTITIES}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.claim)
def test_a_claim_composes(claim, grid_of):
    for part in parts(claim):
        for study, validation, method in part.columns:
            cfg = grid_of(study).cfg["study"]
            assert method in cfg["methods"]
            assert validation in cfg["validations"]
            if part.measure.quantities[-1].startswith("early"):
                assert method in cfg["curves"]
    assert set(claim.datasets) <= set(registry())
    assert claim.text
    assert not claim.text.endswith(".")


def _printed(name):
    return next(claim for claim in CLAIMS if claim.claim == name).printed


def test_printed_numbers_are_those_of_tables_3_4_and_3_5():
    ranks = {v: table["rank"].sort_values() for v, table in published.summary("T3_5").items()}
    assert _printed("T3.4-pmr-best-ho")[0] == pytest.approx(ranks["holdout"].iloc[1] - ranks["holdout"].iloc[0])
    assert _printed("T3.4-pmr-best-5f")[0] == pytest.approx(ranks["kfold"].iloc[1] - ranks["kfold"].iloc[0])
    wins = {v: table.loc["gp_pm_r"].drop("gp_pm_r") / 1.18 for v, (table, _) in published.net_wins("T3_4").items()}
    assert _printed("T3.4-pmr-gpr-5f")[0] == pytest.approx(wins["kfold"]["gp_r"], abs=0.01)
    assert _printed("T3.4-pmr-all-ho")[0] == pytest.approx(wins["holdout"].drop("gp_r").min(), abs=0.01)
    assert _printed("T3.4-pmr-all-5f")[0] == pytest.approx(wins["kfold"].min(), abs=0.01)


def test_an_empty_limit_is_zero_for_a_direction_and_the_margin_of_the_study_for_equality(claim_file):
    direction, equality = read(claim_file({}, {"claim": "B", "kind": "equality"}))
    assert (direction.limit, direction.level) == (0, 0.95)
    assert (equality.limit, equality.level) == (0.15, 0.9)
    (other,) = read(claim_file({"kind": "equality", "study": "conditional"}))
    assert other.limit == 0.3
    with pytest.raises(UserError, match="study svm_width has no margin; give a limit here, or a margin in conf/study"):
        read(claim_file({"kind": "equality", "study": "svm_width"}))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"measure": "net_win"}, r"row 2 \(A\): unknown measure=net_win \(did you mean net_wins\?\); allowed: "),
        ({"measure": "chosen_mlp"}, r"unknown measure=chosen_mlp.*; allowed: "),
        ({"tier": "main"}, r"unknown tier=main.*allowed: primary, secondary, exploratory, ours"),
        ({"kind": "equal"}, r"unknown kind=equal .*allowed: direction, equality, closeness, identity"),
        ({"study": "overfiting"}, r"unknown study=overfiting \(did you mean overfitting\?\); allowed: "),
        ({"limit": ".l5"}, r"limit=\.l5 is not a number"),
        ({"limit": "nan"}, r"limit=nan is not a number"),
        ({"kind": "equality", "limit": "0"}, r"limit=0 is not a margin; give a number above 0"),
        ({"printed": "1,5"}, r"printed=1,5 is not a number"),
        ({"printed": "1 2"}, r"printed needs a number for each of validations \(and studies\), or none at all"),
        ({"validations": ""}, r"validations is empty; give for example holdout"),
    ],
)
def test_a_malformed_row_is_named(claim_file, change, sentence):
    with pytest.raises(UserError, match=sentence):
        read(claim_file(change))


def test_a_claim_is_there_once(claim_file):
    with pytest.raises(UserError, match=r"row 3: A occurs twice; rename one of the two"):
        read(claim_file({}, {}))


def test_the_columns_are_told(claim_file, tmp_path):
    with pytest.raises(UserError, match=r"the columns must be claim, also, tier, document, .*, in this order"):
        read(claim_file({}, header=["claim", "document"]))
    with pytest.raises(UserError, match="cannot be read"):
        read(tmp_path / "none.csv")


def test_a_torn_line_is_named(claim_file):
    path = claim_file({})
    path.write_text(path.read_text(encoding="utf-8")[:-8], encoding="utf-8")
    with pytest.raises(UserError, match=r"row 2 \(A\): \d+ cells, the header has 18"):
        read(path)
