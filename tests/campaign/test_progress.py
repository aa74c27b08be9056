"""Laws of the progress: what is done, outdated, running, failed and missing, by the files alone."""

import os
import shlex
import time
from copy import copy, deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from score_rows import rows

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.progress import states, summary
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.overrides import word
from bayes_hpo.pool import Proposal, Trial
from bayes_hpo.search.loop import to_record
from bayes_hpo.storage.files import Journal
from bayes_hpo.storage.layout import log_file, released_file
from bayes_hpo.storage.manifest import pool_path, write_manifest
from bayes_hpo.storage.provenance import footer

TRIALS = [Trial(Proposal({"C": 1.0}, t), np.array([loss]), seconds=1.5) for t, loss in enumerate((0.4, 0.2, 0.3))]


@pytest.fixture
def grid(grid_of, tmp_path):
    """The toy grid with an empty results folder."""
    assert grid_of().digests.search_depends
    assert grid_of().digests.score_depends
    assert grid_of().digests.measure_depends  # computed once, copied below
    grid = copy(grid_of())
    grid.results = str(tmp_path / "results")
    return grid


def _state(grid, job):
    return next(state for state in states(grid) if state.job == job)


def _finish(grid, job, change=lambda depends: None):
    """The manifest of a search job, as one that depends on something else after `change`."""
    pools = [pool_path(job.folder, number) for number in range(job.first, job.last + 1)]
    for pool in pools:
        pool.parent.mkdir(parents=True, exist_ok=True)
        pool.write_bytes(b"not looked at")
    depends = deepcopy(grid.digests.search_depends[job.protocol, job.searcher])
    change(depends)
    write_manifest(job.output, depends, pools)


def _finish_score(grid, job, **changes):
    depends = deepcopy(grid.digests.score_depends[job.protocol, job.searcher]) | changes
    Path(job.output).parent.mkdir(parents=True, exist_ok=True)
    table = pa.table({"test_error": [0.1]}).replace_schema_metadata(footer(depends, {}))
    pq.write_table(table, job.output)


def test_a_measure_of_a_part_of_the_searches_is_missing(grid_of, tmp_path):
    grid = copy(grid_of("svm_width"))
    grid.results = str(tmp_path)
    job = next(job for job in grid.measure_jobs() if job.measure == "width_traits")
    Path(job.output).parent.mkdir(parents=True)
    made = pa.table({"value": [1.0]}).replace_schema_metadata(footer(grid.digests.measure_depends[job.measure], {}))
    pq.write_table(made, job.output)
    assert (_state(grid, job).state, _state(grid, job).detail[:14]) == ("missing", "made of a part")
    for scored in grid.score_jobs():
        _finish_score(grid, scored)
    assert _state(grid, job).state == "done"


def _journal(job, trials=TRIALS):
    journal = Journal(Path(job.folder) / f"rep_{job.first:03d}.journal", "a key")
    with journal:
        for trial in trials:
            journal.append(to_record(trial))
    return journal


def _log(job, text):
    path = Path(log_file(job.output, job.scale, job.results))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_an_empty_tree_is_all_missing(grid):
    found = states(grid)
    assert {state.state for state in found} == {"missing"}
    assert [state.job for state in found] == grid.search_jobs() + grid.score_jobs() + grid.measure_jobs()


def test_a_job_with_its_manifest_is_done(grid):
    first, second, *_ = grid.search_jobs()
    _finish(grid, first)
    assert (_state(grid, first).state, _state(grid, first).detail) == ("done", "")
    assert _state(grid, second).state == "missing"


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (lambda d: d["modules"].update({"bayes_hpo.splits": "0"}), "changed: module bayes_hpo.splits"),
        (lambda d: d["modules"].pop("bayes_hpo.splits"), "changed: module bayes_hpo.splits"),
        (lambda d: d["config"]["learner"].update(max_iter=7), "changed: key learner.max_iter"),
        (lambda d: d["config"].update(budget=7, test_percent=1), "changed: key budget, key test_percent"),
        (lambda d: d.clear(), "changed: module bayes_hpo, "),
    ],
)
def test_an_outdated_job_says_which_module_or_key_changed(grid, change, detail):
    def outdate(depends):
        change(depends)
        depends.update({"fingerprint": "another"} if depends else {})  # a manifest of before has none

    job = grid.search_jobs()[0]
    _finish(grid, job, outdate)
    assert _state(grid, job).state == "outdated"
    assert _state(grid, job).detail.startswith(detail)


