"""Several pools by one command: what single commands make, and each by itself when one fails."""

import numpy as np
import pytest

from bayes_hpo.campaign.jobs import ScoreJob
from bayes_hpo.campaign.listed import PARTS, configurations, do_each
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import RunError, UserError

pytestmark = pytest.mark.slow  # every test runs stages

PLACE = ("study=overfitting", "dataset=sklearn-iris", "scale=toy")
POOLS = "holdout/random/0-0,kfold/random/0-0"


def _arrays(path):
    with np.load(path) as arrays:
        return {name: arrays[name] for name in arrays if not name.startswith(("seconds", "provenance", "digest"))}


@pytest.mark.parametrize("more", [(), ("scale.gp.candidates=70",), ("targets@searcher.targets=standardized",)])
@pytest.mark.parametrize(("stage", "groups", "last"), [("search", (), "/0-1"), ("score", ("method", "selector"), "")])
def test_a_list_has_the_configurations_of_single_commands(stage, groups, last, more):
    pools = ("holdout/gp", "holdout_sel_r/gp_times_1") if more else ("holdout/gp", "holdout_sel_r/cma", "kfold/random")
    single = [
        configure(stage, [*PLACE, *more, *map("=".join, zip(PARTS, f"{pool}{last}".split("/"), strict=False))], groups)
        for pool in pools
    ]
    listed = ",".join(f"{pool}{last}" for pool in pools)
    assert configurations(stage, [*PLACE, *more, f"pools={listed}"], groups) == single


def test_a_list_makes_the_pools_of_single_commands(stage, searched, unsearched, pool):
    done = stage("search", *PLACE, f"pools={POOLS}", f"results_dir={unsearched}")
    assert done.returncode == 0, done.stderr
    np.testing.assert_equal(_arrays(pool(unsearched)), _arrays(pool(searched)))
    assert pool(unsearched, protocol="kfold").with_name("block_000-000.json").is_file()
    log = unsearched / "toy/logs/pools/overfitting/sklearn-iris/kfold/random/block_000-000.log"
    assert "trial 9/9" in log.read_text()
    assert "holdout" not in log.read_text()


def test_a_pool_that_fails_stops_no_other(command, unsearched, pool):
    pool(unsearched).parent.parent.mkdir(parents=True)
    pool(unsearched).parent.write_text("a file where the folder of the pools should be")
    done = command("search", *PLACE, f"pools={POOLS}", f"results_dir={unsearched}")
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert done.returncode == 1
    assert len(errors) == 1
    assert errors[0].startswith("error: holdout/random/0-0: ")
    assert "Traceback" not in done.stderr
    assert pool(unsearched, protocol="kfold").is_file()

    said = command("status", "study=overfitting", "scale=toy", f"results_dir={unsearched}").stdout
    failed = next(part for part in said.split("\nfailed ") if "holdout/random/block_000-000.json" in part)
    assert errors[0].removeprefix("error: holdout/random/0-0: ") in failed
    assert "searcher=random scale=toy results_dir=" in failed.splitlines()[1]


@pytest.mark.parametrize(
    ("pools", "words"),
    [
        ("holdout", "pools=holdout is not of the form protocol/searcher"),
        ("holdout/random/0-0,", "pools= is not of the form protocol/searcher"),
        ("holdout/random/0-0,loo/random/0", "unknown protocol=loo; allowed: "),
        ("holdout/random/0-0,holdout/randon/0", "unknown searcher=randon (did you mean random?); allowed: "),
        ("holdout/random/0-0,kfold/random/x", "repetitions=x is neither a number nor a range"),
    ],
)
def test_a_wrong_list_is_one_sentence_before_anything_runs(command, sentence, tmp_path, pools, words):
    done = command("search", *PLACE, f"pools={pools}", f"results_dir={tmp_path}")
    assert words in sentence(done, 2)
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_data_set_of_a_list_is_one_sentence_before_anything_runs(command, sentence, tmp_path):
    for stage, listed in {"search": POOLS, "score": "holdout/random"}.items():
        done = command(stage, *PLACE, "dataset=../iris", f"pools={listed}", f"results_dir={tmp_path}")
        assert "dataset=../iris is not a valid name" in sentence(done, 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("given", ["protocol=kfold", "searcher=gp", "repetitions=77"])
def test_what_a_list_gives_itself_is_refused_beside_it(given):
    for stage in ("search", "score"):
        with pytest.raises(UserError, match=f"pools= and {given} are both given; give one"):
            configurations(stage, [*PLACE, f"pools={POOLS}", given], ())


@pytest.mark.parametrize(
    ("others", "kind"), [([], UserError), ([RunError("full disk")], RunError), ([UserError("no")], UserError)]
)
def test_a_list_that_is_wrong_for_its_pools_is_a_wrong_command(tmp_path, others, kind):
    problems = [UserError("nothing is left to score"), *others]
    cfgs = [{"problem": problem, "dataset": f"d{k}"} for k, problem in enumerate(problems)]

    def main(cfg):
        raise cfg["problem"]

    def job_of(cfg):
        return ScoreJob("overfitting", "toy", cfg["dataset"], "holdout", "gp", str(tmp_path))

    with pytest.raises((UserError, RunError)) as ended:
        do_each(main, job_of, cfgs)
    assert type(ended.value) is kind
    assert all(str(problem) in str(ended.value) for problem in problems)


def test_scores_that_are_there_are_kept_until_their_pools_change(command, job, results):
    scores = results / "toy/scores/overfitting/sklearn-iris/holdout/random.parquet"
    line = ("score", *PLACE, "pools=holdout/random", f"results_dir={results}")
    assert command(*line).returncode == 0
    before = scores.stat().st_mtime_ns
    assert command(*line).returncode == 0
    assert scores.stat().st_mtime_ns == before

    made = results / "toy/pools/overfitting/sklearn-iris/holdout/random"
    for name in ("rep_000.npz", "block_000-000.json"):
        (made / name).unlink()
    assert command("search", *job, "repetitions=0", f"results_dir={results}").returncode == 0  # other seconds
    assert command(*line).returncode == 0
    assert scores.stat().st_mtime_ns > before


def test_a_manifest_that_says_this_already_keeps_its_time(command, job, results):
    manifest = results / "toy/pools/overfitting/sklearn-iris/holdout/random/block_000-000.json"
    before = manifest.stat().st_mtime_ns
    assert command("search", *job, "repetitions=0", f"results_dir={results}").returncode == 0
    assert manifest.stat().st_mtime_ns == before


def test_a_list_over_data_sets_has_the_configurations_of_single_commands():
    sets = ("sklearn-iris", "sklearn-wine")
    single = [
        configure("search", [*PLACE[::2], f"dataset={name}", "protocol=holdout", "searcher=gp", "repetitions=0"])
        for name in sets
    ]
    listed = "pools=" + ",".join(f"{name}:holdout/gp/0" for name in sets)
    for more in ((), ("dataset=sklearn-iris",)):
        assert configurations("search", [*PLACE[::2], *more, listed], ()) == single
    changed = configurations("search", [*PLACE[::2], "budget=5", listed], ())
    assert [(cfg["dataset"], cfg["budget"]) for cfg in changed] == [(name, 5) for name in sets]
