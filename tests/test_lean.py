"""Laws of the lean imports: what is left out can be imported afterwards, what is loaded stays."""

import subprocess
import sys

import pytest

from bayes_hpo.lean import without


def test_a_module_is_hidden_inside_and_whole_outside():
    sys.modules.pop("colorsys", None)
    with without("colorsys"), pytest.raises(ImportError):
        import colorsys
    import colorsys

    assert colorsys.rgb_to_hsv(0, 0, 0) == (0, 0, 0)


def test_a_loaded_module_stays():
    with without("sys"):
        import sys as again
    assert again is sys


@pytest.mark.slow
@pytest.mark.parametrize("learner", ["rbf_svm", "cash"])
def test_a_learner_loads_no_pandas_and_hinders_none(learner):
    code = (
        f"import sys, bayes_hpo.learners.{learner}; assert 'pandas' not in sys.modules; "
        "import pandas; pandas.DataFrame()"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
