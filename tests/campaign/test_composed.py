"""Laws of kept configurations: equal to composed ones, composed again after a change, never a reason to fail."""

import copy
import os
import shutil
from functools import partial

import pytest

from bayes_hpo.campaign import composed as module
from bayes_hpo.campaign.grid import GROUPS
from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.options import CONF, options
from bayes_hpo.errors import UserError
from bayes_hpo.storage.layout import composed_file


def _overrides(results, study="overfitting"):
    return [f"study={study}", "scale=toy", f"results_dir={results}"]


@pytest.fixture
def composed(tmp_path):
    """Function: the configuration of a study at toy scale, kept below tmp_path, as a new process finds it."""

    def compose(study="overfitting", groups=("method",)):
        module.compose_once.cache_clear()
        return module.composed(study, "toy", str(tmp_path), groups)

    return compose


@pytest.fixture
def kept_file(tmp_path):
    return partial(composed_file, "toy", results=str(tmp_path))


@pytest.mark.parametrize("study", [pytest.param(name, marks=pytest.mark.slow) for name in options("study")])
def test_kept_and_composed_configurations_are_equal(composed, tmp_path, monkeypatch, study):
    first = composed(study, GROUPS)
    assert first == configure("plan", _overrides(tmp_path, study), GROUPS)
    monkeypatch.setattr(module, "configure", lambda *_: pytest.fail("composed again"))
    assert composed(study, GROUPS) == first


def test_one_process_composes_once_for_all_results(composed, tmp_path, monkeypatch):
    first = copy.deepcopy(composed())
    monkeypatch.setattr(module, "configure", lambda *_: pytest.fail("composed again"))
    other = module.composed("overfitting", "toy", str(tmp_path / "other"), ("method",))
    assert other == first | {"results_dir": str(tmp_path / "other"), "overrides": _overrides(tmp_path / "other")}
    other["methods"]["gp"]["searcher"] = "changed by its user"
    assert module.composed("overfitting", "toy", str(tmp_path / "third"), ("method",))["methods"] == first["methods"]


def test_in_a_copy_of_the_checkout_what_was_kept_counts(composed, tmp_path, monkeypatch):
    first = composed()
    schemas = shutil.copytree(os.path.dirname(module.configuration.__file__), tmp_path / "configuration")
    monkeypatch.setattr(module.configuration, "__file__", str(schemas / "__init__.py"))
    monkeypatch.setattr(module, "configure", lambda *_: pytest.fail("composed again"))
    assert composed() == first
    (schemas / "schemas.py").write_text("changed")
    monkeypatch.setattr(module, "configure", lambda *_: {"composed": "again"})
    assert composed()["composed"] == "again"


def test_an_empty_results_dir_is_refused_whatever_was_composed_before(composed):
    composed()
    with pytest.raises(UserError, match="results_dir is empty"):
        module.composed("overfitting", "toy", "", ("method",))


def test_a_changed_file_of_conf_is_composed_again(composed, tmp_path, monkeypatch):
    shutil.copytree(CONF, tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    before = composed()
    method = tmp_path / "conf" / "method" / "gp.yaml"
    method.write_text(method.read_text().replace("searcher: gp", "searcher: cma"))
    assert before["methods"]["gp"]["searcher"] == "gp"
    assert composed()["methods"]["gp"]["searcher"] == "cma"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"key": 1}'])
def test_a_damaged_file_is_composed_again(composed, kept_file, content):
    before = composed()
    with open(kept_file("overfitting"), "w", encoding="utf-8") as stream:
        stream.write(content)
    assert composed() == before


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(composed, tmp_path):
    (tmp_path / "toy").write_text("a file in the place of the folder")
    assert composed()["names"]["study"] == "overfitting"


def test_a_configuration_that_json_changes_is_not_kept(composed, kept_file, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "configure", lambda *_: {"weights": {2: 1.0}})
    own = {"results_dir": str(tmp_path), "overrides": _overrides(tmp_path)}
    assert composed() == composed() == {"weights": {2: 1.0}} | own
    assert not os.path.exists(kept_file("overfitting"))


def test_what_depends_on_the_environment_is_not_kept(composed, kept_file, tmp_path, monkeypatch):
    shutil.copytree(CONF, tmp_path / "conf")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "conf/method/mine.yaml").write_text(
        "place: ${oc.env:HOME}\n" + (CONF / "method/gp.yaml").read_text().replace("place:", "was:")
    )
    monkeypatch.setattr(module, "configure", lambda *_: {})
    composed()
    assert not os.path.exists(kept_file("overfitting"))


def test_another_scale_version_or_schema_is_composed_again(composed, tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(module, "configure", lambda *given: made.append(given) or {})
    composed(), composed()
    assert len(made) == 1
    monkeypatch.setattr(module.importlib.metadata, "version", lambda name: "0")
    composed()
    monkeypatch.setattr(module, "_texts", lambda: {"schemas.py": "changed"})
    composed()
    assert len(made) == 3


def test_other_groups_are_composed_again(composed):
    assert "selectors" not in composed()
    assert "selectors" in composed(groups=("method", "selector"))
