"""A measure finds every search of a method, with what proposes its trials again."""

import shutil
from copy import copy
from pathlib import Path

import pytest

from bayes_hpo.errors import RunError, UserError
from bayes_hpo.measures.searches import searches
from bayes_hpo.storage.manifest import pool_path


def test_every_repetition_is_found_under_the_names_of_its_scores(searched):
    found = [search.key for search in searches(searched("svm_width"), ["gp"])]
    same = {"dataset": "tiny", "validation": "holdout", "method": "gp"}
    assert found == [{"repetition": number} | same for number in (0, 1)]


@pytest.mark.parametrize("study", ["svm_width", "random_forest"])
def test_the_searcher_and_the_seeds_propose_the_trials_of_the_pool_again(searched, study):
    for search in searches(searched(study), ["gp"]):
        for t, trial in enumerate(search.pool):
            again = search.searcher.propose(search.pool.history[:t], search.seeds)
            assert again.configuration == trial.proposal.configuration


def test_methods_follow_each_other_and_each_counts_once(searched):
    names = ["gp_times_1", "gp", "gp"]
    found = [search.key["method"] for search in searches(searched("svm_width"), names)]
    assert found == ["gp_times_1", "gp_times_1", "gp", "gp"]


@pytest.mark.parametrize(
    ("methods", "words"),
    [
        (["gp", "rs"], r"^unknown measure\.methods=rs; allowed: gp, gp_times_1$"),
        ([["gp"]], r"^unknown measure\.methods=\['gp'\]"),
        ([], r"^measure\.methods=\[\] names no method; allowed: gp, gp_times_1$"),
    ],
)
def test_methods_that_the_study_does_not_have_are_one_sentence(searched, methods, words):
    with pytest.raises(UserError, match=words):
        next(searches(searched("svm_width"), methods))


def test_a_pool_that_two_blocks_list_is_found_once(searched):
    grid = copy(searched("svm_width"))
    grid.blocks = lambda *search: 2 * searched("svm_width").blocks(*search)
    assert [search.key["repetition"] for search in searches(grid, ["gp"])] == [0, 1]


def test_without_any_search_it_is_one_sentence(searched):
    grid = copy(searched("svm_width"))
    grid.blocks = lambda *search: []
    with pytest.raises(RunError, match=r"^no search of gp, gp_times_1 is finished below .*; run one first$"):
        list(searches(grid, ["gp", "gp_times_1"]))


def test_an_altered_pool_is_named(searched):
    block = searched("svm_width").search_jobs()[0]
    path = pool_path(block.folder, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(RunError, match=r"rep_001\.npz differs from block_000-001\.json"):
        list(searches(searched("svm_width"), ["gp"]))
    path.write_bytes(whole)


@pytest.mark.parametrize(("dataset", "searcher"), [("tiny", "gp_times_1"), ("another", "gp")])
def test_the_pools_of_another_search_are_refused(searched, tmp_path, dataset, searcher):
    """A folder of pools under the name of another searcher or data set, manifest and all."""
    made = searched("svm_width")
    grid = copy(made)
    grid.results, grid.datasets = str(tmp_path), [dataset]
    here = next(Path(block.folder) for block in made.search_jobs() if block.searcher == "gp")
    there = next(Path(block.folder) for block in grid.search_jobs() if block.searcher == searcher)
    shutil.copytree(here, there)
    with pytest.raises(RunError, match=r"rep_000\.npz was searched with other settings or data; run its search again"):
        next(searches(grid, [searcher]))
