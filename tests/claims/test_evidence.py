"""Evidence on synthetic experiments of which the truth is known: coverage, verdicts, power."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest
from scipy.stats import t as student

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import evaluate
from bayes_hpo.claims.interval import GUARD
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.runs import Runs, runs
from bayes_hpo.claims.sample import Resampled
from bayes_hpo.claims.study import Study, wide
from bayes_hpo.claims.verdict import of_part
from bayes_hpo.stats import bootstrap, wilcoxon


@pytest.fixture
def part_of(claim_file):
    """Function: the only part of a claim that differs so from the usual one (net wins of gp_r over gp)."""
    return lambda **change: parts(read(claim_file(change))[0])[0]


def experiment(rng, *, effect, n_datasets=40, repetitions=5, between=1.0, within=0.5):
    """Runs of gp_r and gp on unpublished data sets, gp_r better by `effect` points; a quarter is one family."""
    gains = effect + between * rng.standard_normal((n_datasets, 1))
    noise = within * rng.standard_normal((n_datasets, repetitions, 2))
    truth = np.concatenate([20 - gains, np.full((n_datasets, 1), 20.0)], axis=1)
    return Runs(
        {"error": truth[:, None] + noise},
        repetitions=np.full(n_datasets, repetitions),
        families=np.minimum(np.arange(n_datasets), 3 * n_datasets // 4),
        sizes=np.full(n_datasets, 100),
        datasets=np.full(n_datasets, ""),
    )


def verdicts(part, count, **kind):
    rng = np.random.default_rng(0)
    return [of_part(part.claim, evaluate([part], experiment(rng, **kind))[0], "paper") for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["hodges_lehmann", "net_wins", "median_lead"])
def test_the_interval_covers_what_such_experiments_give_at_its_nominal_rate(part_of, measure):
    part, rng = part_of(measure=measure), np.random.default_rng(0)
    found = [evaluate([part], experiment(rng, effect=0.5))[0] for _ in range(100)]
    expected = np.mean([one.estimate for one in found])
    assert np.mean([one.low <= expected <= one.high for one in found]) >= 0.91  # Monte Carlo error .022


@pytest.mark.slow
def test_a_strong_effect_is_reproduced_and_its_opposite_is_not(part_of):
    assert set(verdicts(part_of(), 5, effect=2)) == {"reproduced"}
    assert set(verdicts(part_of(), 5, effect=-2)) == {"not reproduced"}


def test_without_an_effect_a_direction_is_seldom_reproduced(part_of):
    found = verdicts(part_of(), 60, effect=0, n_datasets=20)
    assert found.count("reproduced") + found.count("not reproduced") <= 7  # 5 % of 60, and twice its deviation


@pytest.mark.parametrize(("limit", "needed"), [("2", {"reproduced"}), (".01", {"inconclusive", "not reproduced"})])
def test_no_difference_is_reproduced_only_within_a_margin_that_the_runs_can_tell(part_of, limit, needed):
    """Of experiments whose equality Wilcoxon's test does not reject; it may not be reproduced on the others."""
    part, rng = part_of(kind="equality", measure="hodges_lehmann", limit=limit), np.random.default_rng(0)
    found = [evaluate([part], experiment(rng, effect=0, n_datasets=20))[0] for _ in range(20)]
    assert {of_part(part.claim, one, "paper") for one in found if one.p_test >= 0.05} <= needed
    rejected = [of_part(part.claim, one, "paper") for one in found if one.p_test < 0.05]
    assert 0 < len(rejected) < 4
    assert "reproduced" not in rejected


def test_a_difference_outside_the_margin_is_not_reproduced(part_of):
    part = part_of(kind="equality", measure="hodges_lehmann")
    assert set(verdicts(part, 4, effect=3, n_datasets=20)) == {"not reproduced"}


def test_a_weak_run_is_inconclusive(part_of):
    part, rng = part_of(), np.random.default_rng(3)
    found = [evaluate([part], experiment(rng, effect=0.3, n_datasets=12, within=3))[0] for _ in range(20)]
    weak = [one for one in found if one.low <= 0 <= one.high]
    assert len(weak) >= 16
    assert {of_part(part.claim, one, "paper") for one in weak} == {"inconclusive"}


