"""A measure finds every search of a method, with what proposes its trials again."""

import pytest

from bayes_hpo.errors import Fault
from bayes_hpo.manifest import pool_path
from bayes_hpo.measures.searches import searches


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


def test_a_method_of_another_pool_is_not_found(searched):
    assert list(searches(searched("svm_width"), ["rs"])) == []


def test_an_altered_pool_is_named(searched):
    block = searched("svm_width").search_jobs()[0]
    path = pool_path(block.folder, 1)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with pytest.raises(Fault, match=r"rep_001\.npz is not the file that block_000-001\.json lists"):
        list(searches(searched("svm_width"), ["gp"]))
    path.write_bytes(whole)
