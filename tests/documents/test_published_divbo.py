"""The printed numbers of divbo2022 that its tables, figures and captions carry are those of the paper.

By a transcription of its tables (divbo_tables.txt) and of the numbers of its text, sections 4.2, 4.3 and A.5.
"""

import re
from pathlib import Path

import pytest

from bayes_hpo.documents import catalog, published

LINES = Path(__file__).with_name("divbo_tables.txt").read_text(encoding="utf-8").splitlines()[1:]
DRAWN = catalog.document("divbo2022")["artifacts"]
LAST_RANKS = {
    "RS": 8.72,
    "BO": 7.21,
    "DivBO-": 8.22,
    "RS-ES": 4.30,
    "NES": 5.82,
    "EO": 6.65,
    "DivBO": 1.82,
}  # of figure 3
TAUS = {"quake": {"LGB": 0.65, "PRF-p": 0.26}, "wind": {"LGB": 0.58, "PRF-p": 0.19}}
METHODS = {  # of ours in a table -> what the paper calls it
    "T8": {"divbo": "DivBO", "divbo_fixed_weight": "DivBO (fixed)"},
    "T9": {"divbo": "Ensemble selection", "divbo_bagging": "Bagging", "divbo_stacking": "Stacking"},
    "T10": {"bo_es": "BO-ES (ens_size=25)", "bo_es_100": "BO-ES (ens_size=100)"},
    "T11": {"divbo": "DivBO", "rs_es": "RS-ES", "kbo_es": "kBO-ES"},
    "T12": {"divbo": "DivBO (AutoGluon)", "autogluon": "AutoGluon Tabular"},
}
CONSTANT = {"44.5"}  # error of the constant prediction on quake
DIVERSITIES = (
    "(30 runs in figure 1): about .05 for Auto-sklearn (BO-ES) and VolcanoML (RB-ES); for DivBO about .25 in the "
    "description of figure 1, .23 in 4.3"
)
PHRASES = {  # what the notes of an artifact say of the paper, white space apart; and their other decimals
    "T1": (["mean of 10 repetitions by the text, of 5 by its cells", "on pollen on 50.0 %"], CONSTANT),
    "TV1": (["mean of 10 repetitions by the text", "on pollen on 50.0 %"], CONSTANT),
    "T2": (["of 15 data sets", "give 6.9, 3.1 and 3.5 better data sets on average", "only on pollen"], CONSTANT),
    "T3": (["at the level of quake", "of 300 random configurations"], set()),
    "T4": (["of 25 has other members", "of 250", "15 data sets, 10 repetitions"], set()),
    "T5": (["4,601 rows", "multiples of 1/921, a fifth of the rows, not of 1/920",
            "on 44.5 % of quake and on 50.0 % of pollen"], set()),
    "F1": (["iteration 200 of 250", DIVERSITIES], set()),
    "F2": (["with 250 observations; the document prints no other number of figure 2"], CONSTANT),
    "F3": (["after 250 trials, ten methods on 15 data sets", "the second best, of RB-ES and BO-ES, 2.58",
            "DivBO leads from about trial 100"], CONSTANT | {f"{rank:.2f}" for rank in LAST_RANKS.values()}),
    "F4": (["1.52 to 1.54 for RB-ES and 1.67 to 2.53 for BO-ES"], CONSTANT),
    "F5": ([DIVERSITIES, "members' mean error about 44.60 % at iteration 250 for all three"], set()),
    "F7": (["ensembles of 25", "beta = .2 lowers the accuracy, .05 is advised"], set()),
    "T8": (["of .1"], CONSTANT),
}  # fmt: skip


def printed():
    """(table, data set, method) -> (mean, sd) of the transcription, and the average ranks of table 1."""
    cells, ranks, table = {}, {}, ""
    for line in LINES:
        if "|" not in line:
            table, _, names = line.partition(": ")
            datasets = names.partition(",")[0].split()
            continue
        method, *texts = line.split(" | ")
        pairs = [text.split(" ± ") for text in texts if "±" in text]
        ranks |= {method: float(texts[-1])} if len(texts) > len(pairs) else {}
        cells |= {
            (table, name, method): (float(mean), float(sd)) for name, (mean, sd) in zip(datasets, pairs, strict=True)
        }
    return cells, ranks


CELLS, RANKS = printed()


def file_of(*tables):
    rows = published.rows("divbo_tables")
    return rows[rows["table"].isin(tables)]


