"""The claims of chapter 5: every one has a row that compares the same, and holds where its cells are our runs."""

import csv
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from chapter_5 import CELLS, METHODS, REGISTRY, STUDY, scores

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.ledger import ledger
from bayes_hpo.claims.measure import Side
from bayes_hpo.claims.measures import choice_lead
from bayes_hpo.claims.sample import CHOICES, Sample
from bayes_hpo.claims.study import Study
from bayes_hpo.documents import catalog
from bayes_hpo.documents.names import method
from bayes_hpo.documents.printed import Printed

CLAIMS = {claim.claim: claim for claim in read() if claim.study == "conditional" and claim.document != "ours"}
BOUNDS = {claim.claim: claim for claim in read() if claim.claim.startswith("O5-impute-length")}
NOT_COMPARABLE = {"F5.9-917-linsvm"}  # of a data set whose print has errors of chance
MEASURES = {  # claim -> measure, limit
    "T5.2-cond-ls-best": ("rank_lead", 0),
    "T5.2-order3": ("rank_lead", 0),
    "T5.2-spearmint-worst": ("signed_ranks", 0),
    "T5.2-friedman": ("friedman_excess", 0),
    "T5.6-RS": ("separated_alone", 0),
    "T5.2-ls-helps": ("rank_gain", 0),
    "T5.3-ls-cond": ("signed_ranks", 0),
    "T5.3-ls-laplace": ("signed_ranks", 0),
    "T5.3-ls-matern": ("hodges_lehmann", 0.3),
    "T5.3-impute": ("signed_ranks", 0),
    "T5.3-condls-all": ("signed_ranks", 0),
    "T5.3-cond-matern": ("hodges_lehmann", 0.3),
    "T5.3-cond-laplace": ("signed_ranks", 0),
    "T5.3-smac-laplacels": ("hodges_lehmann", 0.3),
    "T5.3-cma-rs": ("hodges_lehmann", 0.3),
    "T5.3-smac-rs": ("signed_ranks", 0),
    "T5.2-never-worse": ("worse_gain", 0),
    "F5.2-imputation-cov": ("imputation_raises_covariance", 0),
    "F5.3-cond-zero": ("conditions_do_not_covary", 0),
    "F5.5-mondrian": ("mondrian_error", 0),
    "F5.7-val-test": ("rank_agreement", 0.5),
    "F5.7-maternls-val": ("closer_in_validation", 0),
    "F5.7-smac-worse": ("rank_growth", 0),
    "F5.7-rs-flat": ("rank_growth", -0.5),
    "F5.8-rf-svm": ("choice_lead", 0.1),
    "F5.9-titanic-dt": ("attained_dt", 0.5),
}
EARLY = dict.fromkeys(METHODS, 1.0) | {"smac": 0.0}  # so SMAC is first before the end
OUTSIDE = ["gp_cond_ls", "gp_matern_ls", "gp_matern"]
LS = ("gp_matern_ls gp_cond_ls gp_laplace_ls", "gp_matern gp_cond gp_laplace")
OF_MANY = {  # claims whose printed methods are a phrase: (a, b) as we read it
    "T5.2-cond-ls-best": ("gp_cond_ls", "*"),
    "T5.2-order3": ("gp_matern_ls gp_matern", " ".join(name for name in METHODS if name not in OUTSIDE)),
    "T5.2-spearmint-worst": (" ".join(name for name in METHODS if name != "spearmint"), "spearmint"),
    "T5.2-friedman": ("*", ""),
    "T5.2-ls-helps": LS,
    "T5.3-condls-all": ("gp_cond_ls", " ".join(name for name in METHODS if name not in OUTSIDE[:2])),
    "T5.2-never-worse": ("gp_cond_ls", "smac spearmint"),  # GP-matern-ls: once, too close to tell
    "F5.7-val-test": ("*", ""),
    "F5.7-maternls-val": ("gp_cond_ls", "gp_matern_ls"),
    "F5.8-rf-svm": ("gp_cond_ls", ""),
    "F5.9-titanic-dt": ("gp_cond_ls", ""),
}


def in_ours(labels):
    """Methods that a claim's label names, by our names."""
    return " ".join(method(label, STUDY["labels"]) for label in filter(None, labels.split(", ")))


