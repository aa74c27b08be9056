"""What a scale runs of a study: something, and not too much."""

import re

import pytest

from bayes_hpo.campaign.scale_settings import scale_settings
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import UserError


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("study.methods=[]", "study.methods is empty; give at least one"),
        ("study.validations=[]", "study.validations is empty; give at least one"),
        ("scale.block_seconds=0", "scale.block_seconds=0 must be above 0"),
        ("study.scales.toy.budget=0", "study.scales.toy.budget=0 must be at least 1"),
        ("study.scales.toy.repetitions.kfold=0", "repetitions.kfold=0 must be at least 1 and at most 1000"),
        ("study.scales.toy.repetitions.kfold=2000", "repetitions.kfold=2000 must be at least 1 and at most 1000"),
    ],
)
def test_a_study_with_nothing_to_run_or_too_much_is_told(override, words):
    with pytest.raises(UserError, match=re.escape(words)):
        scale_settings(configure("plan", ["study=overfitting", "scale=toy", override]))
