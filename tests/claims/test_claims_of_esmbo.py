"""The claims of ESMBO: every published one has a row, and the printed frequencies and ranks fulfil what is claimed."""

import csv
from dataclasses import replace

import numpy as np
import pytest
from omegaconf import OmegaConf

from bayes_hpo.claims import power
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import evaluate
from bayes_hpo.claims.measure import Side
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.runs import Runs
from bayes_hpo.claims.sample import Sample
from bayes_hpo.claims.study import Design, Study
from bayes_hpo.data.registry import registry, suite
from bayes_hpo.documents import catalog, published

LABELS = {"esmbo": "ESMBO", "ers": "ERS", "smbo": "SMBO", "rs": "RS"}
METHODS = list(LABELS)
SPACES = {
    study: space
    for name in ("T2", "T3")
    for study, space in catalog.document("esmbo_uai")["artifacts"][name]["draw"]["spaces"].items()
}
CLAIMS = {claim.claim: claim for claim in read() if claim.document == "esmbo_uai"}
OF_SPACES = [name for name in CLAIMS if name.endswith(("-smbo", "-ers", "-rank"))]
ODD = "E-rs-smbo-gb"  # the printed ranks hold it, the printed pair of the two does not


def printed(study):
    """A data set whose run statistics are the printed numbers of a space: Sample of one unit, columns METHODS."""
    frequencies, ranks = published.win_frequencies("esmbo_uai")[SPACES[study]]
    values = {"late_rank": [[ranks[LABELS[name]] for name in METHODS]]}
    for other in METHODS:
        wins = [frequencies.loc[LABELS[name], LABELS[other]] - 0.5 for name in METHODS]
        values[f"late_wins_over_{other}"] = [wins]
    return Sample({name: np.array(row) for name, row in values.items()}, np.array([100]))


def value(claim, study):
    side = Side(*(tuple(METHODS.index(name) for name in names) for names in (claim.a, claim.b)))
    return MEASURES[claim.measure].function(printed(study), side)


def test_every_published_claim_has_a_row():
    with open(catalog.FOLDER / "claims.csv", newline="", encoding="utf-8") as stream:
        theirs = {row["id"] for row in csv.DictReader(stream) if row["document"].startswith("esmbo")}
    assert theirs == set(CLAIMS)
    assert len(theirs) == 27
    assert [name for name, claim in CLAIMS.items() if claim.tier == "primary"] == ["E-SVR-smbo"]


@pytest.mark.parametrize("name", [*OF_SPACES, ODD])
def test_the_printed_numbers_hold_what_is_claimed(name):
    claim = CLAIMS[name]
    assert (claim.distances(value(claim, claim.study)) > 0).all()
    if claim.measure.startswith("late_wins"):
        assert value(claim, claim.study).item() == pytest.approx(claim.printed[0])


def test_there_are_three_claims_of_each_space():
    assert len(OF_SPACES) == 3 * 7
    assert {CLAIMS[name].study for name in OF_SPACES} == set(SPACES)


def test_no_printed_frequency_of_esmbo_is_far_below_a_half():
    claim = CLAIMS["E-never-outperformed"]
    for study, least in zip(claim.studies, claim.printed, strict=True):
        wins = MEASURES["late_wins"].function(printed(study), Side((0,), ()))
        assert (claim.distances(wins) > 0).all()
        assert wins.min() == pytest.approx(least)
    assert set(claim.studies) == set(SPACES)


def test_claims_about_several_spaces_have_a_part_for_each():
    for name, count in (("E-low-complexity", 2), ("E-convergence", 7), ("E-never-outperformed", 7)):
        of_spaces = parts(CLAIMS[name])
        assert len(of_spaces) == count
        assert all({column.study for column in part.columns} == {part.study} for part in of_spaces)
        assert len({part.label for part in of_spaces}) == count


def test_esmbo_is_far_ahead_of_random_search_with_ensembles_in_the_hard_spaces_in_print():
    claim = CLAIMS["E-low-complexity"]
    for study, wins in zip(claim.studies, claim.printed, strict=True):
        assert value(claim, study).item() == pytest.approx(wins)