@pytest.fixture
def weighed(part_of, rows, printed):
    """Function: the Evidence of a part (what differs from the usual one) on scores of the study overfitting."""

    def make(scores, **change):
        part = part_of(**change)
        found = runs(part, wide({"overfitting": Study(scores)}, rows), rows)
        return evaluate([part], found, {("overfitting", name): both for name, both in printed.items()})[0]

    return make


def test_the_published_value_is_of_the_same_data_sets(weighed, as_published):
    scores = as_published(["iris", "pima", "ecoli", "glass"], 3, ["holdout"], ["gp", "gp_r"])
    unpublished = scores[scores["dataset"] == "iris"].assign(dataset="sklearn-digits")
    evidence = weighed(pd.concat([scores, unpublished]), measure="median_lead")
    assert evidence.units == 4
    assert evidence.published == pytest.approx(evidence.estimate)


def test_one_data_set_has_no_interval(part_of):
    evidence = evaluate([part_of()], experiment(np.random.default_rng(0), effect=1, n_datasets=1))[0]
    assert np.isnan(evidence.half_width)
    assert of_part(part_of().claim, evidence, "paper") == "inconclusive"


def test_without_intervals_the_least_estimate_of_those_needed_is_shown(weighed, as_published):
    scores = as_published(["ecoli"], 3, ["holdout"], ["gp", "gp_r", "rs"])
    gains = {"gp": 1.0, "rs": 2.0}  # of gp_r, in points
    level = scores.loc[scores["method"] == "gp_r", "test_error"].mean()
    scores["test_error"] = level + scores["method"].map(gains).fillna(0) / 100
    for rivals in ("gp rs", "rs gp"):
        evidence = weighed(scores, measure="hodges_lehmann", b=rivals)
        assert np.isnan(evidence.half_width)
        assert evidence.estimate == pytest.approx(1.0), rivals


def test_parts_that_are_weighed_together_are_weighed_as_alone(claim_file):
    claims = read(claim_file({}, {"claim": "B", "measure": "hodges_lehmann"}))
    both, found = [parts(claim)[0] for claim in claims], experiment(np.random.default_rng(0), effect=0.5)
    for together, part in zip(evaluate(both, found), both, strict=True):
        alone = evaluate([part], found)[0]
        assert (together.estimate, together.half_width) == (alone.estimate, alone.half_width)


def related(rng, families):
    """Runs of gp_r and gp in which all data sets of a family share one effect."""
    gains = rng.standard_normal(families.max() + 1)[families][:, None]
    truth = np.concatenate([20 - gains, np.full((len(families), 1), 20.0)], axis=1)
    fields = {"repetitions": np.full(len(families), 5), "sizes": np.full(len(families), 100)}
    names = np.full(len(families), "")
    return Runs({"error": np.repeat(truth[:, None], 5, axis=1)}, families=families, datasets=names, **fields)


def test_data_sets_of_one_family_count_as_one(part_of):
    part, families = part_of(measure="hodges_lehmann"), np.repeat(np.arange(8), 5)
    shared = related(np.random.default_rng(1), families)
    as_one = evaluate([part], shared)[0]
    alone = evaluate([part], replace(shared, families=np.arange(40)))[0]
    assert as_one.half_width > 1.8 * alone.half_width  # sqrt(5) without the quantiles


def test_the_width_has_the_quantile_of_the_number_of_families(part_of):
    part = part_of(measure="hodges_lehmann")
    made = experiment(np.random.default_rng(2), effect=0, n_datasets=12)
    families = np.repeat(np.arange(3), 4)
    sample = Resampled(made.means(), made.sizes, bootstrap.draw(families))
    sd = part.value(sample).std(ddof=1) * np.sqrt(3 / 2)  # of three families resamples vary too little
    found = evaluate([part], replace(made, families=families))[0]
    np.testing.assert_allclose(found.half_width, student.ppf(0.975, 2) * sd)


def test_a_data_set_keeps_its_size_in_every_resample(part_of):
    part = part_of(measure="size_trend", a="gp_r", b="", field="gp_r gp rs")
    sizes = np.array([10, 100, 1000] * 5)
    errors = np.array([[3.0, 1, 2], [2, 1, 3], [1, 2, 3]] * 5)  # rank of gp_r: 3, 2, 1, a line in log10 of the size
    columns = [("gp_r", "gp", "rs").index(column.method) for column in part.columns]
    names = np.full(15, "")
    made = Runs({"error": errors[:, None, columns]}, np.ones(15, int), np.arange(15), sizes, names)
    found = evaluate([part], made)[0]
    np.testing.assert_allclose((found.estimate, found.half_width), (1, 0), atol=1e-9)


