"""The way into a stage: every wrong command is one sentence and exit code 2, and nothing is written."""

import signal
import subprocess
import sys

import pytest
import yaml

import bayes_hpo
from bayes_hpo.configuration.options import options

pytestmark = pytest.mark.slow  # every test runs stages

SEARCHERS = ", ".join(options("searcher"))
PROTOCOLS = "holdout, holdout_r, holdout_sel, holdout_sel_r, kfold, kfold_r, kfold_sel, kfold_sel_r"
LONG = 300 * "a"  # a file's name has 255 letters at most
NUMBER_OR_RANGE = "is neither a number nor a range; give for example 3 or 0-4"


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("study=nope", "unknown study=nope; allowed: "),
        ("searcher=grind", f"unknown searcher=grind (did you mean grid?); allowed: {SEARCHERS}"),
        ("protocol=loo", f"unknown protocol=loo; allowed: {PROTOCOLS}"),
        ("scale=huge", "unknown scale=huge; allowed: paper, pilot, small, smoke, toy"),
        ("dataset=irs", "unknown dataset=irs"),
        ("dataset=../../iris", "dataset=../../iris is not a valid name"),
        ("dataset=/etc/passwd", "dataset=/etc/passwd is not a valid name"),
        (f"dataset={LONG}", "a letter or digit first, at most 100"),
        ("budget=0", "budget=0"),
        ("budget=-3", "budget=-3"),
        ("budget=ten", "budget: Value 'ten'"),
        ("repetitions=x", NUMBER_OR_RANGE),
        ("repetitions=4-2", NUMBER_OR_RANGE),
        ("repetitions=1.5", NUMBER_OR_RANGE),
        ("repetitions=0,2", "repetitions=0,2 is more than one value; give one, or add --multirun"),
        ("searcher=random,gp", "searcher=random,gp is more than one value; give one, or add --multirun"),
        ("+sleep=3", "+sleep=3: nothing can be added with +"),
        ("~scale", "~scale: nothing can be taken away with ~"),
        ("bugdet=9", "unknown name=bugdet (did you mean budget?); allowed: budget, dataset, "),
        ("scale.gp.samlpes=9", "unknown name=scale.gp.samlpes (did you mean scale.gp.samples?)"),
        ("scale.gp.samples=many", "scale.gp.samples: Value 'many'"),
        ("study.learner._target_=bayes_hpo.nope.Nope", "there is no module bayes_hpo.nope"),
        ("budget=[9", "budget=[9 cannot be read"),
        ("nine", "nine is not of the form name=value"),
        ("--force", "--force is not of the form name=value"),
        ("--cfg", "write --cfg job"),
    ],
)
def test_a_wrong_override_is_one_sentence(command, sentence, job, tmp_path, override, words):
    done = command("search", *job, override, f"results_dir={tmp_path}")
    assert words in sentence(done, 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("stage", "arguments", "words"),
    [
        ("search", [], "protocol must be given; allowed: holdout, "),
        ("search", ["study=overfitting", "searcher=gp", "protocol=kfold"], "dataset must be given, for example"),
        ("score", ["study=overfitting", "searcher=nope"], "unknown searcher=nope; allowed: bo, "),
        ("report", ["study=overfitting", "artifact=T9_9"], "unknown artifact=T9_9; allowed: F3_1, F3_2, "),
        ("report", ["study=nope"], "unknown study=nope; allowed: "),
        ("status", ["study=overfitting", "scale=nope"], "unknown scale=nope; allowed: paper, "),
        ("plan", ["study=overfitting", "scale=nope"], "unknown scale=nope; allowed: paper, "),
        ("clean", ["study=overfitting", "apply=maybe"], "apply: Value 'maybe'"),
        ("inspect", [], "pool must be given"),
        ("data", [], "give either dataset=NAME or suite=NAME"),
        ("data", ["suite=nope"], "unknown suite=nope; allowed: aysu39, bundled, "),
        ("data", ["dataset=irs"], "did you mean iris"),
        ("data", ["dataset=../iris"], "dataset=../iris is not a valid name"),
        ("data", ["dataset=sklearn-iris", "list=perhaps"], "list: Value 'perhaps'"),
    ],
)
def test_every_stage_names_what_is_allowed(command, sentence, tmp_path, stage, arguments, words):
    done = command(stage, *arguments, f"results_dir={tmp_path}")
    assert words in sentence(done, 2)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("stage", "arguments"),
    [
        ("data", ["dataset=long"]),
        ("data", ["dataset=mine", "data.csv=long"]),
        ("data", ["dataset=iris", "data.archive_dir=long"]),
        ("data", ["dataset=sklearn-iris", "results_dir=long"]),
        ("search", ["dataset=long"]),
        ("search", ["dataset=sklearn-iris", "results_dir=long"]),
        ("search", ["dataset=sklearn-iris", "study.learner._target_=bayes_hpo.long.Long"]),
        ("score", ["dataset=sklearn-iris", "skip=long"]),
        ("report", ["study=overfitting", "scale=toy", "artifact=long"]),
        ("report", ["study=overfitting", "scale=toy", "artifact=T3_1", "scores=long"]),
        ("status", ["study=overfitting", "scale=toy", "results_dir=long"]),
        ("inspect", ["long"]),
    ],
)
def test_a_name_that_is_too_long_for_a_file_is_one_sentence(command, sentence, job, tmp_path, stage, arguments):
    names = [argument.replace("long", LONG) for argument in arguments]
    place = [] if stage == "inspect" else [f"results_dir={tmp_path}"]
    more = [*job[:1], *job[2:]] if stage in ("search", "score") else []
    done = command(stage, *place, *more, *names)
    assert LONG in sentence(done, done.returncode)
    assert done.returncode in (1, 2)
    assert list(tmp_path.iterdir()) == []


