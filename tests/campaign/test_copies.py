"""Files of a search on a node: what is finished reaches the shared folder, nothing that is there is lost."""

import os
from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.campaign.copies import Copies, pools
from bayes_hpo.campaign.jobs import SearchJob
from bayes_hpo.pool import Pool, Proposal, Trial
from bayes_hpo.storage.files import Journal, read_lines
from bayes_hpo.storage.manifest import verified, write_manifest
from bayes_hpo.storage.pools import hidden_file, read_pool, read_test_predictions, write_pool


@pytest.fixture
def node(tmp_path):
    """Function: the Copies of a search of two repetitions on the node of that name."""
    job = SearchJob("overfitting", "toy", "sklearn-iris", "holdout", "gp", 0, 1, str(tmp_path / "results"))

    def of(name):
        copies = Copies(job, replace(job, results=str(tmp_path / name)))
        copies.fetch()
        return copies

    return of


def finish(path, fingerprint="now", seconds=1.0):
    tested = np.array([0, 1, 1], dtype=np.uint8)
    trial = Trial(Proposal({"C": 1.0}, 0), np.array([0.25]), test_predictions=tested, seconds=seconds)
    write_pool(Pool((trial,), fingerprint), path)


def append(path, *records, key="key"):
    with Journal(path.with_suffix(".journal"), key) as journal:
        for record in records:
            journal.append(record)


def records(path):
    with open(path.with_suffix(".journal"), "rb", buffering=0) as stream:
        return read_lines(stream)[0][1:]


def test_a_finished_pool_is_shared_with_its_test_predictions_before_the_search_ends(node):
    copies = node("first")
    shared, here = copies.pools[0]
    append(here, 1)
    copies.share()
    assert records(shared) == [1]
    finish(here)
    here.with_suffix(".journal").unlink()
    copies.share()
    assert read_test_predictions(shared)[0][0].tolist() == [0, 1, 1]
    assert not shared.with_suffix(".journal").exists()
    other = node("second")
    assert read_test_predictions(other.pools[0][1])[0][0].tolist() == [0, 1, 1]


def test_a_pool_of_this_node_that_was_not_shared_survives_the_next_fetch(node):
    _, here = node("first").pools[0]
    finish(here)
    again = node("first")
    assert here.is_file()
    again.share()
    assert read_pool(again.pools[0][0]).fingerprint == "now"


def test_of_two_nodes_with_the_same_search_the_pool_of_the_first_stays(node):
    first, second = node("first"), node("second")
    for copies, seconds in ((first, 1.0), (second, 2.0)):
        for _, here in copies.pools:
            finish(here, seconds=seconds)
        write_manifest(copies.local.output, {"fingerprint": "now"}, pools(copies.local))
        copies.deliver()
    assert [read_pool(path)[0].seconds for path in verified(first.job.output)] == [1.0, 1.0]
    assert not list(first.pools[0][0].parent.glob("*.stale"))


def test_a_pool_that_was_only_fetched_never_replaces_a_later_one(node):
    finish(node("any").pools[0][0], "before")
    copies = node("first")
    shared, here = copies.pools[0]
    assert read_pool(here).fingerprint == "before"
    finish(shared, "now")
    copies.share()
    assert read_pool(shared).fingerprint == "now"


def test_a_pool_of_other_settings_is_set_aside_with_its_test_predictions(node):
    copies = node("first")
    shared, here = copies.pools[0]
    finish(shared, "before")
    finish(here, "now")
    copies.share()
    assert read_pool(shared).fingerprint == "now"
    assert {path.name for path in shared.parent.glob("*.stale")} == {"rep_000.npz.stale", "rep_000.test.npz.stale"}


@pytest.mark.parametrize("ahead", [-3600, 3600])  # seconds by which the clock of the other node differs
@pytest.mark.parametrize(("here", "shared", "kept"), [([1, 2], [1], [1, 2]), ([1], [1, 2], [1, 2])])
def test_of_two_journals_of_a_search_the_longer_one_goes_on_whatever_the_clocks_say(node, here, shared, kept, ahead):
    pair = node("first").pools[0]
    append(pair[0], *shared)
    append(pair[1], *here)
    when = pair[1].with_suffix(".journal").stat().st_mtime + ahead
    os.utime(pair[0].with_suffix(".journal"), (when, when))
    copies = node("first")
    assert records(pair[1]) == kept
    append(pair[1], 3)
    copies.share()
    assert records(pair[0]) == [*kept, 3]


@pytest.mark.parametrize(("ahead", "kept"), [(-3600, "here"), (3600, "shared")])
def test_of_journals_of_different_searches_the_newer_one_goes_on(node, ahead, kept):
    shared, here = node("first").pools[0]
    append(shared, "shared", key="one")
    append(here, "here", "here", key="other")
    when = here.with_suffix(".journal").stat().st_mtime + ahead
    os.utime(shared.with_suffix(".journal"), (when, when))
    node("first")
    assert set(records(here)) == {kept}


def test_what_a_full_disk_keeps_from_being_shared_is_shared_the_next_time(node):
    copies = node("first")
    shared, here = copies.pools[0]
    finish(here)
    shared.parent.parent.mkdir(parents=True, exist_ok=True)
    shared.parent.touch()  # a file where the folder has to be
    copies.try_to_share()
    shared.parent.unlink()
    copies.try_to_share()
    assert read_pool(shared).fingerprint == "now"
    assert hidden_file(shared).is_file()