def test_no_seed_of_the_resamples_moves_a_bound_by_more_than_the_guard(part_of):
    part, made = part_of(measure="hodges_lehmann"), experiment(np.random.default_rng(5), effect=0.3)
    widths = [evaluate([part], made, seed=seed)[0].half_width for seed in range(8)]
    assert max(widths) / min(widths) < GUARD**2
    assert len(set(widths)) == 8


def test_pairs_carry_the_p_of_the_documents_test(part_of):
    part, made = part_of(a="gp_r", b="gp rs", measure="net_wins"), experiment(np.random.default_rng(5), effect=0.3)
    values = made.values["error"]
    made = replace(made, values={"error": np.concatenate([values, values[..., 1:] + 1], axis=2)})
    means = made.means()["error"]
    (one,) = evaluate([part], made)
    np.testing.assert_allclose(one.tests, [wilcoxon.p_value(means[:, b] - means[:, 0]) for b in (1, 2)])
    few = made.only(np.arange(40) < 20)
    (one,) = evaluate([part], few)
    means = few.means()["error"]
    np.testing.assert_allclose(one.tests, [wilcoxon.exact_p_value(means[:, b] - means[:, 0]) for b in (1, 2)])
    assert np.isnan(
        evaluate([part_of(measure="median_lead")], experiment(np.random.default_rng(5), effect=0))[0].tests
    ).all()


@pytest.mark.parametrize("measure", ["net_wins", "signed_ranks"])
def test_wins_and_signed_ranks_decide_by_the_exact_test_of_random_signs(part_of, measure):
    part, rng = part_of(measure=measure), np.random.default_rng(6)
    for effect in (0, 0.4, 0.8, -0.6):
        made = replace(experiment(rng, effect=effect, n_datasets=20), families=np.arange(20))
        (one,) = evaluate([part], made)
        gains = np.diff(made.means()["error"][:, [part.sides[0].a[0], part.sides[0].b[0]]], axis=1)[:, 0]
        exact = {
            "net_wins": binomtest(int((gains > 0).sum()), 20).pvalue,
            "signed_ranks": wilcoxon.exact_p_value(gains),
        }[measure]
        assert one.p == pytest.approx(exact if one.estimate > 0 else 1)
        assert (one.low > 0 or one.high < 0) == (exact <= 0.05)


def test_random_signs_are_those_of_whole_families(part_of):
    families = np.repeat(np.arange(8), 5)
    part, made = part_of(measure="net_wins"), related(np.random.default_rng(1), families)
    (as_one,), (alone,) = evaluate([part], made), evaluate([part], replace(made, families=np.arange(40)))
    won = np.sign(made.means()["error"] @ [-1, 1] if part.sides[0].a == (0,) else made.means()["error"] @ [1, -1])[::5]
    assert as_one.p == pytest.approx(binomtest(int((won > 0).sum()), 8).pvalue)
    assert as_one.half_width > 1.8 * alone.half_width


def test_methods_of_equal_medians_that_the_test_tells_apart_are_not_said_to_be_equal(part_of):
    part = part_of(kind="equality", measure="median_spread", limit=".5", a="gp_r gp", b="")
    made = experiment(np.random.default_rng(3), effect=0, n_datasets=30, between=0, within=0)
    errors = made.values["error"].copy()
    errors[..., 1] += 0.05  # small, and in one direction
    (one,) = evaluate([part], replace(made, values={"error": errors}))
    assert one.half_width < 0.1
    assert one.p_test < 1e-6
    assert of_part(part.claim, one, "paper") == "inconclusive"


def test_fewer_repetitions_than_the_print_has_are_known(part_of):
    part, made = part_of(), experiment(np.random.default_rng(3), effect=1, repetitions=5)
    for behind, precise in ((5, True), (20, False)):
        (one,) = evaluate([part], made, behind={("overfitting", "holdout"): behind})
        assert one.is_as_precise == precise
