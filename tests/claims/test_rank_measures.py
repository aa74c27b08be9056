"""The measures of chapter 5's claims against SciPy and against what the thesis prints of tables 5.2 and 5.3."""

import chapter_5
import numpy as np
import pytest
from chapter_5 import CELLS
from scipy import stats

from bayes_hpo.claims.measure import Side
from bayes_hpo.claims.measures import MEASURES
from bayes_hpo.claims.sample import CHOICES, LEARNERS, WORSE, Sample
from bayes_hpo.configuration.compose import configure
from bayes_hpo.stats.friedman import friedman

AT = {name: position for position, name in enumerate(CELLS.columns)}
FIELD = tuple(range(11))
SIZES = np.full(24, 1000)


def value(name, a=(), b=(), **values):
    """The least component of a measure of the cells of table 5.2 (or of other values) between methods by name."""
    sides = (tuple(AT[one] for one in names.split()) for names in (a or "", b or ""))
    of = {"error": CELLS.to_numpy()} | values
    sample = Sample(of, SIZES[: len(of["error"])])
    return MEASURES[name].function(sample, Side(*sides, FIELD)).min()


def test_signed_ranks_are_the_statistic_of_scipy_s_test():
    gap = (CELLS["gp_matern"] - CELLS["gp_cond_ls"]).round(9)
    kept = gap[gap != 0]
    ranks = stats.rankdata(kept.abs())
    found = value("signed_ranks", "gp_cond_ls", "gp_matern")
    assert found == pytest.approx(100 * (np.sign(kept) * ranks).sum() / ranks.sum())
    smaller = stats.wilcoxon(kept, correction=False, method="asymptotic").statistic
    assert found == pytest.approx(100 * (1 - 2 * smaller / ranks.sum()))


def test_signed_ranks_of_many_pairs_are_those_of_the_least():
    pairs = [value("signed_ranks", "gp_cond_ls", other) for other in ("rs", "gp_matern", "spearmint")]
    assert value("signed_ranks", "gp_cond_ls", "rs gp_matern spearmint") == pytest.approx(min(pairs))
    assert value("signed_ranks", "rs", "gp_cond_ls") == pytest.approx(-pairs[0])


def test_signed_ranks_of_equal_errors_are_zero_and_of_one_that_is_always_better_the_whole_sum():
    equal = np.repeat(CELLS[["rs"]].to_numpy(), 11, axis=1)
    assert value("signed_ranks", "rs", "smac", error=equal) == 0
    better = equal - np.eye(11)[AT["rs"]]
    assert value("signed_ranks", "rs", "smac", error=better) == 100


def test_friedman_s_excess_is_his_chi_square_over_the_critical_value():
    for n_datasets in (7, 24):
        errors = np.random.default_rng(0).random((n_datasets, 11))  # no ties, for which the measure does not correct
        expected = stats.friedmanchisquare(*errors.T).statistic - stats.chi2.ppf(0.95, 10)
        assert value("friedman_excess", error=errors) == pytest.approx(expected)
    assert value("friedman_excess") == pytest.approx(friedman(CELLS)[0] - stats.chi2.ppf(0.95, 10), abs=1)


def test_alone_is_separated_who_gains_the_critical_difference_when_the_next_does_not():
    gain = CELLS.rank(axis=1).mean()
    gain = gain["rs"] - gain
    expected = min(gain["gp_cond_ls"] - 3.08, 3.08 - gain["gp_matern_ls"])
    assert 0 < value("separated_alone", "gp_cond_ls", "rs") == pytest.approx(expected, abs=0.005)
    assert value("separated_alone", "gp_matern_ls", "rs") < 0  # too little, and not alone
    both = CELLS.assign(gp_matern_ls=CELLS["gp_cond_ls"]).to_numpy()
    assert value("separated_alone", "gp_cond_ls", "rs", error=both) < 0
    assert value("separated_alone", "gp_cond_ls gp_matern_ls", "rs", error=both) > 0


def test_a_method_that_is_separated_by_being_worse_is_separated_too():
    """Ranks 1 to 11 on every data set: the first is 4 ahead of the fifth, the last 6 behind it; CD = 3.08."""
    errors = np.tile(np.arange(11.0), (24, 1))
    first, fifth, last = (CELLS.columns[place] for place in (0, 4, 10))
    assert value("separated_alone", first, fifth, error=errors) == pytest.approx(3.08 - 6, abs=0.005)
    no_worse = np.minimum(errors, 7)  # the last four share rank 9.5
    assert value("separated_alone", first, fifth, error=no_worse) == pytest.approx(3.08 - 4.5, abs=0.005)
    for one, other in ((fifth, last), (last, fifth)):  # whoever is ahead
        assert value("unseparated", one, other, error=errors) == pytest.approx(3.08 - 6, abs=0.005)


