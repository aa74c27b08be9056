"""Laws of DivBO: without weight it is BO; where all candidates tie it takes the most diverse; what it is made of."""

import json
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest
from probable_pools import SPACE, Study, configurations

from bayes_hpo.acquisition.criteria import Integrated
from bayes_hpo.acquisition.diversity import MinimumDiversity, sample_members
from bayes_hpo.acquisition.ranks import RankSum, fixed_weight, ordinal_ranks
from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.diversity import diversities
from bayes_hpo.ensembles.probabilities import StoredProbabilities
from bayes_hpo.pool import FAILED, Pool
from bayes_hpo.search.bayesian import Bayesian
from bayes_hpo.search.divbo import DivBO, every_pair, some_pairs
from bayes_hpo.search.loop import from_record, to_record
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.seeds import Seeds

SEEDS = Seeds("study", "toy", 0)
BUDGET = 12
STUDY = Study()


@dataclass(frozen=True)
class Constant:
    """A surrogate that predicts the same everywhere, and is certain."""

    mean: float = 0.5

    def fit(self, points, targets, memory, rng):
        return self

    def moments_between(self, firsts, seconds):
        shape = len(firsts), len(seconds)
        return np.full(shape, self.mean), np.zeros(shape)


@pytest.fixture(scope="module")
def searcher(grid_of):
    """Function: a searcher of conf/ on SPACE, over fewer candidates, with other parts."""

    def make(name="divbo", **parts):
        built = build(grid_of().cfg["searchers"][name], "searcher", space=SPACE, budget=BUDGET)
        few = replace(built.candidates, size=200)
        boosting = {"diversity": replace(built.diversity, members=3)} if isinstance(built, DivBO) else {}
        return replace(built, candidates=few, **boosting | parts)

    return make


@pytest.fixture(scope="module")
def trials(searcher):
    return STUDY.run(searcher(), BUDGET, SEEDS)


@pytest.fixture
def chosen(searcher):
    """Function: the criterion of the trial after some trials (list), the candidates, and the one that is chosen.

    The criterion has drawn nothing yet, so its first values are those by which the candidate was chosen.
    """

    def of(trials, name="divbo", **parts):
        seen = {}

        def spy(criterion, candidates, evaluated, rng):
            seen.update(criterion=deepcopy(criterion), candidates=candidates)
            seen["chosen"] = plain(criterion, candidates, evaluated, rng)
            return seen["chosen"]

        built = searcher(name, **parts)
        plain = built.maximizer
        replace(built, maximizer=spy).propose(STUDY.history(trials), SEEDS)
        return seen["criterion"], seen["candidates"], seen["chosen"]

    return of


def test_it_is_one_override_of_bayesian_optimization():
    assert {name for name in vars(DivBO) if name in vars(Bayesian) and name[0] != "_"} == {"criterion"}


def test_without_weight_it_is_bayesian_optimization(searcher, bits):
    pools = [
        Pool(tuple(STUDY.run(search, BUDGET, SEEDS)), truth=STUDY.truth)
        for search in (searcher(weight=partial(fixed_weight, weight=0.0)), searcher("divbo_bo"), searcher())
    ]
    assert bits(pools[0]) == bits(pools[1])
    assert configurations(pools[2]) != configurations(pools[1])


def test_a_diversity_surrogate_that_knows_nothing_leaves_bayesian_optimization(searcher):
    constant = STUDY.run(searcher(diversity=Constant(), weight=partial(fixed_weight, weight=7.0)), BUDGET, SEEDS)
    assert configurations(constant) == configurations(STUDY.run(searcher("divbo_bo"), BUDGET, SEEDS))


def test_the_first_five_trials_are_those_of_random_search(searcher, trials):
    random = configurations(STUDY.run(RandomSearch(SPACE), 6, SEEDS))
    for name in ("divbo", "divbo_bo", "divbo_fixed_weight"):
        assert configurations(STUDY.run(searcher(name), 5, SEEDS)) == random[:5]
    assert configurations(trials)[5] != random[5]


