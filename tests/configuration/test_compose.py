"""Laws of the configuration: every wrong override is one sentence that names what is allowed."""

import shutil

import pytest
import yaml
from hydra import compose, initialize_config_dir
from omegaconf import OmegaConf

from bayes_hpo.campaign.job_config import job_config
from bayes_hpo.campaign.jobs import parse_repetitions
from bayes_hpo.configuration.build import build
from bayes_hpo.configuration.compose import configure, draws, unknown
from bayes_hpo.configuration.options import CONF, options, written
from bayes_hpo.configuration.schemas import STAGES
from bayes_hpo.errors import UserError

SEARCHERS = ", ".join(options("searcher"))
SEARCH = {"study": "overfitting", "scale": "toy", "dataset": "tiny", "searcher": "gp", "protocol": "kfold"}


def _job(*changes):
    """What the search stage makes of its overrides, before any data are read."""
    cfg = configure("search", [*(f"{name}={value}" for name, value in SEARCH.items()), *changes])
    if cfg["repetitions"] is not None:
        parse_repetitions(cfg["repetitions"], 8)
    job = job_config(cfg, "overfitting")
    build(job["protocol"], "protocol")
    build(job["learner"], "study.learner")
    build(job["searcher"], "searcher", space=build(job["space"], "space"), budget=job["budget"])
    return job


def _assert_refused(override, sentence):
    with pytest.raises(UserError) as caught:
        _job(override)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("searcher=gpp", f"unknown searcher=gpp (did you mean gp?); allowed: {SEARCHERS}"),
        ("searcher=null", f"unknown searcher=null; allowed: {SEARCHERS}"),
        ("searcher=[gp,cma]", f"unknown searcher=[gp,cma]; allowed: {SEARCHERS}"),
        ("searcher=gp,cma", "searcher=gp,cma is more than one value; give one, or add --multirun"),
        ("protocol=loo", "unknown protocol=loo; allowed: holdout, holdout_r, holdout_sel, holdout_sel_r, kfold, "),
        ("study=overfiting", "unknown study=overfiting (did you mean overfitting?); allowed: "),
        ("scale=huge", "unknown scale=huge; allowed: paper, pilot, small, smoke, toy"),
        ("scale=3", "unknown scale=3; allowed: "),
        ("scale=a/b", "unknown scale=a/b; allowed: "),
        ("budget=0", "budget=0 must be at least 1"),
        ("budget=-3", "budget=-3 must be at least 1"),
        ("budget=ten", "budget: Value 'ten' of type 'str' could not be converted to Integer"),
        ("+scale.slep=3", "+scale.slep=3: nothing can be added with +"),
        ("++scale.slep=3", "++scale.slep=3: nothing can be added with +"),
        ("~scale", "~scale: nothing can be taken away with ~"),
        ("protocol.splits", "protocol.splits is not of the form name=value"),
        ("=3", "=3 is not of the form name=value"),
        ("@scale=toy", "@scale=toy is not of the form name=value"),
        ("--budget=3", "--budget=3 is not of the form name=value"),
        ("dataset=[", "dataset=[ cannot be read"),
        ("methods=gp", "methods=gp: methods are the files of conf/method; change or add one there"),
        ("searchers.gp.budget=1", "searchers.gp.budget=1: searchers are the files of conf/searcher;"),
        ("method=gp", "method is not a setting of this command; --help lists them"),
        (
            "buget=3",
            "unknown name=buget (did you mean budget?); allowed: budget, dataset, pools, protocol, repetitions, ",
        ),
    ],
)
def test_a_wrong_override_is_one_sentence(override, sentence):
    _assert_refused(override, sentence)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("budget=2.5", "budget: Value '2.5' of type 'float' could not be converted to Integer"),
        ("budget=", "budget: "),
        ("repetitions=a", "repetitions=a is neither a number nor a range; give for example 3 or 0-4"),
        ("scale.budgt=3", "unknown name=scale.budgt"),
        ("scale.budgt=3", "allowed: scale.batch_seconds, scale.block_seconds, scale.gp, scale.members, scale.name"),
        ("study.time_limit=abc", "study.time_limit: Value 'abc' of type 'str' could not be converted to Float"),
        ("study.time_limit=0", "study.time_limit=0 must be at least 0.001 and at most 1e+09"),
        ("study.test_percent=100", "study.test_percent=100 must be at least 1 and at most 99"),
        ("study.training_cap=1", "study.training_cap=1 must be at least 2 and at most 1e+09"),
        ("study.learner.max_iter=many", "study.learner.max_iter: 'many' is not of type int"),
        (
            "searcher.surrogate.hyperparameters.samples=few",
            "searcher.surrogate.hyperparameters.samples: 'few' is not of type int",
        ),
        ("searcher._target_=bayes_hpo.no", "searcher._target_: there is no bayes_hpo.no"),
        ("protocol.selection_share=2", "protocol.selection_share=2 must be at least 0 and below 1"),
        ("protocol.validation.folds=1", "validation.folds=1 must be at least 2"),
        ("names.searcher=gp", "unknown name=names"),
        ("study.methods=rs", "study.methods must be a list: write 'study.methods=[one,other]'"),
        ("results_dir=", "results_dir is empty; give a folder, or leave the override out"),
        ("results_dir=~/x", "quote the value: 'results_dir=\"~/x\"'"),
        ("dataset=${nothing}", "nothing"),
        ("dataset=null", "dataset: Incompatible value 'None'"),
    ],
)
def test_a_value_without_sense_is_one_sentence(override, sentence):
    _assert_refused(override, sentence)