def test_fewer_data_sets_separate_less():
    half = Sample({"error": CELLS.to_numpy()[:12]}, SIZES[:12])
    side = Side((AT["gp_cond_ls"],), (AT["rs"],), FIELD)
    gain = CELLS[:12].rank(axis=1).mean()
    needed = 3.08 * np.sqrt(2)
    expected = min(gain["rs"] - gain["gp_cond_ls"] - needed, needed - (gain["rs"] - gain.drop("gp_cond_ls")).max())
    assert MEASURES["separated_alone"].function(half, side).min() == pytest.approx(expected, abs=0.005)


def test_a_rank_has_grown_by_what_it_was_lower_early():
    early = CELLS.to_numpy().copy()
    early[:, AT["smac"]] = 0  # first on every data set
    rank = CELLS.rank(axis=1).mean()["smac"]
    assert value("rank_growth", "smac", **{"early error": early}) == pytest.approx(rank - 1)
    assert value("rank_growth", "smac", **{"early error": CELLS.to_numpy()}) == 0


def test_the_growth_of_several_is_the_mean_of_theirs():
    early = {"early error": CELLS.to_numpy()[:, ::-1]}
    each = [value("rank_growth", name, **early) for name in ("smac", "rs", "gp_cond_ls")]
    assert len({round(one, 6) for one in each}) == 3
    assert value("rank_growth", "smac rs gp_cond_ls", **early) == pytest.approx(np.mean(each))


def test_ranks_in_validation_and_test_agree_when_they_are_the_same_and_disagree_when_they_are_turned():
    errors = CELLS.to_numpy()
    assert value("rank_agreement", loss=errors - 2) == pytest.approx(1)
    assert value("rank_agreement", loss=-errors) == pytest.approx(-1)
    assert value("rank_agreement", loss=np.ones_like(errors)) == 0
    shuffled = CELLS[CELLS.columns[::-1]].to_numpy()
    expected = np.corrcoef(CELLS.rank(axis=1).mean(), CELLS.rank(axis=1).mean()[::-1])[0, 1]
    assert value("rank_agreement", loss=shuffled) == pytest.approx(expected)


def test_two_methods_are_closer_in_validation_by_what_their_distance_there_is_less_whoever_leads():
    rank = CELLS.rank(axis=1).mean()
    lead = rank["gp_matern_ls"] - rank["gp_cond_ls"]
    changed = {"the same": {}, "none": {"gp_matern_ls": "gp_cond_ls"}}
    changed["turned"] = changed["none"] | {"gp_cond_ls": "gp_matern_ls"}
    for (_, of), expected in zip(changed.items(), (0, lead, 0), strict=True):
        loss = CELLS.assign(**{name: CELLS[other] for name, other in of.items()}).to_numpy()
        assert value("closer_in_validation", "gp_cond_ls", "gp_matern_ls", loss=loss) == pytest.approx(expected)


def test_worse_than_the_best_is_counted_in_percent_of_the_data_sets_for_the_least_of_the_pairs():
    worse = np.zeros((24, 11))
    worse[:10, AT["smac"]] = worse[:14, AT["spearmint"]] = worse[0, AT["gp_cond_ls"]] = 1
    found = value("worse_gain", "gp_cond_ls", "smac spearmint", **{WORSE: worse})
    assert found == pytest.approx(100 * (10 - 1) / 24)


def test_the_lead_of_two_learners_is_the_rarer_of_them_over_the_most_frequent_other():
    shares = dict.fromkeys(CHOICES, 0.0) | {"chosen_rf": 0.4, "chosen_svm": 0.3, "chosen_dt": 0.2, "chosen_knn": 0.1}
    sample = Sample({name: np.full((24, 11), share) for name, share in shares.items()}, SIZES)
    assert MEASURES["choice_lead"].function(sample, Side((0,), ())).min() == pytest.approx(0.1)


def test_the_learners_are_those_of_the_space():
    node = configure("plan", ["study=overfitting", "scale=toy"], groups=("space",))["spaces"]["cash"]
    assert tuple(node["parameters"]["learner"]["choices"]) == LEARNERS


def test_methods_of_the_study_are_those_of_the_table():
    assert tuple(CELLS.columns) == chapter_5.METHODS