def test_after_five_trials_all_candidates_tie_and_the_most_diverse_is_taken(trials, chosen):
    """A forest with leaves of three rows cannot split five (protocol, section 6)."""
    criterion, candidates, taken = chosen(trials[:5])
    assert np.ptp(criterion.performance.values(candidates)) == 0
    diversity = criterion.diversity.values(candidates)
    np.testing.assert_array_equal(taken, candidates[diversity.argmax()])
    assert np.ptp(diversity) > 0


def test_bayesian_optimization_takes_a_random_candidate_there(trials, chosen):
    _, candidates, taken = chosen(trials[:5], "divbo_bo")
    np.testing.assert_array_equal(taken, candidates[0])  # of candidates in random order


def test_candidates_are_sampled_around_the_trials_of_the_lowest_losses(searcher, trials):
    points = searcher().evaluated(STUDY.history(trials)).points
    order = sorted(range(BUDGET), key=lambda t: (trials[t].loss, t))
    np.testing.assert_array_equal(points, searcher().points(STUDY.history(trials))[order])


def test_both_rank_the_same_candidates(trials, chosen):
    for t in (5, 9):
        np.testing.assert_array_equal(chosen(trials[:t])[1], chosen(trials[:t], "divbo_bo")[1])


def test_the_candidate_has_the_lowest_sum_of_ranks(trials, chosen):
    criterion, candidates, taken = chosen(trials)
    assert isinstance(criterion, RankSum)
    assert criterion.weight == pytest.approx(0.05 * (1 / (1 + np.exp(-0.2 * BUDGET)) - 0.5))
    performance, diversity = (
        (values > values[:, None]).sum(axis=1) + ((values == values[:, None]).sum(axis=1) + 1) / 2
        for values in (criterion.performance.values(candidates), criterion.diversity.values(candidates))
    )
    np.testing.assert_array_equal(taken, candidates[(performance + criterion.weight * diversity).argmin()])


def test_the_temporary_pool_is_the_ensemble_that_the_selector_makes_of_the_history(searcher, chosen, grid_of):
    """Of random trials, some of which it leaves out; the trials of DivBO itself may all be members."""
    select, failing = build(grid_of().cfg["selectors"]["es"], "selector"), {2, 7}
    trials = Study(failing=failing).run(RandomSearch(SPACE), 30, SEEDS)
    for t in (5, 12, 30):
        ensemble = select(Pool(tuple(trials[:t]), truth=STUDY.truth), SEEDS)
        members = sorted(member.trial for member in ensemble.members)
        assert set(members) < set(range(t)) - failing
        expected = searcher().points(STUDY.history(trials[:t]))[members]
        np.testing.assert_array_equal(chosen(trials[:t])[0].diversity.members, expected)


def test_the_diversity_surrogate_is_given_every_ordered_pair_of_finished_trials(searcher):
    given, failing = {}, Study(failing={2})

    class Spy(Constant):
        def fit(self, points, targets, memory, rng):
            given.update(points=points, targets=targets)
            return self

    some, history = searcher(diversity=Spy()), failing.history(failing.run(searcher(), 8, SEEDS))
    some.propose(history, SEEDS)
    points, values = some.points(history), StoredProbabilities.of(history).values
    pairs = [(i, j) for i in range(8) for j in range(8) if i != j and 2 not in (i, j)]
    assert len(given["points"]) == len(pairs) == 42
    for row, (i, j) in enumerate(pairs):
        np.testing.assert_array_equal(given["points"][row], np.append(points[i], points[j]))
        assert given["targets"][row] == pytest.approx(diversities(values[i], values[[j]])[0])


def test_features_stand_in_the_order_member_candidate(trials, chosen):
    criterion, candidates, _ = chosen(trials)
    assert isinstance(criterion.diversity, MinimumDiversity)

    class Spy(Constant):
        def moments_between(self, firsts, seconds):
            asked.append((firsts, seconds))
            return super().moments_between(firsts, seconds)

    asked = []
    replace(criterion.diversity, predictive=Spy()).values(candidates)
    np.testing.assert_array_equal(asked[0][0], criterion.diversity.members)
    np.testing.assert_array_equal(asked[0][1], candidates)


