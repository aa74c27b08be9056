"""Table 2 of divbo2022: counts of better, same and worse data sets against SciPy, and what its caption says."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from score_rows import rows

from bayes_hpo.documents.printed import Printed
from bayes_hpo.report.tables.better_worse import counts_table

METHODS = ("divbo", "rs_es", "bo_es", "rb_es")
LABELS = {"divbo": "DivBO", "rs_es": "RS-ES", "bo_es": "BO-ES", "rb_es": "RB-ES"}
SETS = {f"set-{number}": f"set-{number}" for number in range(12)}
RUNS = np.random.default_rng(3).integers(0, 12, (12, 4, 10)) / 40  # set, method, repetition: with ties and zeros
RUNS[:4, 1:] += 0.25  # DivBO is the best on four, the worst on three
RUNS[4:7, 0] += 0.25
PRINTED = {"better": [13, 12, 8], "same": [2, 1, 4], "worse": [0, 2, 3]}


def drawn(validation, name, method, repetition, iteration):
    return float(RUNS[int(name[4:]), METHODS.index(method), repetition])


@pytest.fixture
def table(given):
    """Function: the table of some methods with scores in some repetitions."""

    def make(methods=METHODS, repetitions=range(10)):
        scores = rows(drawn, SETS, methods, repetitions, iterations=(250,), validations=("holdout",))
        results = given(scores, SETS, methods=METHODS)
        printed = Printed(labels=LABELS, names={name: f"printed {name}" for name in SETS})
        results = replace(results, printed=printed, repetitions={"holdout": 10})
        which = {"validation": "holdout", "method": "divbo", "rivals": list(METHODS[1:]), "document": "divbo2022"}
        return counts_table(results, **which, table="T2", note="A note.")

    return make


def judged(ours, theirs):
    """The judgement of one data set by SciPy's test."""
    p = stats.wilcoxon(ours, theirs, correction=False, method="asymptotic", zero_method="wilcox").pvalue
    gain = np.mean(theirs) - np.mean(ours)
    return "same" if p > 0.05 or abs(gain) < 1e-12 else "better" if gain > 0 else "worse"


def test_the_counts_are_those_of_scipy_s_test_on_every_data_set(table):
    cells = table().cells
    for place, rival in enumerate(METHODS[1:], start=1):
        expected = [judged(runs[0], runs[place]) for runs in RUNS]
        found = cells.loc[f"DivBO vs {LABELS[rival]}"]
        assert [int(found[name, "ours"]) for name in PRINTED] == [expected.count(name) for name in PRINTED]
        assert {*expected} == {"better", "same", "worse"}
        lower = sum(runs[0].mean() < runs[place].mean() - 1e-12 for runs in RUNS)
        assert found["lower mean", "ours"] == f"{lower} of 12"


def test_the_printed_counts_stand_beside_ours(table):
    cells = table().cells
    assert {name: cells[name, "publ."].astype(int).tolist() for name in PRINTED} == PRINTED


def test_the_file_has_every_p(table):
    values = table().values
    assert len(values) == 3 * 12
    assert values["p"].between(0, 1).all()
    assert (values["p_exact"] >= 2**-9).all()  # ten repetitions


def test_the_file_has_the_documents_names(table):
    values = table().values
    assert set(values["dataset"]) == {f"printed {name}" for name in SETS}
    assert (set(values["method"]), set(values["against"])) == ({"DivBO"}, {"RS-ES", "BO-ES", "RB-ES"})


def test_a_rival_without_scores_has_a_row_without_counts(table):
    made = table(methods=("divbo", "bo_es"))
    assert made.cells.loc["DivBO vs RS-ES"]["better", "ours"] == "-"
    assert made.cells.loc["DivBO vs BO-ES"]["better", "ours"] != "-"
    assert "RS-ES" not in made.notes[0]


def test_it_says_on_how_much_of_the_scale_each_pair_rests(table):
    whole, few = (table(repetitions=range(number)).notes[0] for number in (10, 3))
    assert whole.startswith(
        "DivBO vs RS-ES: 12 data sets, 10 repetitions; DivBO vs BO-ES: 12 data sets, 10 repetitions; "
    )
    assert few.startswith("DivBO vs RS-ES: 12 data sets, 3 of 10 repetitions; ")


def test_it_says_when_so_few_repetitions_can_decide_nothing(table):
    assert "With 3 repetitions no p is below 0.11." in table(repetitions=range(3)).notes
    assert not [note for note in table().notes if "no p is below" in note]
    assert set(table(repetitions=range(3)).values["judgement"]) == {"same"}