@pytest.mark.parametrize("text", ["a", "4-0", "-1", "0-", "0-1-2", "0.5", "", "0,1", " 1"])
def test_malformed_repetitions_are_one_sentence(text):
    with pytest.raises(
        UserError, match=f"repetitions={text} is neither a number nor a range; give for example 3 or 0-4"
    ):
        parse_repetitions(text, 8)


@pytest.mark.parametrize("name", sorted(SEARCH.keys() - {"scale"}))
def test_what_must_be_given_is_named(name):
    with pytest.raises(UserError, match=rf"^{name} must be given"):
        configure("search", [f"{key}={value}" for key, value in SEARCH.items() if key != name])


def test_outside_the_root_the_sentence_says_where_to_go(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"no conf.search\.yaml here; run the command from the root"):
        configure("search", ["study=overfitting"])


def test_the_hint_is_the_closest_name():
    assert (
        unknown("dataset", "irs", ["wine", "iris"]) == "unknown dataset=irs (did you mean iris?); allowed: wine, iris"
    )


def test_the_configuration_is_plain_resolved_and_typed():
    cfg = configure("search", [*(f"{name}={value}" for name, value in SEARCH.items()), "budget=7"])
    assert cfg["names"] == {"study": "overfitting", "scale": "toy", "searcher": "gp", "protocol": "kfold"}
    assert cfg["budget"] == 7
    assert cfg["searcher"]["candidates"]["size"] == cfg["scale"]["gp"]["candidates"]
    assert yaml.safe_load(yaml.safe_dump(cfg)) == cfg  # nothing but dicts, lists, numbers and text


def test_the_budget_is_the_scales():
    cfg = configure("search", [f"{name}={value}" for name, value in SEARCH.items()])
    assert cfg["budget"] == cfg["study"]["scales"]["toy"]["budget"] == 9


def test_composing_writes_no_file(tmp_path, monkeypatch):
    conf = CONF.resolve()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf").symlink_to(conf)
    configure("search", [f"{name}={value}" for name, value in SEARCH.items()])
    assert [path.name for path in tmp_path.iterdir()] == ["conf"]


def test_every_option_of_a_group_can_be_had_at_once():
    cfg = configure("plan", ["study=overfitting", "scale=toy"], groups=("searcher", "selector"))
    assert sorted(cfg["searchers"]) == options("searcher")
    assert sorted(cfg["selectors"]) == options("selector")


