"""From the words of a row to what is compared, and the sentences for what cannot be."""

import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.part import Column, parts
from bayes_hpo.errors import UserError

RANKS = {"measure": "rank_lead", "field": "T3_5"}


@pytest.fixture
def parts_of(claim_file):
    """Function: the parts of the claim that differs from the usual one by `change`."""
    return lambda **change: parts(read(claim_file(change))[0])


def _names(part, positions):
    return [part.columns[position].method for position in positions]


def test_a_star_is_all_of_the_field_that_the_other_side_does_not_name(parts_of):
    (part,) = parts_of(**RANKS, a="gp_r", b="*")
    (side,) = part.sides
    assert _names(part, side.a) == ["gp_r"]
    assert _names(part, side.b) == ["grid", "rs", "gp", "gp_pm", "gp_pm_r"]
    assert sorted(_names(part, side.field)) == ["gp", "gp_pm", "gp_pm_r", "gp_r", "grid", "rs"]


def test_every_validation_is_a_part(parts_of):
    found = parts_of(validations="holdout kfold")
    assert [part.label for part in found] == ["hold-out", "5-fold"]
    assert [{column.validation for column in part.columns} for part in found] == [{"holdout"}, {"kfold"}]


def test_a_contrast_has_two_sides_with_opposite_signs(parts_of):
    (part,) = parts_of(validations="holdout>kfold")
    assert part.label == "hold-out > 5-fold"
    assert [side.sign for side in part.sides] == [1, -1]
    assert [part.columns[position] for side in part.sides for position in side.a] == [
        Column("overfitting", "holdout", "gp_r"),
        Column("overfitting", "kfold", "gp_r"),
    ]


def test_methods_may_name_their_validation_and_study(parts_of):
    (part,) = parts_of(a="overfitting_repaired/gp_r@holdout", b="gp@kfold", validations="across")
    assert part.columns == (
        Column("overfitting_repaired", "holdout", "gp_r"),
        Column("overfitting", "kfold", "gp"),
    )


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"a": "gp_rr"}, r"claim A: unknown method=gp_rr \(did you mean gp_r\?\); allowed: bo_bagged, "),
        ({"a": "none/gp_r"}, "unknown study=none; allowed: cifar, conditional, .*overfitting, "),
        ({"a": "gp_r@loo"}, "unknown validation=loo; allowed: holdout, kfold"),
        ({"a": "gp-r"}, r"gp-r is not of the form \[study/\]method\[@validation\]"),
        ({"validations": "loo"}, "unknown validations=loo; allowed: holdout, kfold, holdout>kfold, across"),
        ({"validations": "holdout>kfold>holdout"}, "unknown validations=holdout>kfold>holdout"),
        ({"validations": "across"}, "unknown validation=; allowed: holdout, kfold"),
        ({"measure": "rank_lead"}, "measure=rank_lead cannot be taken of these a, b and field"),
        ({"b": ""}, "measure=net_wins has no value of"),
        ({"b": "gp grid rs", "a": "gp_r cma"}, "measure=net_wins cannot be taken of"),
        ({**RANKS, "a": "cma", "b": "gp"}, "measure=rank_lead has no value of"),
        ({"field": "T3_9"}, "unknown method=T3_9"),
        ({"datasets": "german"}, r"unknown dataset=german"),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(parts_of, change, sentence):
    with pytest.raises(UserError, match=sentence):
        parts_of(**change)
