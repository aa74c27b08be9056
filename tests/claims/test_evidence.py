"""Evidence on synthetic experiments of which the truth is known: coverage, verdicts, power."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import weigh
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.runs import Runs, runs
from bayes_hpo.claims.study import Study, wide
from bayes_hpo.claims.verdict import of_part


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
        published_names=np.full(n_datasets, ""),
    )


def verdicts(part, count, **kind):
    rng = np.random.default_rng(0)
    return [of_part(part.claim, weigh([part], experiment(rng, **kind))[0], "paper") for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["hodges_lehmann_least", "net_wins", "median_lead"])
def test_the_interval_covers_what_such_experiments_give_at_its_nominal_rate(part_of, measure):
    part, rng = part_of(measure=measure), np.random.default_rng(0)
    found = [weigh([part], experiment(rng, effect=0.5))[0] for _ in range(100)]
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
    part = part_of(kind="equality", measure="hodges_lehmann_farthest", limit=limit)
    assert set(verdicts(part, 6, effect=0, n_datasets=20)) <= needed


def test_a_difference_outside_the_margin_is_not_reproduced(part_of):
    part = part_of(kind="equality", measure="hodges_lehmann_farthest")
    assert set(verdicts(part, 4, effect=3, n_datasets=20)) == {"not reproduced"}


def test_an_underpowered_run_is_inconclusive(part_of):
    part, rng = part_of(), np.random.default_rng(3)
    found = [weigh([part], experiment(rng, effect=0.3, n_datasets=12, within=3))[0] for _ in range(20)]
    weak = [one for one in found if one.low <= 0 <= one.high]
    assert len(weak) >= 16
    assert np.median([one.power for one in weak]) < 0.5
    assert {of_part(part.claim, one, "paper") for one in weak} == {"inconclusive"}


def test_power_grows_with_the_effect(part_of):
    powers = [
        weigh([part_of()], experiment(np.random.default_rng(0), effect=effect))[0].power for effect in (0.1, 0.5, 2)
    ]
    assert powers == sorted(powers)
    assert powers[-1] > 0.95


@pytest.fixture
def weighed(part_of, rows):
    """Function: the Evidence of a part (what differs from the usual one) on scores of the study overfitting."""

    def make(scores, **change):
        part = part_of(**change)
        return weigh([part], runs(part, wide({"overfitting": Study(scores)}, rows), rows))[0]

    return make


def test_power_of_published_cells_grows_with_repetitions(weighed, as_published, suite):
    names = suite("overfitting_small")
    powers = [weighed(as_published(names, number, ["holdout"], ["gp", "gp_r"])).power for number in (2, 5, 20)]
    assert powers == sorted(powers)
    assert powers[-1] > 0.5 > powers[0]


def test_the_published_value_is_of_the_same_data_sets(weighed, as_published):
    scores = as_published(["iris", "pima", "ecoli", "glass"], 3, ["holdout"], ["gp", "gp_r"])
    unpublished = scores[scores["dataset"] == "iris"].assign(dataset="sklearn-digits")
    evidence = weighed(pd.concat([scores, unpublished]), measure="median_lead")
    assert evidence.units == 4
    assert evidence.published == pytest.approx(evidence.estimate)


def test_one_data_set_has_no_interval(part_of):
    evidence = weigh([part_of()], experiment(np.random.default_rng(0), effect=1, n_datasets=1))[0]
    assert np.isnan(evidence.half_width)
    assert of_part(part_of().claim, evidence, "paper") == "inconclusive"


def test_parts_that_are_weighed_together_are_weighed_as_alone(claim_file):
    claims = read(claim_file({}, {"claim": "B", "measure": "hodges_lehmann_least"}))
    both, found = [parts(claim)[0] for claim in claims], experiment(np.random.default_rng(0), effect=0.5)
    for together, part in zip(weigh(both, found), both, strict=True):
        alone = weigh([part], found)[0]
        assert (together.estimate, together.half_width) == (alone.estimate, alone.half_width)