@pytest.fixture(scope="module")
def theirs():
    """The printed claims of chapter 5 by id."""
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        return {row["id"]: row for row in csv.DictReader(stream) if row["id"].startswith(("T5.", "F5.", "T5_"))}


@pytest.fixture(scope="module")
def statistics():
    """Choices of GP-cond-ls: rf and svm in turn; dt on one data set."""
    parts = []
    for place, name in enumerate(REGISTRY):
        for repetition in range(10):
            chosen = "chosen_dt" if name == "our-tita" else ("chosen_rf", "chosen_svm")[(place + repetition) % 2]
            key = {"dataset": name, "repetition": repetition, "validation": "kfold", "method": "gp_cond_ls"}
            parts += [{**key, "quantity": one, "value": float(one == chosen)} for one in CHOICES]
            parts.append({**key, "quantity": "attained_dt", "value": float(chosen == "chosen_dt")})
    return pd.DataFrame(parts)


@pytest.fixture(scope="module")
def judged(statistics):
    """The ledger of chapter 5's claims on runs whose errors are the printed ones, by claim."""
    printed = Printed.of(STUDY, REGISTRY).comparable
    study = Study(scores(noise=0.1, early=EARLY), {}, statistics, printed, STUDY["labels"])
    frame = ledger({"conditional": study}, REGISTRY, "paper").set_index("claim")
    return frame[frame.index.isin(CLAIMS)]


def test_every_claim_but_those_of_the_toys_and_of_other_data_has_a_row(theirs):
    assert len(theirs) == 27
    assert set(CLAIMS) == set(theirs) - NOT_COMPARABLE


def test_every_claim_has_the_measure_and_the_limit_that_its_words_need():
    assert {name: (claim.measure, claim.limit) for name, claim in CLAIMS.items()} == MEASURES


def test_every_row_compares_what_the_claim_compares(theirs):
    for name, claim in CLAIMS.items():
        row = theirs[name]
        if claim.is_identity:
            assert (claim.a, claim.b, claim.validations) == ((), (), ("exact",)), name
            continue
        expected = OF_MANY.get(name) or (in_ours(row["method_A"]), in_ours(row["method_B"]))
        assert (" ".join(claim.a), " ".join(claim.b)) == expected, name
        assert claim.validations == ("kfold",)
        assert claim.kind == ("equality" if row["kind"] == "equality-no-difference" else "direction"), name


def test_imputation_is_judged_alike_under_both_bounds_of_the_lengths_and_on_the_same_data_sets():  # D5.6
    assert len(BOUNDS) == 2
    for bound, claim in BOUNDS.items():
        same = ("measure", "kind", "limit", "validations", "field")
        assert [getattr(claim, key) for key in same] == [getattr(CLAIMS["T5.3-impute"], key) for key in same]
        ending = {"O5-impute-length-2": "_length_2", "O5-impute-length-100": ""}[bound]
        assert (claim.a, claim.b) == ((f"gp_matern{ending}",), (f"gp_matern_noimpute{ending}",))
    grids = [Grid.of(claim.study, "small") for claim in BOUNDS.values()]
    assert grids[0].datasets == grids[1].datasets
    assert {claim.datasets for claim in BOUNDS.values()} == {()}  # all of their studies
    learners = [grid.cfg["study"]["learner"] for grid in grids]
    assert learners[0] == learners[1]


def test_ranks_are_among_the_eleven():
    fields = {claim.claim: set(claim.field) for claim in CLAIMS.values() if claim.field}
    assert len(fields) == 10
    assert all(field == set(METHODS) for field in fields.values())


@pytest.mark.slow
def test_printed_cells_as_our_runs_give_the_printed_value_and_contradict_no_claim(judged):
    recomputed = judged[judged["published_on"] == "own data sets"]
    assert len(recomputed) == 16
    np.testing.assert_allclose(recomputed["estimate"], recomputed["published"], atol=1e-6)
    assert set(recomputed["data_sets"]) == {22}  # without 46 and 917, which are not comparable
    for name, row in recomputed.iterrows():
        claim = CLAIMS[name]
        assert row["verdict"] in ("reproduced", "inconclusive"), name
        if claim.kind == "direction":
            assert row["estimate"] > claim.limit, name
        else:
            assert abs(row["estimate"]) <= claim.limit, name
    reproduced = recomputed.index[recomputed["verdict"] == "reproduced"]
    assert {"T5.2-friedman", "T5.3-ls-cond", "T5.3-ls-laplace", "T5.2-spearmint-worst"} <= set(reproduced)
    assert recomputed.loc["T5.2-cond-ls-best", "estimate"] == pytest.approx(_lead(), abs=1e-6)


