"""The released scores as a frame, beside which a method of one's own is set as docs/library.md says."""

import re
import shutil
from pathlib import Path

import pytest

from bayes_hpo import load_scores
from bayes_hpo.errors import RunError, UserError

ROOT = Path(__file__).parents[2]
DOCS = re.findall(r"```python\n(.*?)```", (ROOT / "docs/library.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def released(tmp_path):
    """A folder with the released scores of one small study."""
    shutil.copytree(ROOT / "released/conditional_samme", tmp_path / "released/conditional_samme")
    shutil.copy(ROOT / "released/SHA256SUMS", tmp_path / "released")
    return tmp_path / "released"


def test_scores_are_one_row_per_trial_of_a_method(released, monkeypatch, tmp_path):
    scores = load_scores("conditional_samme", "small", released)
    key = ["dataset", "repetition", "validation", "method", "iteration"]
    assert list(scores) == [*key, "final", "validation_loss", "test_error"]
    assert not scores.duplicated(key).any()
    assert scores["test_error"].between(0, 1).all()
    monkeypatch.chdir(tmp_path)
    assert load_scores("conditional_samme").equals(scores)


@pytest.mark.parametrize(
    "study", sorted({path.parts[-5] for path in (ROOT / "released").glob("*/small/*/*/*.parquet")})
)
def test_the_scores_of_every_released_study_are_read(study):
    assert len(load_scores(study, "small"))


@pytest.mark.parametrize("names", [("overfiting", "small"), ("overfitting", "paper"), ("cifar", "small")])
def test_what_was_not_released_is_named_with_what_was(names):
    with pytest.raises(UserError, match=rf"^unknown scores={' at '.join(names)} .*allowed: .*overfitting at small"):
        load_scores(*names)


def test_a_damaged_file_is_refused(released):
    next(released.rglob("*.parquet")).write_bytes(b"no scores")
    with pytest.raises(RunError, match=r"is not the file that .* lists; restore it with: git checkout"):
        load_scores("conditional_samme", "small", released)


def test_without_a_checkout_it_says_where_scores_are(tmp_path):
    with pytest.raises(UserError, match="not in the package but in a checkout of its repository; clone it and install"):
        load_scores("overfitting", "small", tmp_path / "nowhere")


@pytest.mark.slow
def test_the_page_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    first, second = DOCS
    monkeypatch.chdir(tmp_path)
    exec(first, names := {})
    assert (tmp_path / "mine.journal").is_file()
    assert len(names["result"].frame) == 10
    capsys.readouterr()
    scores = load_scores("overfitting", "small").query("final and validation == 'holdout'")
    mine = 100 * scores[scores["method"] == "gp"].groupby("dataset")["test_error"].mean() - 3
    exec(second, {"my_errors": mine})
    assert len(second.splitlines()) == 8  # five of them compare
    shown = capsys.readouterr().out.split()
    assert shown[shown.index("method") + 1] == "mine"
    assert float(shown[-1]) < 0.05
