"""What a search says of finished pools that depend on something else, before its first trial."""

import copy

import numpy as np
import pytest

from bayes_hpo.campaign.fingerprint import search_depends
from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.outdated import tell_outdated
from bayes_hpo.errors import UserError
from bayes_hpo.pool import Pool, Proposal, Trial
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.pools import write_pool

MODULE = "bayes_hpo.search.random"


@pytest.fixture
def grid(tmp_path):
    return Grid.of("overfitting", "toy", str(tmp_path))


@pytest.fixture
def now(grid):
    """What the search depends on now."""
    return search_depends(grid.job("holdout", "random"))


@pytest.fixture
def search(grid):
    """The search of one repetition."""
    (block,) = grid.blocks("sklearn-iris", "holdout", "random")
    return block


def finish(search, depends):
    """Write the pool and the manifest of a search that depended on something."""
    path = pool_path(search.folder, 0)
    trials = (Trial(Proposal({"C": 1.0}, 0), np.array([0.5])),)
    write_pool(Pool(trials, f"{depends['fingerprint']}-data", {"job": depends["config"]}), path)
    write_manifest(search.output, depends, [path])


def older(depends, key=None, module=None):
    """What a search depended on before an edit of a key or of a module."""
    old = copy.deepcopy(depends) | {"fingerprint": "old"}
    if key:
        old["config"][key] = 3
    if module:
        old["modules"][module] = "old"
    return old


def test_pools_that_are_up_to_date_are_nothing_to_tell(grid, search, now, logged):
    tell_outdated(grid, search, now)
    finish(search, now)
    tell_outdated(grid, search, now)
    assert logged() == ""


@pytest.mark.parametrize(
    ("change", "what"), [({"key": "budget"}, "budget"), ({"module": MODULE}, f"module {MODULE}")], ids=["key", "module"]
)
def test_after_an_edit_the_log_says_what_has_changed(grid, search, now, logged, change, what):
    finish(search, older(now, **change))
    tell_outdated(grid, search, now)
    assert logged() == f"1 finished pools in {search.folder} will be set aside as .stale; changed: {what}\n"


def test_without_its_manifest_a_pool_still_says_which_key_has_changed(grid, search, now, logged):
    finish(search, older(now, key="budget"))
    (pool_path(search.folder, 0).parent / "block_000-000.json").unlink()
    tell_outdated(grid, search, now)
    assert logged().endswith("changed: budget\n")


def test_an_override_of_the_command_is_refused_with_all_that_differs(grid, search, now, logged):
    finish(search, older(now, key="test_percent", module=MODULE))
    overridden = copy.deepcopy(now) | {"fingerprint": "overridden"}
    overridden["config"]["budget"] = 2
    with pytest.raises(UserError) as refused:
        tell_outdated(grid, search, overridden)
    assert f"(different: module {MODULE}, budget, test_percent)" in str(refused.value)
    assert str(refused.value).endswith("give it a folder of its own with results_dir=FOLDER")
    assert logged() == ""


@pytest.mark.parametrize("content", [b"", b"no pool", None])
def test_a_damaged_pool_is_announced_before_the_first_trial(grid, search, now, logged, content):
    finish(search, now)
    path = pool_path(search.folder, 0)
    path.write_bytes(path.read_bytes()[:-100] if content is None else content)
    tell_outdated(grid, search, now)
    assert f"{path} is damaged and will be set aside as .stale" in logged()