def test_pairs_may_be_sampled(searcher):
    rng, given = np.random.default_rng(0), {}
    np.testing.assert_array_equal(some_pairs(5, rng, most=20), every_pair(5, rng))
    drawn = some_pairs(30, rng, most=100)
    assert len({tuple(pair) for pair in drawn.tolist()}) == 100
    assert (drawn[:, 0] != drawn[:, 1]).all()
    assert len(every_pair(250, rng)) == 62250

    class Spy(Constant):
        def fit(self, points, targets, memory, rng):
            given.update(points=points, targets=targets)
            return self

    history = STUDY.history(STUDY.run(RandomSearch(SPACE), 8, SEEDS))
    searcher(diversity=Spy(), pairs=partial(some_pairs, most=7)).propose(history, SEEDS)
    assert len(given["points"]) == len(given["targets"]) == 7


def test_every_pair_is_sampled_as_often():
    drawn = [tuple(pair) for seed in range(200) for pair in some_pairs(4, np.random.default_rng(seed), most=3).tolist()]
    times = [drawn.count(tuple(pair)) for pair in every_pair(4, None).tolist()]
    assert sum(times) == 600
    assert max(abs(number - 50) for number in times) < 4 * np.sqrt(200 / 4 * 3 / 4)  # three of twelve in each draw


def test_every_trial_of_every_repetition_draws_anew(searcher):
    class Spy(Constant):
        def fit(self, points, targets, memory, rng):
            drawn.append(rng.integers(2**62))
            return self

    drawn, some = [], searcher(diversity=Spy())
    trials = STUDY.run(RandomSearch(SPACE), 9, SEEDS)
    for repetition in range(3):
        for t in range(5, 10):
            some.propose(STUDY.history(trials[:t]), replace(SEEDS, repetition=repetition))
    assert len(set(drawn)) == len(drawn) == 15


VARIANTS = {  # searcher -> the part in which it differs from DivBO: its path, and what the protocol says of it
    "divbo_fixed_weight": ("weight", {"_target_": "bayes_hpo.acquisition.ranks.fixed_weight", "weight": 0.1}),
    "divbo_members": ("sampler", {"_target_": "bayes_hpo.acquisition.diversity.sample_members"}),  # D15
    "divbo_ordinal_rank": ("ranks", {"_target_": "bayes_hpo.acquisition.ranks.ordinal_ranks"}),  # D16
    "divbo_sampled_pairs": ("pairs", {"_target_": "bayes_hpo.search.divbo.some_pairs", "most": 10000}),  # D17
}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_from_divbo_in_one_part(grid_of, name):
    part, node = VARIANTS[name]
    nodes = grid_of().cfg["searchers"]
    assert nodes[name] == nodes["divbo"] | {part: node}
    assert nodes[name] != nodes["divbo"]


def test_the_ranks_and_the_draws_are_those_of_the_searcher(trials, chosen):
    assert chosen(trials, "divbo_ordinal_rank")[0].ranks.func is ordinal_ranks
    assert chosen(trials, "divbo_members")[0].diversity.sampler.func is sample_members


def test_failed_trials_are_in_no_pair_and_no_temporary_pool(searcher, chosen):
    failing = Study(failing={1, 3, 6})
    trials = failing.run(searcher(), 9, SEEDS)
    points, criterion = searcher().points(STUDY.history(trials)), chosen(trials)[0]
    members = criterion.diversity.members
    assert len(members) > 0
    assert criterion.weight == searcher().weight(9)  # t counts them (D16)
    assert not {tuple(point) for point in points[[1, 3, 6]]} & {tuple(point) for point in members}


