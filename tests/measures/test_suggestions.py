"""What trials bring to the ensemble: a replay by a loop that can be read, copies, failures, windows."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from probable_pools import SPACE, Study, random_probabilities

from bayes_hpo.claims.sample import MEASURED
from bayes_hpo.configuration.build import build
from bayes_hpo.ensembles.greedy import RandomTies
from bayes_hpo.ensembles.probabilities import StoredProbabilities, zero_one
from bayes_hpo.measures.suggestions import Suggestions, SuggestionStatistics, replay, top_tie
from bayes_hpo.pool import Pool
from bayes_hpo.search.random import RandomSearch
from bayes_hpo.selection.ensemble_selection import EnsembleSelection
from tests.measures.made_up import SEEDS, search_of

ES = RandomTies(size=7, loss=zero_one)
FAILED = {0, 4, 9}


def made(seed=0, **given):
    search = search_of(random_probabilities(seed, **{"trials": 14, "n": 40, "failed": FAILED} | given))
    return search, StoredProbabilities.of(search.pool.history)


def selected(search, t):
    """Members of the ensemble of a method after t trials, trial -> its weight; none while all have failed."""
    if not t or not any(trial.status == "finished" for trial in search.pool[:t]):
        return Counter()
    ensemble = EnsembleSelection(greedy=ES)(search.pool[:t], SEEDS)
    return Counter({member.trial: member.weight for member in ensemble.members})


def error_by_hand(search, members):
    """The share of rows on which the weighted mean of the members' probabilities is wrong."""
    mean = sum(weight * search.pool[t].predictions.astype(float) for t, weight in members.items())
    return np.mean(mean.argmax(axis=1) != search.pool.truth.y)


def nearest_by_hand(search, t, members):
    """Eq. 3 to the nearest member, row by row."""
    model = search.pool[t].predictions.astype(float)
    others = [search.pool[member].predictions.astype(float) for member in members]
    return min(np.sqrt(2) / 2 * np.mean([np.linalg.norm(a - b) for a, b in zip(model, o, strict=True)]) for o in others)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_the_replay_is_that_of_a_slow_loop_over_what_methods_select(seed, n_classes):
    search, stored = made(seed, n_classes=n_classes)
    rows = list(replay(search, stored, ES))
    assert [row["iteration"] for row in rows] == list(range(1, 15))
    lowered = 0
    for t, row in enumerate(rows, start=1):
        before, after = selected(search, t - 1), selected(search, t)
        assert row["changed"] == (before != after)
        if not after:
            assert np.isnan(row["ensemble_error"])
            assert not row["updated"]
            continue
        was, error = error_by_hand(search, before) if before else np.inf, error_by_hand(search, after)
        assert row["ensemble_error"] == pytest.approx(error)
        assert row["updated"] == (before != after and error < was - 1e-9)
        assert row["member_error"] == pytest.approx(np.mean([search.pool[member].loss for member in after]))
        lowered += row["updated"]
        if t - 1 in FAILED or not before:
            assert np.isnan(row["diversity"])
        else:
            assert row["diversity"] == pytest.approx(nearest_by_hand(search, t - 1, before))
        assert row["error"] == pytest.approx(search.pool[t - 1].loss, nan_ok=True) or t - 1 in FAILED
    assert 0 < lowered < 14


def test_a_failed_trial_changes_nothing_and_has_no_error():
    search, stored = made()
    rows = list(replay(search, stored, ES))
    for t in FAILED:
        assert np.isnan([rows[t]["error"], rows[t]["diversity"]]).all()
        assert not rows[t]["changed"]
        assert t == 0 or rows[t]["ensemble_error"] == rows[t - 1]["ensemble_error"]


