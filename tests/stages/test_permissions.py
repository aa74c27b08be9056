"""Files and folders without permission: stages say which one they may not read, touch nothing, and go on later."""

import pytest

from bayes_hpo.storage.manifest import write_manifest

pytestmark = pytest.mark.slow  # every test runs stages

POOLS = "toy/pools/overfitting/sklearn-iris/holdout/random"
DENIED = "Permission denied"


@pytest.fixture
def scored(command, job, results):
    """The copy of a searched results_dir, its first repetition scored."""
    assert command("score", *job, f"results_dir={results}").returncode == 0
    return results


def test_a_pool_without_permission_is_refused_and_stays(
    stage, command, sentence, job, scored, pool, contents, forbidden
):
    path, place, before = pool(scored), f"results_dir={scored}", contents(scored)
    stages = [("inspect", path), ("search", *job, place), ("score", *job, place)]
    with forbidden(path):
        for arguments in stages:
            said = sentence(stage(*arguments), 1)
            assert str(path) in said
            assert DENIED in said
    assert contents(scored) == before
    assert all(command(*arguments).returncode == 0 for arguments in stages)


def test_a_pool_without_permission_is_not_deleted_as_outdated(stage, sentence, job, scored, pool, forbidden):
    path = pool(scored)
    write_manifest(path.with_name("block_000-000.json"), {}, [])  # outdated
    with forbidden(path):
        done = stage("clean", "study=overfitting", "scale=toy", f"results_dir={scored}", "outdated=true", "apply=true")
        assert DENIED in sentence(done, 1)
    assert path.is_file()


def test_a_journal_without_permission_is_refused_and_status_tells_it(
    stage, command, sentence, job, unsearched, pool, forbidden
):
    journal, place = pool(unsearched).with_suffix(".journal"), f"results_dir={unsearched}"
    assert stage("search", *job, place, file_size=2000).returncode == 1
    content = journal.read_bytes()
    with forbidden(journal):
        assert f"{journal} could not be opened ({DENIED})" in sentence(stage("search", *job, place), 1)
        told = stage("status", "study=overfitting", "scale=toy", place)
        assert told.returncode == 0, told.stderr
        assert f"rep_000.journal cannot be read ({DENIED})" in told.stdout
    assert journal.read_bytes() == content
    assert command("search", *job, place).returncode == 0


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("data", ""),
        ("search", "data"),
        ("search", POOLS),
        ("score", POOLS),
        ("status", POOLS),
        ("status", "toy"),
        ("clean", "toy/pools"),
        ("report", "toy/scores/overfitting"),
        ("release", "toy"),
    ],
)
def test_in_a_folder_without_permission_a_stage_ends_with_one_sentence_or_well(
    stage, sentence, job, scored, contents, forbidden, name, where
):
    before, place = contents(scored), f"results_dir={scored}"
    arguments = {
        "search": job,
        "score": job,
        "data": ["dataset=sklearn-iris"],
        "report": ["study=overfitting", "scale=toy", "artifact=T3_1", f"products_dir={scored.parent}"],
        "release": ["study=overfitting", "scale=toy", f"released_dir={scored.parent}"],
    }.get(name, ["study=overfitting", "scale=toy"])
    with forbidden(scored / where):
        done = stage(name, *arguments, place)
        assert "Traceback" not in done.stderr
        if done.returncode:
            sentence(done, 1)
    assert {path: content for path, content in contents(scored).items() if path in before} == before


@pytest.mark.parametrize("name", ["search", "data"])
def test_a_folder_that_may_not_be_written_is_named(stage, sentence, job, unsearched, forbidden, name):
    with forbidden(unsearched, 0o555), forbidden(unsearched / "data", 0o555):
        arguments = {"search": job, "data": ["dataset=sklearn-wine"]}[name]
        said = sentence(stage(name, *arguments, f"results_dir={unsearched}"), 1)
    assert str(unsearched) in said
    assert DENIED in said