def test_a_job_whose_modules_had_other_names_is_done(grid):
    def rename(depends):
        depends["modules"]["bayes_hpo.parts"] = depends["modules"].pop("bayes_hpo.splits")

    job = grid.search_jobs()[0]
    _finish(grid, job, rename)
    assert _state(grid, job).state == "done"


def test_a_running_job_says_how_far_it_is(grid):
    job, other = grid.search_jobs()[:2]
    _log(job, "07:00:00 trial 3/9\n")
    journal = _journal(job)
    with journal:
        assert (_state(grid, job).state, _state(grid, job).detail) == (
            "running",
            f"rep_{job.first:03d} at trial 4, best 0.2000, 4.5 s so far",
        )
        assert _state(grid, other).state == "missing"
    killed = _state(grid, job)
    assert (killed.state, "resumes: rep_" in killed.detail) == ("started", True)


def test_the_best_is_that_of_finished_trials(grid):
    job = grid.search_jobs()[0]
    failed = replace(TRIALS[0], losses=np.array([0.1]), status="failed")
    with _journal(job, [*TRIALS, failed]):
        assert "at trial 5, best 0.2000" in _state(grid, job).detail


def test_a_running_job_counts_its_failed_trials_by_reason(grid):
    job = grid.search_jobs()[0]
    reasons = ("ValueError: one", "ValueError: two", "no end within time_limit=9 s")
    failed = [replace(TRIALS[0], status="failed", reason=reason) for reason in reasons]
    with _journal(job, [*TRIALS, *failed]):
        detail = _state(grid, job).detail
    assert detail.endswith("s so far, 2 failed: ValueError, 1 failed: no end within time_limit=9 s")


def test_looking_does_not_disturb_a_running_job(grid):
    job = grid.search_jobs()[0]
    with _journal(job) as journal:
        _state(grid, job)
        journal.append(to_record(TRIALS[0]))
    with Journal(journal.path, "a key") as again:
        assert len(again.records) == 4


def test_a_failed_job_says_why_and_where_it_resumes(grid):
    job = grid.search_jobs()[0]
    _log(job, "07:00:00 trial 3/9\nerror: the disk is full\n07:00:01 bye\n")
    assert (_state(grid, job).state, _state(grid, job).detail) == ("failed", "error: the disk is full")
    _journal(job)
    assert _state(grid, job).detail.startswith("error: the disk is full; resumes: rep_000 at trial 4, best 0.2000")
    assert job.command in str(_state(grid, job))


def test_a_killed_job_without_a_log_is_missing_but_not_lost(grid):
    job = grid.search_jobs()[0]
    _journal(job)
    assert (_state(grid, job).state, _state(grid, job).detail[:18]) == ("missing", "rep_000 at trial 4")


@pytest.mark.parametrize("content", [b"", b"no journal\n", bytes(300)])
def test_a_foreign_journal_stops_nothing(grid, content):
    job = grid.search_jobs()[0]
    _journal(job).path.write_bytes(content)
    assert _state(grid, job).state == "missing"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"schema": 1, "depends": 3, "pools": {}}'])
def test_a_damaged_manifest_is_not_done(grid, content):
    job = grid.search_jobs()[0]
    _finish(grid, job)
    Path(job.output).write_bytes(content)
    assert _state(grid, job).state == "missing"


def test_a_folder_in_place_of_a_manifest_or_of_scores_is_missing(grid):
    for job in (grid.search_jobs()[0], grid.score_jobs()[0]):
        Path(job.output).mkdir(parents=True)
        assert _state(grid, job).state == "missing"


@pytest.mark.parametrize("depends", [b"null", b"{", b"3", b"[]", b"\xff"])
def test_scores_that_do_not_tell_what_they_depend_on_are_missing(grid, depends):
    job = grid.score_jobs()[0]
    Path(job.output).parent.mkdir(parents=True)
    pq.write_table(pa.table({"x": [1]}).replace_schema_metadata({"depends": depends}), job.output)
    assert _state(grid, job).state == "missing"