def test_a_copy_of_a_member_has_no_diversity():
    search, _ = made(failed=())
    member = max(selected(search, 14))
    copied = replace(search.pool, trials=(*search.pool.trials, search.pool[member]))
    rows = list(replay(search_of(copied), StoredProbabilities.of(copied.history), ES))
    assert rows[-1]["diversity"] == 0
    assert min(row["diversity"] for row in rows[1:-1]) > 0


@pytest.mark.parametrize("after", [1, 6, 13])
def test_the_replay_of_the_last_trials_is_the_end_of_the_whole(after):
    search, stored = made()
    whole, late = (pd.DataFrame(replay(search, stored, ES, first)) for first in (0, after))
    pd.testing.assert_frame_equal(late, whole.iloc[after:].reset_index(drop=True))


def test_behind_the_reference_suggestions_are_compared_with_its_ensemble():
    search, _ = made()
    rows = Suggestions(methods=["bo_es"], ensemble=ES, reference=0.5)._of(search)
    assert set(rows["reference"]) == {7}
    members = selected(search, 7)
    for t, value in enumerate(rows["reference_diversity"]):
        expected = nearest_by_hand(search, t, members) if t >= 7 and t not in FAILED else np.nan
        assert value == pytest.approx(expected, nan_ok=True)
    counts = np.bincount(search.pool.truth.y)
    assert set(rows["constant_error"]) == {1 - counts.max() / 40}


@pytest.mark.parametrize("name", ["divbo", "divbo_bo"])
def test_the_top_tie_counts_the_best_of_the_candidates_that_the_searcher_ranks(grid_of, name):
    """At t = 5 all 4,950 random candidates and the 5 around each trial: a forest with leaves of three cannot split."""
    searcher, study, seen = build(grid_of().cfg["searchers"][name], "searcher", space=SPACE, budget=40), Study(), {}
    trials = study.run(RandomSearch(SPACE), 40, SEEDS)

    def spy(criterion, candidates, evaluated, rng):
        seen["values"] = getattr(criterion, "performance", criterion).values(candidates)
        return candidates[0]

    counts = []
    for t in (5, 12, 40):
        replace(searcher, maximizer=spy).propose(study.history(trials[:t]), SEEDS)
        counts.append(top_tie(searcher, study.history(trials[:t]), SEEDS))
        assert counts[-1] == np.sum(seen["values"] == seen["values"].max())
    assert counts[0] == 4975
    assert 1 <= counts[2] < counts[1] < 4975


def test_searches_without_a_surrogate_of_the_loss_and_random_trials_have_no_top_tie(grid_of):
    study = Study()
    pool = Pool(tuple(study.run(RandomSearch(SPACE), 7, SEEDS)), truth=study.truth)
    measure, searchers = Suggestions(methods=["bo_es"], ensemble=ES, reference=0.5), grid_of().cfg["searchers"]
    for name, known in {"divbo": [6, 7], "rb": []}.items():
        searcher = build(searchers[name], "searcher", space=SPACE, budget=40)
        rows = measure._of(replace(search_of(pool), searcher=searcher))
        assert rows.loc[rows["top_tie"].notna(), "iteration"].tolist() == known


def test_statistics_are_those_of_the_last_rows():
    search, stored = made()
    rows = pd.DataFrame(replay(search, stored, ES))
    measure = SuggestionStatistics(methods=["bo_es"], ensemble=ES, windows={"100": 0.4, "50": 0.2}, late=0.21, first=6)
    found = measure.statistics(search)
    assert set(found) == set(MEASURED["suggestion_statistics"])
    for name, size in (("100", 6), ("50", 3)):  # of 14
        assert found[f"effective_updates_{name}"] == rows["updated"].iloc[-size:].sum()
    assert found["minimum_diversity"] == pytest.approx(np.nanmean(rows["diversity"].iloc[-3:]))
    assert found["suggestion_error"] == pytest.approx(100 * np.nanmean(rows["error"].iloc[5:]))
    assert found["member_error"] == pytest.approx(100 * rows["member_error"].iloc[-1])
