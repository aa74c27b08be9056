"""Power is that of the print: of cells by simulation, of net wins by theory, unknown where neither is there."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from bayes_hpo.claims import power
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import evaluate
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.runs import Runs
from bayes_hpo.claims.study import Design, Study
from bayes_hpo.claims.verdict import of_part
from bayes_hpo.documents import published
from bayes_hpo.stats.ranks import comparable


@pytest.fixture
def power_at(claim_file, rows, printed):
    """Function: Power of such a claim under a seed."""

    def make(names, number=20, seed=1, **change):
        part = parts(read(claim_file(change))[0])[0]
        design = Design(tuple(names), {"holdout": number, "kfold": number})
        return power.of_part(
            part, design, Study(printed=printed, printed_repetitions={"holdout": 20, "kfold": 20}), rows, seed
        )

    return make


@pytest.fixture
def power_of(power_at):
    """Function: power of a claim (what differs from net wins of gp_r over gp) on data sets with repetitions."""

    def make(names, number=20, **change):
        return power_at(names, number, **change).value

    return make


def test_net_wins_of_cells_have_the_power_of_theory(power_of, suite):
    names = suite("overfitting118")
    mean, _ = published.errors("holdout")
    signs = np.sign(comparable(mean["gp"] - mean["gp_r"]))
    t = signs.mean() / (signs.std() / np.sqrt(118))
    expected = stats.norm.cdf(t - stats.t.ppf(0.975, 117))
    assert power_of(names) == pytest.approx(expected, abs=0.06)  # families make it less


def test_power_grows_with_data_sets_and_repetitions(power_of, suite):
    names = suite("overfitting118")
    by_sets = [power_of(names[:count]) for count in (10, 40, 118)]
    assert by_sets == sorted(by_sets)
    assert by_sets[-1] > 0.8 > 0.3 > by_sets[0]
    by_repetitions = [power_of(names, number) for number in (1, 5, 20)]
    assert by_repetitions == sorted(by_repetitions)
    assert by_repetitions[0] < by_repetitions[-1] - 0.1
    assert power_of(names, 50) == power_of(names, 20)  # the print has no more


def test_a_claim_that_asks_for_fewer_repetitions_has_their_power(power_of, suite):
    names = suite("overfitting118")
    assert power_of(names, 20, repetitions="5") == power_of(names, 5)


def test_equality_has_the_power_to_be_shown(power_of, suite):
    equality = {"kind": "equality", "measure": "hodges_lehmann", "a": "rs", "b": "grid"}
    names = suite("overfitting118")
    assert power_of(names, **equality | {"kind": "closeness"}, limit=".5") > 0.95
    assert 0.9 < power_of(names, **equality, limit=".5") < 0.97  # the test rejects 5 % where nothing differs
    assert power_of(names, **equality, limit=".05") < 0.2


def test_the_error_of_a_power_is_its_spread_over_seeds(power_at, suite):
    near_margin = {"kind": "closeness", "measure": "hodges_lehmann", "a": "rs", "b": "grid", "limit": ".17"}
    powers = [power_at(suite("overfitting118")[::5], seed=seed, **near_margin) for seed in range(12)]
    spread, told = np.std([one.value for one in powers], ddof=1), np.mean([one.error for one in powers])
    assert 0.3 < powers[0].value < 0.7
    assert spread / 2 < told < 2 * spread
    assert told > 1.5 * np.sqrt(0.25 / 1000)  # the experiments share a deviation: more than the binomial error


def test_a_lead_over_many_has_less_power_than_each_part_of_it(power_of, suite):
    names, field = suite("overfitting118"), {"measure": "net_wins"}
    alone = [power_of(names, b=rival, **field) for rival in ("rs", "gp", "cma")]
    assert power_of(names, b="rs gp cma", **field) <= min(alone)


def test_without_cells_net_wins_of_table_3_4_tell_the_power(power_of, suite):
    names = suite("overfitting118")
    share = published.net_wins("T3_4")["kfold"][0].loc["gp_pm_r", "gp_r"] / 118
    expected = stats.norm.cdf(np.sqrt(118 / (1 - share**2)) * share - stats.t.ppf(0.975, 117))
    assert power_of(names, a="gp_pm_r", b="gp_r", validations="kfold") == pytest.approx(expected, abs=0.05)
    assert power_of(names, a="gp_pm_r", b="gp rs") < power_of(names, a="gp_pm_r", b="rs") + 0.01


@pytest.mark.parametrize(
    "change",
    [
        {"a": "gp_pm_r", "measure": "hodges_lehmann"},
        {"a": "gp_pm_r", "b": "*", "field": "T3_5", "measure": "rank_lead"},
        {"measure": "gap", "b": ""},
        {"datasets": "pima"},
        {"a": "overfitting_repaired/gp"},
    ],
    ids=["no cells", "no cells of ranks", "losses", "one data set", "two studies"],
)
def test_where_the_print_does_not_tell_power_is_unknown(power_of, suite, change):
    assert np.isnan(power_of(suite("overfitting_small"), **change))


def test_with_fewer_units_than_decide_anything_power_is_0_whatever_is_printed(power_of, suite):
    names, gap = suite("overfitting118"), {"measure": "gap", "b": ""}
    assert power_of(names[:9]) == power_of(names[:9], **gap) == 0
    assert np.isnan(power_of(names[:10], **gap))
    nine, ten = ({"datasets": " ".join(names[:count])} for count in (9, 10))
    assert power_of(names, **nine) == power_of(names[:9], **ten) == 0
    assert np.isnan(power_of(names, **ten))


def test_of_one_data_set_the_repetitions_are_the_units_of_power(power_of, suite):
    names = suite("overfitting118")
    assert power_of(names, 9, datasets="pima") == power_of(names, 10, datasets="pima", repetitions="9") == 0
    assert np.isnan(power_of(names, 10, datasets="pima"))
    assert power_of([name for name in names if name != "pima"], 10, datasets="pima") == 0


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.1, 0.3], 0.3),
        ([0.1, np.nan], np.nan),
        ([0.3, np.nan], 0.3),
        ([0.0, 0.0], 0.0),
        ([np.nan], np.nan),
        ([], np.nan),
    ],
)
def test_the_best_power_is_unknown_where_only_an_unknown_one_may_be_enough(values, expected):
    found = power.best({str(number): power.Power(value) for number, value in enumerate(values)}).value
    assert found == pytest.approx(expected, nan_ok=True)


def test_without_repetitions_beyond_the_print_the_cells_alone_decide(claim_file, rows, printed, suite):
    part = parts(read(claim_file({}))[0])[0]
    design = Design(tuple(suite("overfitting_small")), {"holdout": 20})
    study = Study(printed=printed, printed_repetitions={"holdout": 20})
    louder = {name: (mean, 10 * sd) for name, (mean, sd) in printed.items()}
    assert power.of_part(part, design, replace(study, printed=louder), rows) == power.of_part(part, design, study, rows)


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        {"b": "gp cma", "measure": "net_wins"},
        {"b": "cma", "measure": "signed_ranks"},
        {"b": "rs", "measure": "hodges_lehmann", "kind": "equality", "limit": ".4"},
        {"b": "grid rs gp", "measure": "rank_lead", "field": "gp_r grid rs gp cma"},
    ],
    ids=lambda change: change["measure"],
)
def test_power_is_the_share_of_experiments_that_the_verdict_is_given_to(
    claim_file, power_of, rows, printed, suite, change
):
    part, names, number = parts(read(claim_file(change))[0])[0], suite("overfitting118")[::2], 5
    mean, sd = (table.loc[names, [column.method for column in part.columns]].to_numpy() for table in printed["holdout"])
    rng, noise, concluded = np.random.default_rng(1), np.nan_to_num(sd) * np.sqrt(1 / number - 1 / 20), []
    families, sizes = (np.array([getattr(rows[name], key) for name in names]) for key in ("family", "rest"))
    labels = np.unique(families)
    for _ in range(200):
        picks = [np.flatnonzero(families == label) for label in rng.choice(labels, len(labels))]
        drawn = np.concatenate(picks)
        errors = mean[drawn] + noise[drawn] * rng.standard_normal((len(drawn), mean.shape[1]))
        made = Runs(
            {"error": errors[:, None]},
            np.ones(len(drawn), int),
            np.repeat(np.arange(len(picks)), [len(pick) for pick in picks]),
            sizes[drawn],
            np.full(len(drawn), ""),
        )
        concluded.append(of_part(part.claim, evaluate([part], made, draws=500)[0], "paper") == "reproduced")
    assert power_of(names, number, **change) == pytest.approx(np.mean(concluded), abs=0.11)  # three standard errors


def test_only_the_best_scale_gets_more_experiments_while_it_is_open(claim_file, rows, printed, suite, monkeypatch):
    powers = {("small", 1000): 0.19, ("paper", 1000): 0.2, ("paper", 4000): 0.21, ("paper", 16000): 0.22}
    asked = []

    def of_part(part, design, study, rows, seed, count=1000):
        asked.append((design, count))
        return power.Power(powers[design, count], 0.4 / np.sqrt(count))

    monkeypatch.setattr(power, "of_part", of_part)
    found = power.at_scales("part", Study(designs={"small": "small", "paper": "paper"}), rows)
    assert asked == [("small", 1000), ("paper", 1000), ("paper", 4000), ("paper", 16000)]
    assert [found[scale].value for scale in ("small", "paper")] == [0.19, 0.22]
