"""The settings of the study conditional are those of thesis 5.5; its space: report/artifacts/thesis/test_t5_1.py."""

import math

import pytest
from chapter_5 import METHODS, STUDY, flat
from omegaconf import OmegaConf

from bayes_hpo.configuration.options import options
from bayes_hpo.data.registry import registry, suite
from bayes_hpo.documents import names, published
from bayes_hpo.documents.printed import Printed

SETTINGS = [  # where it stands in the composed configuration, value
    ("study.document", "thesis"),
    ("study.final", {"_target_": "bayes_hpo.scoring.refit.Refit"}),
    ("study.test_percent", 20),
    ("study.validations", ["kfold"]),
    ("study.not_comparable", ["46", "917"]),
    ("study.flagged", ["46", "184", "917", "1049", "s-sh"]),
    ("study.learner._target_", "bayes_hpo.learners.cash.Cash"),
    ("study.learner.learners.svm.max_iter", 1_000_000),  # D5.8: chapter 3's
    ("study.learner.learners.linsvm.settings.dual", "auto"),  # D5.8: today's, which moves no row
    ("study.learner.learners.adab", {"_target_": "bayes_hpo.learners.adaboost.SammeR"}),  # D5.8: likewise
    ("study.preparation", {"_target_": "bayes_hpo.data.preparation.standardised"}),  # D5.3
    ("study.evaluation", {"_target_": "bayes_hpo.evaluation.WithPredictions"}),  # chapter 4 selects from them
    ("study.time_limit", 3600.0),  # D27
    ("study.checkpoint", 5),  # D5.11
    ("study.tables", {"kfold": "T5_2"}),
    ("study.scales.paper", {"suite": "conditional24", "budget": 200, "repetitions": {"kfold": 10}}),
    ("study.scales.small", {"suite": "conditional_small", "budget": 200, "repetitions": {"kfold": 10}}),
    ("protocols.kfold.validation.folds", 5),
    ("searchers.cma_cash._target_", "bayes_hpo.search.cmaes.CMAES"),
    ("searchers.cma_cash.centre", 0.5),
    ("searchers.cma_cash.sigma", 0.3),
    ("searchers.cma_cash.offspring", int(4 + 3 * math.log(14))),  # the text's rule for 14 dimensions
    ("study.root_choice", "learner"),
    ("measures.toy_covariances.points", 100),
    ("measures.toy_covariances.partitions", 30),
]
VARIANTS = {  # study beside conditional: what of a search is not that of conditional's searcher of the same name
    "conditional_dual": {"learner.learners.linsvm.settings.dual": True},
    "conditional_samme": {
        "learner.learners.linsvm.settings.dual": True,
        "learner.learners.adab._target_": "bayes_hpo.learners.adaboost.Samme",
    },
    "conditional_lengths": {
        "learner.learners.linsvm.settings.dual": True,
        "searcher.surrogate.model.kernel.length.high": 2.0,
    },
}
SEARCHERS = {"rs": "random", "spearmint": "gp"}  # every other method has a searcher of its own name


@pytest.mark.parametrize(("place", "value"), SETTINGS, ids=lambda part: part if isinstance(part, str) else "")
def test_a_setting_has_its_value_of_the_document(setting, place, value):
    assert setting("conditional", place) == value


def test_methods_are_the_rows_of_table_5_2_in_their_order_and_printed_as_there(grid_of):
    study = grid_of("conditional").cfg["study"]
    rows = list(published.mean_errors("thesis", "T5_2")[0])
    assert [names.printed(name, study["labels"]) for name in study["methods"]] == rows
    assert [names.method(label, study["labels"]) for label in rows] == study["methods"]
    assert set(study["labels"]) == set(study["curves"]) == set(study["methods"])


@pytest.mark.parametrize("name", METHODS)
def test_a_method_selects_the_lowest_error_of_a_search_of_its_own_on_fixed_splits(name):
    expected = {
        "searcher": SEARCHERS.get(name, name),
        "splits": "fixed",
        "selection_split": False,
        "selector": "argmin",
    }
    node = OmegaConf.load(f"conf/method/{name}.yaml")
    assert {key: node[key] for key in node if key not in ("summary", "place")} == expected


def test_chapter_3s_cap_on_rows_is_not_chapter_5s(grid_of):
    cfg, rows = grid_of("conditional").cfg["study"], registry()
    assert min(cfg["training_cap"], cfg["refit_cap"]) > max(rows[name].n for name in suite("conditional24"))


def test_small_has_the_data_sets_that_decide_a_claim_beside_the_print():
    known = Printed.of(STUDY, registry()).names
    comparable = [known[name] for name in suite("conditional_small") if known[name] not in STUDY["not_comparable"]]
    assert all(comparable)
    assert len(comparable) >= 10


def test_every_column_of_table_5_2_is_a_data_set_of_the_suite():
    known = Printed.of(STUDY, registry()).names
    columns = list(published.mean_errors("thesis", "T5_2")[0].index)
    assert sorted(known[name] for name in suite("conditional24")) == sorted(columns)
    assert [label for label in known.values() if label] == list(published.cells("thesis", "T5_2")[0].index)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_differs_in_what_its_name_says_and_is_paired_with_its_searches(grid_of, name):
    variant, conditional = grid_of(name, "small"), grid_of("conditional", "small")
    assert set(variant.datasets) <= set(conditional.datasets)
    assert variant.scale_settings | {"suite": ""} == conditional.scale_settings | {"suite": ""}
    for protocol, searcher in variant.pools:
        plain = searcher.removesuffix("_length_2")
        assert (protocol, plain) in conditional.pools
        ours, theirs = flat(variant.job(protocol, searcher)), flat(conditional.job(protocol, plain))
        assert ours["owner"] == "conditional"
        assert {key: ours.get(key) for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)} == (
            VARIANTS[name]
        )
    for key in ("document", "final", "refit_cap", "checkpoint"):
        assert variant.cfg["study"][key] == conditional.cfg["study"][key]


def test_its_measures_are_there():
    assert set(STUDY["measures"]) <= set(options("measure"))