def test_scores_are_done_outdated_or_missing(grid):
    done, old, damaged, foreign, missing, *_ = grid.score_jobs()
    _finish_score(grid, done)
    _finish_score(grid, old, fingerprint="another", config={})
    _finish_score(grid, damaged)
    whole = Path(damaged.output).read_bytes()
    Path(damaged.output).write_bytes(whole[: len(whole) // 2])
    Path(foreign.output).parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table({"x": [1]}), foreign.output)
    found = {state.job: state.state for state in states(grid)}
    assert [found[job] for job in (done, old, damaged, foreign, missing)] == [
        "done", "outdated", "missing", "missing", "missing",
    ]  # fmt: skip


def test_the_summary_counts_the_jobs_of_this_run_and_names_the_failed(grid):
    done, failed, before, untouched, *_ = grid.search_jobs()
    for job in (done, before):
        _finish(grid, job)
    start = time.time() - 10
    os.utime(_log(before, "long ago"), (start - 10, start - 10))
    _log(done, "07:00:00 done\n")
    _log(failed, "error: no luck\n")
    _journal(failed)
    text = summary(grid.results, start)
    assert text.startswith("1 job done, 1 failed\n")
    assert "error: no luck; resumes: rep_000 at trial 4" in text
    assert failed.command in text
    for job in (done, before, untouched):
        assert job.output not in text


def test_every_setting_of_the_run_is_quoted_in_the_commands(tmp_path):
    results, products, strange = f"{tmp_path}/my results, old", f"{tmp_path}/it's (mine)", "a; b"
    log = Path(results, "logs/data/iris.log")
    log.parent.mkdir(parents=True)
    log.write_text("error: no luck\n")
    page = Path(results, "toy/logs/report/page.log")
    page.parent.mkdir(parents=True)
    page.write_text("error: no luck\n")
    job = Grid.of("overfitting", "toy", results).search_jobs()[0]
    _log(job, "error: no luck\n")
    text = summary(results, 1.0, products, word("data.archive_dir", strange))
    pasted = [shlex.split(line) for line in text.splitlines() if line.strip().startswith("python ")]
    commands = {words[2].rpartition(".")[2]: words for words in pasted}
    for stage, command in commands.items():
        cfg = configure(stage, command[3:])
        assert cfg["results_dir"] == results
    assert set(commands) == {"data", "search"}
    assert configure("data", commands["data"][3:])["data"]["archive_dir"] == strange
    assert f"snakemake --cores 1 {shlex.quote(f'{products}/report/toy/index.html')}" in text


def test_the_summary_names_a_failed_search_of_the_repetitions_that_are_not_skipped(tmp_path):
    results, released = str(tmp_path / "results"), tmp_path / "released"
    every = Grid.of("overfitting", "smoke", results)
    job = every.search_jobs()[0]
    methods = every.methods_on(job.protocol, job.searcher)
    of_one = rows(lambda *_: 0.1, {job.dataset: ""}, methods, [0]).query("validation == 'holdout'")
    path = Path(released_file("smoke", "overfitting", job.dataset, job.protocol, job.searcher, released))
    path.parent.mkdir(parents=True)
    of_one.assign(scale="smoke").to_parquet(path)
    rest = Grid.of("overfitting", "smoke", results, skip=released).blocks(job.dataset, job.protocol, job.searcher)
    _log(rest[0], "error: no luck\n")
    text = summary(results, 1.0, skip=released)
    assert text.startswith("0 jobs done, 1 failed\n")
    assert "error: no luck" in text
    assert "repetitions=1-1" in text


def test_the_summary_leaves_out_what_the_run_does(tmp_path):
    grid = Grid.of("overfitting", "smoke", str(tmp_path / "results"))
    jobs = {job.dataset: job for job in grid.search_jobs()}
    left_out, other = list(jobs)[:2]
    for name in (left_out, other):
        _log(jobs[name], "error: no luck\n")
    assert summary(grid.results, 1.0).startswith("0 jobs done, 2 failed\n")
    text = summary(grid.results, 1.0, without=[left_out])
    assert text.startswith("0 jobs done, 1 failed\n")
    assert left_out not in text


@pytest.mark.parametrize(("name", "path"), [("ledger", "tables/toy/ledger.csv"), ("page", "report/toy/index.html")])
def test_the_summary_names_a_failed_ledger_and_page(tmp_path, name, path):
    log = tmp_path / f"results/toy/logs/report/{name}.log"
    log.parent.mkdir(parents=True)
    log.write_text("error: no luck\n")
    text = summary(str(tmp_path / "results"), 0.0, str(tmp_path))
    assert text.startswith("0 jobs done, 1 failed\n")
    assert f"failed    {tmp_path}/{path}: error: no luck\n" in text
    assert f"snakemake --cores 1 {tmp_path}/{path}" in text
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text("made")
    assert summary(str(tmp_path / "results"), 0.0, str(tmp_path)) == "0 jobs done, 0 failed"