def _lead():
    rank = CELLS.drop(index=STUDY["not_comparable"]).rank(axis=1).mean().sort_values()
    return rank.iloc[1] - rank.iloc[0]


@pytest.mark.slow
def test_choices_and_counts_are_measured(judged):
    assert judged.loc["F5.8-rf-svm", "estimate"] == pytest.approx(115 / 240 - 10 / 240, abs=0.01)
    assert judged.loc["T5.2-never-worse", "published"] == 41.67
    assert judged.loc["T5.2-never-worse", "data_sets"] == 24
    assert judged.loc["T5.2-never-worse", "repetitions"] == "10"
    worse = 100 * (10 - 1) / 24  # table 5.2 made of these scores: SMAC on 10 data sets, GP-cond-ls on one
    assert judged.loc["T5.2-never-worse", "estimate"] == pytest.approx(worse)


@pytest.mark.slow
def test_ranks_have_grown_by_what_they_were_lower_early(judged):
    final = CELLS.rank(axis=1).mean()
    early = CELLS.assign(smac=0).rank(axis=1).mean()
    for claim, name in (("F5.7-smac-worse", "smac"), ("F5.7-rs-flat", "rs")):
        assert judged.loc[claim, "estimate"] == pytest.approx(final[name] - early[name], abs=0.05)


@pytest.mark.parametrize(("rf", "svm"), [(0.6, 0.1), (0.1, 0.6)])
def test_the_rarer_of_random_forest_and_svm_is_held_against_the_most_frequent_other(rf, svm):
    shares = dict.fromkeys(CHOICES, 0.0) | {"chosen_rf": rf, "chosen_svm": svm, "chosen_dt": 0.3}
    sample = Sample({name: np.full((4, 1), share) for name, share in shares.items()}, np.full(4, 100))
    assert choice_lead(sample, Side((0,), ())).min() == pytest.approx(0.1 - 0.3)


def test_a_verdict_without_the_flagged_data_sets_is_that_of_runs_that_lack_them():
    """On 1049 and 184 the other way round: what is printed holds on the other ten data sets alone."""
    names, flagged = [*CELLS.index[6:16], "1049", "184"], ["our-1049", "our-184"]
    frame = scores(names, methods=["gp_matern", "gp_matern_noimpute"], noise=0.1)
    turned = {"gp_matern": "gp_matern_noimpute", "gp_matern_noimpute": "gp_matern"}
    there = frame["dataset"].isin(flagged)
    frame.loc[there, "method"] = frame.loc[there, "method"].map(turned)
    study = Study(frame, {}, printed=Printed.of(STUDY, REGISTRY).comparable, labels=STUDY["labels"])
    both = _impute(replace(study, flagged=tuple(flagged)))
    rest = _impute(replace(study, scores=frame[~there]))
    assert (both["data_sets"], both["data_sets_without_flagged"]) == (12, 10) == (12, rest["data_sets"])
    assert both["verdict_without_flagged"] == rest["verdict"]
    for name in ("estimate", "low", "high"):
        assert both[f"{name}_without_flagged"] == rest[name] != both[name]
    assert _impute(study).drop(COLUMNS).equals(both.drop(COLUMNS))


def test_a_claim_that_rests_on_no_flagged_data_set_has_one_verdict():
    frame = scores(CELLS.index[6:16], methods=["gp_matern", "gp_matern_noimpute"], noise=0.1)
    for flagged in ((), ("our-1049",), tuple(frame["dataset"].unique())):
        row = _impute(Study(frame, {}, labels=STUDY["labels"], flagged=flagged))
        assert row["verdict_without_flagged"] == ""
        assert row[COLUMNS].isna().sum() == 4


COLUMNS = [f"{name}_without_flagged" for name in ("verdict", "data_sets", "estimate", "low", "high")]


def _impute(study):
    """The row of T5.3-impute in the ledger of a study."""
    return ledger({"conditional": study}, REGISTRY, "paper").set_index("claim").loc["T5.3-impute"]
