"""The ledger on runs that equal the published cells, on few of them, and on none."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.ledger import ledger
from bayes_hpo.claims.study import Design, Study

SHIFT = {"claim": "B", "measure": "hodges_lehmann", "kind": "equality"}


@pytest.fixture(scope="session")
def two_methods(as_published, suite):
    """Scores of gp and gp_r with the published cells of the 118 data sets."""
    return as_published(suite("overfitting118"), 20, methods=["gp", "gp_r"])


def test_published_cells_as_our_runs_are_reproduced(ledger_of, two_methods):
    frame = ledger_of(two_methods, {}, {**SHIFT, "limit": ".5"})
    assert list(frame["verdict"]) == ["reproduced", "inconclusive"]
    assert "within the margin, but Wilcoxon's test tells a difference" in frame["note"][1]
    np.testing.assert_allclose(frame["estimate"], frame["published"], atol=1e-6)
    assert frame["estimate"][0] == pytest.approx(100 * 36 / 118)  # table 3.2 prints 36 net wins
    assert (frame["low"] < frame["estimate"]).all()
    assert set(frame["published_on"]) == {"own data sets"}
    assert list(frame["data_sets"]) == [118, 118]
    assert list(frame["repetitions"]) == ["20", "20"]


def test_runs_without_the_effect_do_not_reproduce_it(ledger_of, two_methods):
    swapped = two_methods.assign(method=two_methods["method"].map({"gp": "gp_r", "gp_r": "gp"}))
    frame = ledger_of(swapped, {}, {**SHIFT, "limit": ".01"})
    assert frame["verdict"][0] == "not reproduced"
    assert frame["published"][0] > 0 > frame["estimate"][0]
    assert frame["verdict"][1] != "reproduced"


def test_a_small_effect_is_smaller_than_published(ledger_of, two_methods):
    gp = two_methods.query("method == 'gp'")
    scores = pd.concat([gp, gp.assign(method="gp_r", test_error=gp["test_error"] - 0.0001)])
    frame = ledger_of(scores, {"measure": "hodges_lehmann"})
    assert frame["verdict"][0] == "smaller than published"
    assert frame["estimate"][0] == pytest.approx(0.01)


def test_few_data_sets_decide_nothing_but_show_their_numbers(ledger_of, as_published):
    scores = as_published(["iris", "pima", "ecoli"], 3, methods=["gp", "gp_r"])
    row = ledger_of(scores).iloc[0]
    assert row["verdict"] == "inconclusive"
    assert np.isfinite([row["estimate"], row["low"], row["published"]]).all()
    assert "3 data sets: fewer than 10 decide nothing" in row["note"]


def test_one_data_set_or_one_repetition_is_told(ledger_of, as_published, suite):
    row = ledger_of(as_published(["iris"], 5, methods=["gp", "gp_r"])).iloc[0]
    assert (row["verdict"], row["note"]) == ("inconclusive", "1 data set: fewer than 10 decide nothing")
    row = ledger_of(as_published(suite("overfitting_small"), 1, methods=["gp", "gp_r"])).iloc[0]
    assert row["verdict"] == "reproduced"
    assert row["note"] == "one repetition: its noise cannot be told from what differs between data sets"


def test_an_interim_verdict_has_the_power_of_what_is_run(rows, claim_file, printed, as_published, suite):
    names, behind, claims = tuple(suite("overfitting_small")), {"holdout": 20, "kfold": 20}, claim_file({})

    def row(scores, designs):
        study = Study(scores, printed=printed, designs=designs, printed_repetitions=behind)
        return ledger({"overfitting": study}, rows, "small", claims).iloc[0]

    designs = {"small": Design(names, behind)}
    scores = as_published(names, 20, methods=["gp", "gp_r"])
    whole = row(scores, designs)
    assert not whole["interim"]
    assert np.isnan(whole["power_so_far"])
    in_few = scores["dataset"].isin(names[:20]) & ((scores["dataset"] != names[0]) | (scores["repetition"] < 3))
    few = row(scores[in_few], designs)
    assert few["interim"]
    small = row(scores[in_few], {"small": Design(names[:20], dict.fromkeys(behind, 3))})
    assert few["power_so_far"] == small["power"] < 0.5 < few["power"] == whole["power"]


def test_a_claim_about_one_data_set_is_decided_by_ten_repetitions(ledger_of, as_published):
    claim = {"measure": "gap", "a": "gp", "b": "", "datasets": "statlog-german-credit"}
    for repetitions, verdict in ((9, "inconclusive"), (10, "reproduced")):
        row = ledger_of(as_published(["statlog-german-credit", "iris"], repetitions, methods=["gp"]), claim).iloc[0]
        assert (row["verdict"], row["data_sets"], row["repetitions"]) == (verdict, 1, str(repetitions))


def test_the_print_stands_where_no_cells_were_published(ledger_of, as_published, suite):
    scores = as_published(suite("overfitting_small")[:12], 3, methods=["gp", "gp_pm"])
    row = ledger_of(scores, {"a": "gp_pm", "printed": "3.5"}).iloc[0]
    assert (row["published"], row["published_on"]) == (3.5, "print")
    assert row["verdict"] == "inconclusive"  # gp_pm and gp are equal here; the print decides nothing
    assert np.isnan(row["power"])  # that of our own runs would be their p-value once more


def test_the_deciding_pair_is_told_in_the_names_of_the_print(rows, claim_file, as_published):
    scores = as_published(["iris", "pima"], 2, ["holdout"], ["gp", "gp_r", "gp_pm"])
    study = Study(scores, labels={"gp_r": "reshuffled"})
    frame = ledger({"overfitting": study}, rows, "paper", claim_file({"b": "gp gp_pm"}, {"claim": "B", "b": "gp"}))
    assert frame["decided_by"][0] in ("reshuffled over gp", "reshuffled over gp-pm")
    assert frame["decided_by"][1] == ""


def test_a_scale_without_evidence_shows_numbers_and_fills_no_verdict(ledger_of, two_methods):
    row = ledger_of(two_methods, scale="smoke").iloc[0]
    assert (row["verdict"], row["part_verdict"]) == ("not run", "not run")
    assert "smoke scale: no evidence" in row["note"]
    assert np.isfinite(row["estimate"])


def test_a_claim_is_as_weak_as_its_weakest_part(ledger_of, two_methods):
    frame = ledger_of(two_methods.query("validation == 'holdout'"), {"validations": "holdout kfold"})
    assert list(frame["part_verdict"]) == ["reproduced", "not run"]
    assert set(frame["verdict"]) == {"not run"}
    assert list(frame["part"]) == ["hold-out", "5-fold"]


def test_the_command_names_the_studies_of_the_part(rows, claim_file):
    path = claim_file({"a": "overfitting_repaired/gp_r"})
    both = {"overfitting": Study(), "overfitting_repaired": Study()}
    found = ledger(both, rows, "paper", path)["command"][0]
    assert found == "snakemake --cores 64 paper_overfitting_repaired paper_overfitting"
    (rest,) = set(ledger(both, rows, "paper", path, skip="my scores")["command"])
    assert rest == f"{found} --config 'skip=my scores'"
    assert ledger({"overfitting": Study()}, rows, "smoke", path)["command"][0] == ""


def test_studies_are_paired_on_the_data_sets_that_both_have(rows, claim_file, as_published):
    archive = as_published(["annealing", "hayes-roth", "iris"], 3, methods=["gp"])
    repaired = archive[archive["dataset"] != "iris"].assign(test_error=lambda one: one["test_error"] - 0.1)
    repaired["dataset"] += "-repaired"
    claim = {"a": "overfitting_repaired/gp", "b": "gp", "measure": "hodges_lehmann"}
    studies = {"overfitting": Study(archive), "overfitting_repaired": Study(repaired)}
    row = ledger(studies, rows, "paper", claim_file(claim)).iloc[0]
    assert (row["data_sets"], row["published_on"]) == (2, "")
    assert row["estimate"] == pytest.approx(10)


def test_the_same_scores_give_the_same_ledger(ledger_of, as_published):
    scores = as_published(["iris", "pima", "ecoli"], 3, methods=["gp", "gp_r"])
    assert ledger_of(scores).equals(ledger_of(scores))


@pytest.mark.slow
def test_every_claim_of_the_thesis_holds_or_is_open_when_its_cells_are_our_runs(rows, as_published, suite, printed):
    scores = as_published(suite("overfitting118"), 20)
    frame = ledger({"overfitting": Study(scores, printed=printed)}, rows, "paper").set_index("claim")
    recomputed = frame[frame["published_on"] == "own data sets"]
    assert len(recomputed) >= 38
    np.testing.assert_allclose(recomputed["estimate"], recomputed["published"], atol=1e-6)
    limits = {claim.claim: (claim.kind, claim.limit) for claim in read()}
    for name, row in recomputed.iterrows():
        kind, limit = limits[name]
        assert (row["estimate"] > limit) if kind == "direction" else (abs(row["estimate"]) <= limit), name
    assert not set(recomputed["verdict"]) & {"not reproduced", "smaller than published", "larger than published"}
    assert set(recomputed.loc[["T3-reshuffle-gp-ho", "T3-sel-gp-5f", "T3-cma-gp-5f"], "verdict"]) == {"reproduced"}
    assert recomputed.loc["T3.1-gpr-best-ho", "estimate"] == pytest.approx(6.82 - 5.63, abs=0.01)
    assert recomputed.loc["T3.1-gpr-best-5f", "estimate"] == pytest.approx(6.07 - 5.55, abs=0.01)