def test_every_stage_has_its_file_its_schema_and_its_command():
    assert {path.stem for path in CONF.glob("*.yaml")} == set(STAGES)
    for stage in STAGES:
        first = (CONF / f"{stage}.yaml").read_text(encoding="utf-8").splitlines()[0]
        assert first.startswith(f"# python -m bayes_hpo.stages.{stage}")


@pytest.mark.parametrize(("text", "numbers"), [("3", [3]), ("0-4", [0, 1, 2, 3, 4]), ("7-7", [7])])
def test_repetitions_are_a_number_or_a_range(text, numbers):
    assert parse_repetitions(text, 8) == numbers


@pytest.mark.parametrize(("text", "number", "allowed"), [("8", 8, "0 to 7"), ("0-99", 8, "0 to 7"), ("1", 1, "0")])
def test_repetitions_beyond_the_scale_are_one_sentence(text, number, allowed):
    with pytest.raises(UserError, match=rf"^repetitions={text} goes beyond the scale; allowed: {allowed} \("):
        parse_repetitions(text, number)


@pytest.fixture
def method_file(tmp_path, monkeypatch):
    """Function: write a method file of a copy of conf, in whose root the test runs."""
    shutil.copytree(CONF, tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    return (tmp_path / "conf/method/zzz.yaml").write_text


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "searcher: gp\nsplits: fixed\nselection_split: perhaps\nselector: argmin\n",
            "selection_split: Value 'perhaps'",
        ),
        (
            "searcher: gp\nsplits: fixed\nselector: argmin\n",
            "conf/method/zzz.yaml lacks selection_split; it needs searcher",
        ),
        ("searcher: gp\nsplit: fixed\n", "method zzz"),
        ("searcher: [gp\nsplits: fixed\n", r"zzz\.yaml.* line 2.* mend that file"),
    ],
    ids=["wrong type", "missing", "unknown", "no YAML"],
)
def test_a_wrong_method_file_is_one_sentence(method_file, text, sentence):
    method_file(text)
    with pytest.raises(UserError, match=sentence) as caught:
        configure("plan", ["study=overfitting", "scale=toy"], groups=("method",))
    assert "\n" not in str(caught.value)


def test_a_scale_that_the_study_lacks_is_named():
    names = ["study=conditional", "scale=pilot", "protocol=kfold", "searcher=gp_cond", "dataset=any"]
    with pytest.raises(UserError, match="the study has no scale pilot; its file in conf/study says which it has"):
        configure("search", names)


@pytest.fixture
def study_file(tmp_path, monkeypatch):
    """Function: write conf/study/NAME.yaml in a copy of conf."""
    shutil.copytree(CONF, tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    return lambda name, text: (tmp_path / f"conf/study/{name}.yaml").write_text(text)


def test_a_study_written_as_a_difference_from_another_one_is_that_one_with_it(study_file):
    study_file("heir", "defaults:\n  - conditional_dual\n  - _self_\nbudget_note: 7\n")
    base, heir = written("study", "conditional_dual"), written("study", "heir")
    assert {key: value for key, value in heir.items() if key != "defaults"} == {
        key: value for key, value in (base | {"budget_note": 7}).items() if key != "defaults"
    }
    assert draws({"pools": "heir"}, "user") == "conditional"  # whose seeds conditional_dual has


def test_studies_that_name_each_other_as_owners_are_one_sentence(study_file):
    study_file("one", "defaults:\n  - overfitting\n  - _self_\nseeds: other\n")
    study_file("other", "defaults:\n  - overfitting\n  - _self_\nseeds: one\n")
    with pytest.raises(UserError, match="the pools or seeds of the studies one, other lead in a circle"):
        draws(written("study", "one"), "one")


@pytest.mark.parametrize("group", sorted(path.name for path in CONF.iterdir() if path.is_dir()))
def test_what_is_written_is_what_hydra_composes(group):
    with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
        for name in options(group):
            composed = compose(overrides=[f"+{group}@option={name}"]).get("option", {})
            assert written(group, name) == OmegaConf.to_container(composed)