@pytest.mark.parametrize(
    ("name", "expected"), [("E-SVR-smbo", 0.91), ("E-MLP-ers", 0.94), ("E-MLP-smbo", 0.14), ("E-SVM-smbo", 0.10)]
)
def test_power_is_near_that_of_the_sign_test_at_the_printed_frequency(name, expected):
    claim, rows = CLAIMS[name], registry()
    design = Design(tuple(suite("torgo22" if claim.study == "esmbo_svr" else "aysu39")), {"holdout": 1})
    found = power.of_part(parts(claim)[0], design, Study(), rows)
    assert found.value == pytest.approx(expected, abs=0.05)
    five = power.of_part(parts(claim)[0], replace(design, repetitions={"holdout": 5}), Study(), rows)
    assert five.value > found.value


def test_few_data_sets_have_no_power():
    design = Design(tuple(suite("torgo22"))[:9], {"holdout": 1})
    assert power.of_part(parts(CLAIMS["E-SVR-smbo"])[0], design, Study(), registry()).value == 0


def test_the_test_of_wins_is_the_sign_test_without_ties():
    claim = CLAIMS["E-GBR-ers"]
    wins = np.array([0.5, 0.5, 0.1, 0.0, -0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5])  # ten won, one lost, one tied
    runs = Runs(
        {"late_wins_over_ers": wins[:, None, None]}, np.ones(12, int), np.arange(12), np.full(12, 9), np.full(12, "")
    )
    (evidence,) = evaluate(parts(claim), runs, draws=200)
    assert evidence.p_test == pytest.approx(12 / 2**11)


def test_a_lead_is_tested_on_the_side_of_the_claim_and_equality_on_that_of_the_winner():
    lost = -np.array([0.5, 0.5, 0.1, 0.0, -0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5])  # one won, ten lost, one tied
    for name, p in (("E-SVR-ers", 1 - 1 / 2**11), ("E-GBR-ers", 12 / 2**11)):
        values = {"late_wins_over_ers": lost[:, None, None]}
        runs = Runs(values, np.ones(12, int), np.arange(12), np.full(12, 9), np.full(12, ""))
        (evidence,) = evaluate(parts(CLAIMS[name]), runs, draws=200)
        assert evidence.p_test == pytest.approx(p)


@pytest.mark.parametrize("name", ["E-never-outperformed", "E-n10"])
def test_what_the_sign_test_does_not_ask_has_no_p_of_it(name):
    part = parts(CLAIMS[name])[0]
    wins = np.full((12, 1, len(part.columns)), 0.4)
    quantities = dict.fromkeys(part.measure.quantities, wins)
    (evidence,) = evaluate(
        [part], Runs(quantities, np.ones(12, int), np.arange(12), np.full(12, 9), np.full(12, "")), draws=200
    )
    assert np.isnan(evidence.p_test)


def test_ten_bootstraps_need_half_of_the_wins():
    wins = np.array([[0.2, 0.3], [0.0, 0.1]])  # columns: ten, all
    sample = Sample({"late_wins_over_smbo": wins}, np.array([100, 100]))
    both = MEASURES["half_of_the_wins"].function(sample, Side((0,), (1,)))
    np.testing.assert_allclose(both, [0.2, 0.1 - 0.1], atol=1e-12)


def test_half_of_no_gain_is_no_gain():
    sample = Sample({"late_wins_over_smbo": np.array([[-0.1, -0.3]])}, np.array([100]))
    assert MEASURES["half_of_the_wins"].function(sample, Side((0,), (1,))).min() < 0


def test_stages_are_those_of_the_protocol():
    node = OmegaConf.load("conf/measure/win_statistics.yaml")
    assert node.stages == {"early": [3, 20], "half": [3, 75]}
    assert round(node.last * 150) == 15
    assert published.rows("esmbo_win_frequency")["win_frequency"].between(0, 1).all()
