"""Laws of kept configurations: equal to composed ones, composed again after a change, never a reason to fail."""

import shutil
from functools import partial

import pytest

from bayes_hpo.campaign import composed as module
from bayes_hpo.campaign.grid import GROUPS
from bayes_hpo.configuration.compose import CONF, configure, options
from bayes_hpo.storage.layout import composed_file


def _overrides(results, study="overfitting"):
    return [f"study={study}", "scale=toy", f"results_dir={results}"]


@pytest.fixture
def composed(tmp_path):
    """Function: the configuration of a study at toy scale, kept below tmp_path."""

    def compose(study="overfitting", groups=("method",)):
        return module.composed(_overrides(tmp_path, study), groups, study=study, scale="toy", results=str(tmp_path))

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


def test_other_groups_are_composed_again(composed):
    assert "selectors" not in composed()
    assert "selectors" in composed(groups=("method", "selector"))