def notes(name):
    """The text of an artifact's title and notes."""
    draw = DRAWN[name]["draw"]
    return " ".join([DRAWN[name]["title"], *draw.get("notes", []), draw.get("note", "")])


def decimals(text):
    """The numbers of a text that have a decimal point."""
    return set(re.findall(r"(?<![\w.,/])\d*\.\d+", text))


def test_the_cells_of_the_tables_of_errors_are_the_printed_ones():
    errors = file_of("1", "8", "9", "10", "11", "12").query("metric == 'test_error_pct'")
    ours = {(row.table, row.dataset, row.method): (row.value, row.std) for row in errors.itertuples()}
    assert ours == CELLS
    assert len(CELLS) == 15 * 9 + 5 * (2 + 3 + 2 + 3 + 2)


def test_average_ranks_are_the_printed_ones():
    rows = file_of("1").query("metric == 'avg_rank'")
    assert dict(zip(rows["method"], rows["value"], strict=True)) == RANKS
    assert len(RANKS) == 9


def test_the_counts_of_table_2_are_the_printed_ones():
    rows = file_of("2")
    counts = {rival: dict(zip(of.metric, of.value, strict=True)) for rival, of in rows.groupby("method")}
    expected = {"DivBO vs RS-ES": (13, 2, 0), "DivBO vs BO-ES": (12, 1, 2), "DivBO vs RB-ES": (8, 4, 3)}
    assert counts == {rival: dict(zip("BSW", numbers, strict=True)) for rival, numbers in expected.items()}


def test_the_cells_of_tables_3_and_4_are_the_printed_ones():
    single = published.by_protocol("divbo2022", "T3")
    assert single["value"].iloc[:, 0].to_dict() == {"BO-ES": 44.03, "RB-ES": 43.85, "DivBO": 44.33}
    assert single["std"].iloc[:, 0].to_dict() == {"BO-ES": 2.58, "RB-ES": 2.49, "DivBO": 2.67}
    updates = published.by_protocol("divbo2022", "T4")["value"]
    assert updates["last 100 it"].to_dict() == {"BO-ES": 1.8, "RB-ES": 2.1, "DivBO": 3.4}
    assert updates["last 50 it"].to_dict() == {"BO-ES": 0.6, "RB-ES": 0.8, "DivBO": 1.5}
    assert DRAWN["T4"]["draw"]["windows"] == {"100": "last 100 it", "50": "last 50 it"}
    assert DRAWN["T3"]["draw"]["printed"] == {"DivBO": 88}  # percent of the random configurations


@pytest.mark.parametrize("table", METHODS)
def test_a_table_calls_our_methods_as_the_paper_does(table):
    assert DRAWN[table]["draw"]["methods"] == METHODS[table]
    assert DRAWN[table]["draw"]["table"] == table
    assert set(METHODS[table].values()) == {method for number, _, method in CELLS if number == table[1:]}


def test_figure_2_marks_the_printed_taus():
    draw = DRAWN["F2"]["draw"]
    assert draw["surrogates"] == {"lightgbm": "LGB", "xgboost": "XGB", "forest": "PRF", "performance": "PRF-p"}
    marks = {name: {draw["surrogates"][one]: tau for one, tau in of.items()} for name, of in draw["printed"].items()}
    assert marks == TAUS


def test_figure_3_marks_the_printed_ranks_and_its_caption_says_them():
    assert DRAWN["F3"]["draw"]["printed"] == LAST_RANKS
    said = re.findall(r"((?:RS|BO|RB)-ES|NES|EO|BO|RS|DivBO-?) (\d\.\d\d)", " ".join(notes("F3").split()))
    assert {name: float(rank) for name, rank in said} == LAST_RANKS
    assert len(said) == len(LAST_RANKS)
    assert sum(LAST_RANKS.values()) == pytest.approx(55 - 2.58 - 9.68)  # ranks of ten, three of them not by name


@pytest.mark.parametrize("name", PHRASES)
def test_a_caption_says_of_the_paper_what_it_prints(name):
    phrases, others = PHRASES[name]
    text = " ".join(notes(name).split())
    for phrase in phrases:
        assert phrase in text
    assert decimals(text) == others | decimals(" ".join(phrases))


def test_other_captions_have_no_decimal_but_the_error_of_the_constant_prediction():
    for name in DRAWN.keys() - PHRASES.keys():
        assert decimals(notes(name)) <= CONSTANT
