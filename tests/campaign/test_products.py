"""Products by study: the artifact that is asked for must be one of its own."""

import pytest

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import artifacts
from bayes_hpo.errors import UserError


@pytest.mark.parametrize(
    ("study", "sentence"),
    [
        ("conditional", "allowed: F5_1,.* of study conditional; artifact=T3_1 is of study=overfitting$"),
        ("conditional_dual", "study=conditional_dual has no artifacts"),
        ("divbo", "allowed: T1,.* of study divbo$"),  # no study makes DivBO's T3_1
    ],
)
def test_an_artifact_of_another_study_is_refused(study, sentence):
    with pytest.raises(UserError, match=sentence):
        artifacts(Grid.of(study, "toy"), "T3_1")