def heed_ctrl_c():
    """Let the process of a test be stopped by Ctrl-C also where the tests run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_a_stage_that_is_stopped_while_it_imports_says_so_in_one_line(job, tmp_path):
    line = [sys.executable, "-X", "importtime", "-m", "bayes_hpo.stages.search", *job, f"results_dir={tmp_path}"]
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, preexec_fn=heed_ctrl_c)
    told = []
    for said in process.stderr:  # a line for each module that has been imported
        told.append(said)
        if "bayes_hpo.configuration.compose" in said or "omegaconf" in said:
            process.send_signal(signal.SIGINT)
            break
    told += process.stderr.readlines()
    assert process.wait(60) == 130
    assert [said for said in told if not said.startswith("import time:")] == [f"{bayes_hpo.STOPPED}\n"]


def test_ctrl_c_is_pythons_own_where_no_stage_is_run():
    code = "import signal, bayes_hpo.stages.entry; assert signal.getsignal(2) is signal.default_int_handler"
    assert subprocess.run([sys.executable, "-c", code], preexec_fn=heed_ctrl_c).returncode == 0


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_lists_groups_and_their_options(command, flag):
    done = command("search", flag)
    assert done.returncode == 0
    assert "python -m bayes_hpo.stages.search study=overfitting" in done.stdout
    assert f"protocol: {PROTOCOLS}\n" in done.stdout
    assert "repetitions: null" in done.stdout


def test_cfg_prints_the_resolved_configuration(command, job, tmp_path):
    done = command("search", *job, "budget=12", f"results_dir={tmp_path}", "--cfg", "job")
    printed = yaml.safe_load(done.stdout)
    assert (printed["budget"], printed["dataset"], printed["scale"]["name"]) == (12, "sklearn-iris", "toy")
    assert "${" not in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_a_command_outside_the_repository_says_where_it_belongs(command, sentence, job, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "run the command from the root of the repository" in sentence(command("search", *job), 2)


@pytest.mark.parametrize(("name", "arguments"), [("methods", ["gp-pm-r"]), ("plan", ["--help"])])
def test_what_only_prints_the_configuration_is_the_same_in_any_folder(command, tmp_path, monkeypatch, name, arguments):
    here = command(name, *arguments)
    (tmp_path / "conf").mkdir()  # one of somebody else
    monkeypatch.chdir(tmp_path)
    there = command(name, *arguments)
    assert (there.returncode, there.stdout) == (here.returncode, here.stdout) == (0, here.stdout)
    assert len(here.stdout.splitlines()) > 3
    assert [*tmp_path.rglob("*")] == [tmp_path / "conf"]


def test_the_package_of_another_checkout_is_refused(command, sentence, job, tmp_path, monkeypatch):
    (tmp_path / "src/bayes_hpo").mkdir(parents=True)
    (tmp_path / "conf").mkdir()
    monkeypatch.chdir(tmp_path)
    assert "run: pip install -e ." in sentence(command("search", *job), 2)


def test_info_is_hydras_and_said_once(stage, job, tmp_path):
    done = stage("search", *job, f"results_dir={tmp_path}", "--info")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Config search path" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_who_reads_may_stop_early(tmp_path):
    line = (
        f"{sys.executable} -m bayes_hpo.stages.status study=overfitting scale=smoke results_dir={tmp_path} | head -n 1"
    )
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("missing ")


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("searcher=random,nope", f"unknown searcher=nope; allowed: {SEARCHERS}"),
        ("budget=ten", "budget: Value 'ten'"),
        ("+sleep=3", "+sleep=3: nothing can be added with +"),
    ],
)
def test_a_wrong_override_in_a_sweep_is_one_sentence_too(stage, sentence, job, tmp_path, override, words):
    assert words in sentence(stage("search", *job, override, f"results_dir={tmp_path}", "--multirun"), 2)


def test_a_sweep_writes_below_results_dir_alone(stage, job, unsearched, pool):
    for name in ("search", "score"):
        done = stage(name, *job, "searcher=random,cma", f"results_dir={unsearched}", "--multirun")
        assert done.returncode == 0, done.stderr
    assert all(pool(unsearched, searcher).is_file() for searcher in ("random", "cma"))
    assert {path.stem for path in unsearched.rglob("*.parquet")} == {"random", "cma"}
    assert {path.name for path in unsearched.iterdir()} == {"data", "toy", "multirun"}


def test_a_job_does_not_import_openml(job, unsearched):
    command = [sys.executable, "-X", "importtime", "-m", "bayes_hpo.stages.search", *job, f"results_dir={unsearched}"]
    told = subprocess.run(command, capture_output=True, text=True).stderr  # of every process of the job
    imported = {line.rpartition("|")[2].strip() for line in told.splitlines() if line.startswith("import time:")}
    assert "sklearn" in imported
    assert "openml" not in imported
