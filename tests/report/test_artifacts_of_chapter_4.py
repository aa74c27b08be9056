"""Artifacts of errors of chapter 4 and of uai2016: ours are the published ones when our errors are those."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from score_rows import rows

from bayes_hpo.configuration.options import written
from bayes_hpo.documents import catalog, names, published
from bayes_hpo.documents.printed import Printed
from bayes_hpo.report import artifact
from bayes_hpo.report.figures import slots

pytestmark = pytest.mark.slow  # whole artifacts are drawn and written

STUDIES = ("ensembles_svm", "ensembles_sklearn_uai", "ensembles_sklearn")


def listed(target):
    """(study, document, name) of the artifacts of the studies that a function of bayes_hpo.report makes."""
    for study in STUDIES:
        for document, made in written("study", study)["artifacts"].items():
            for name in made:
                if catalog.document(document)["artifacts"][name]["draw"]["_target_"] == f"bayes_hpo.report.{target}":
                    yield study, document, name


TABLES = list(listed("tables.errors.rank_table"))
P_VALUES = list(listed("tables.pairs.p_value_table"))
DRAWN = [*listed("figures.mean_ranks.of_study"), *listed("figures.curves.errors_and_ranks_of")]


@pytest.fixture
def make(given, grid_of, tmp_path, capsys):
    """Function: (study, document, name) of an artifact -> (its paths, what was printed), from the printed errors."""

    def of(study, document, name):
        settings = grid_of(study).cfg["study"]
        cells = published.mean_errors(settings["document"], settings["tables"]["kfold"])[0] / 100
        labels = {method: names.printed(method, settings["labels"]) for method in settings["methods"]}
        registry = {f"our-{label}": SimpleNamespace(abbreviation=label) for label in cells.index}

        def error(_, data, method, repetition, t):
            return cells.loc[data, labels[method]] * (1 + (repetition - 0.5) / 50)

        compared = [method for method, label in labels.items() if label in cells]
        frame = rows(error, dict(zip(registry, cells.index, strict=True)), compared, validations=["kfold"])
        own = {"study": study, "methods": tuple(settings["methods"]), "printed": Printed.of(settings, registry)}
        results = given(frame.assign(study=study), dict.fromkeys(registry, ""), **own)
        paths = artifact.make(name, document=document, studies={study: results}, products_dir=tmp_path)
        return paths, " ".join(capsys.readouterr().out.split())

    return of


@pytest.mark.parametrize("place", TABLES + P_VALUES + DRAWN)
def test_the_caption_says_scale_data_sets_repetitions_and_command(place, make):
    paths, said = make(*place)
    kind, suffix = ("tables", "tex") if place in TABLES + P_VALUES else ("figures", "pdf")
    assert "toy scale: no evidence" in said
    assert "5-fold: 18 data sets, 2 repetitions." in said
    assert f"snakemake --cores 2 {kind}/toy/{place[1]}/{place[2]}.{suffix}" in said
    assert all(path.stat().st_size for path in paths)


@pytest.mark.parametrize("place", TABLES)
def test_the_printed_errors_give_the_printed_table(place, make):
    values = pd.read_csv(make(*place)[0][1])
    np.testing.assert_allclose(values["ours"], values["published"])
    np.testing.assert_allclose(values["z"].dropna(), 0, atol=1e-9)
    assert (values["metric"] == "test_error_pct").sum() == 18 * values["method"].nunique()


@pytest.mark.parametrize("place", TABLES)
def test_tables_say_where_no_exact_p_of_so_few_repetitions_is_low(place, make):
    assert "with 2 repetitions never below 0.5, so that no * would stand" in make(*place)[1]


@pytest.mark.parametrize(("study", "name"), [("ensembles_svm", "TV2"), ("ensembles_sklearn_uai", "TV4")])
def test_tables_of_variants_have_every_method_with_scores(study, name, given, grid_of):
    methods, datasets = grid_of(study).cfg["study"]["methods"], {f"set-{number}": "" for number in range(3)}
    frame = rows(lambda v, d, m, repetition, t: (1 + repetition) / 10, datasets, methods, validations=["kfold"])
    results = given(frame.assign(study=study), datasets, study=study, methods=tuple(methods))
    table = artifact.find(name, "uai2016").make({study: results})
    assert set(table.values["method"]) == set(map(results.printed.method, methods))


def test_the_figure_by_size_has_a_point_a_size_in_their_order(given):
    sizes, datasets = {"eo": 12, "eo_m3": 3, "eo_m30": 30}, {f"set-{number}": "" for number in range(3)}
    frame = rows(lambda v, d, method, r, t: sizes[method] / 100, datasets, list(sizes), validations=["kfold"])
    results = given(frame.assign(study="any"), datasets, study="any", methods=tuple(sizes))
    figure, notes = slots.by_number(results, validation="kfold", sizes=sizes, note="said")
    errors, ranked = (axis.lines[0].get_xydata() for axis in figure.axes)
    np.testing.assert_allclose(errors, [[3, 3], [12, 12], [30, 30]])
    np.testing.assert_allclose(ranked, [[3, 1], [12, 2], [30, 3]])
    assert notes[-1] == "said"


@pytest.mark.parametrize("place", P_VALUES)
def test_the_printed_errors_give_the_printed_p_values(place, make):
    values = pd.read_csv(make(*place)[0][1])
    np.testing.assert_allclose(values["p_ours"], values["p_published"])
    printed = values.dropna(subset="p_printed")
    np.testing.assert_allclose(printed["p_ours"], printed["p_printed"], atol=0.05)
    assert ((printed["p_ours"] <= 0.05) == (printed["p_printed"] <= 0.05)).all()
    assert len(printed) >= values["method"].nunique() * (values["method"].nunique() - 1) / 2


def test_every_table_and_figure_of_errors_is_here():
    assert [len(part) for part in (TABLES, P_VALUES, DRAWN)] == [6, 4, 6]