@pytest.mark.parametrize("name", ["rb", "kbo", "divbo_eo", "nes", "divbo", "divbo_bo"])
def test_a_search_goes_on_while_all_its_trials_fail(grid_of, name):
    """Through more than a population of NES, of 30, and more than an arm's first pulls."""
    built = build(grid_of().cfg["searchers"][name], "searcher", space=SPACE, budget=40)
    trials = Study(failing=range(40)).run(built, 40, SEEDS)
    assert [trial.status for trial in trials] == [FAILED] * 40


@pytest.mark.parametrize("failing", [range(5), range(1, 5), range(12)])
def test_while_no_two_trials_have_finished_it_is_bayesian_optimization(searcher, failing, chosen):
    study = Study(failing=failing)
    trials = study.run(searcher(), 5, SEEDS)
    assert isinstance(chosen(trials)[0], Integrated)
    assert len(study.run(searcher(), 8, SEEDS, trials)) == 8


def test_from_two_finished_trials_on_diversity_counts(searcher, chosen):
    trials = Study(failing={0, 2, 4}).run(searcher(), 5, SEEDS)
    criterion = chosen(trials)[0]
    assert isinstance(criterion, RankSum)
    points = searcher().points(STUDY.history(trials))[[1, 3]]
    assert {tuple(point) for point in criterion.diversity.members} <= {tuple(point) for point in points}


@pytest.mark.parametrize("name", ["divbo", "divbo_bo", "divbo_eo", "divbo_members", "divbo_ordinal_rank"])
def test_a_search_resumed_at_every_trial_equals_the_uninterrupted_one(searcher, name):
    whole = STUDY.run(searcher(name), BUDGET, SEEDS)
    for cut in range(BUDGET):
        journal = json.loads(json.dumps([to_record(trial) for trial in whole[:cut]]))
        resumed = STUDY.run(searcher(name), cut + 1, SEEDS, [from_record(record) for record in journal])
        assert configurations(resumed) == configurations(whole[: cut + 1])
        np.testing.assert_array_equal(resumed[-1].proposal.memory["point"], whole[cut].proposal.memory["point"])


def test_no_configuration_is_evaluated_twice(trials):
    assert len({str(configuration) for configuration in configurations(trials)}) == BUDGET


@pytest.mark.parametrize(
    ("name", "beta", "tau"),
    [("divbo", 0.05, 0.2), ("divbo_beta_025", 0.025, 0.2), ("divbo_beta_1", 0.1, 0.2), ("divbo_beta_2", 0.2, 0.2),
     ("divbo_tau_05", 0.05, 0.05), ("divbo_tau_1", 0.05, 0.1), ("divbo_tau_4", 0.05, 0.4)],
)  # fmt: skip
def test_the_settings_are_those_of_the_protocol(grid_of, name, beta, tau):
    built = build(grid_of().cfg["searchers"][name], "searcher", space=SPACE, budget=BUDGET)
    assert built.weight.keywords == {"beta": beta, "tau": tau}
    assert (built.ensemble.size, built.sampler.keywords, built.n_initial) == (25, {"count": 15}, 5)
    forest, candidates = built.surrogate.surrogate, built.candidates
    assert (forest.trees, forest.min_split, forest.min_leaf, forest.floor) == (10, 3, 3, 1e-10)
    assert forest.features == pytest.approx(5 / 6)
    assert forest.depth > 10**6  # unlimited (D19)
    assert (candidates.size, candidates.best, candidates.neighbours, candidates.deviation) == (4950, 10, 5, 0.2)  # D21


def test_ensemble_optimization_has_five_random_trials_and_observes_every_past_model(searcher):  # D24
    eo = searcher("divbo_eo")
    trials = STUDY.run(eo, BUDGET, SEEDS)
    assert configurations(trials)[:5] == configurations(STUDY.run(RandomSearch(SPACE), 5, SEEDS))
    assert configurations(trials)[5] != configurations(STUDY.run(RandomSearch(SPACE), 6, SEEDS))[5]
    indices, observed = eo.observations(STUDY.history(trials), SEEDS)
    np.testing.assert_array_equal(indices, np.arange(BUDGET))
    assert len(np.unique(observed)) > 1
