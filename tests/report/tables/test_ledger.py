"""The ledger as text, LaTeX and CSV: what stands in its cells, and how its verdicts are counted."""

import numpy as np
import pandas as pd
import pytest

from bayes_hpo.report.caption import Caption
from bayes_hpo.report.page.ledger import MARGINS, claims
from bayes_hpo.report.tables.ledger import counts, ledger_table, write

ROW = {
    "claim": "A",
    "part": "hold-out",
    "document": "thesis",
    "place": "table 3.1",
    "text": "gp-r is best & first",
    "verdict": "reproduced",
    "part_verdict": "reproduced",
    "estimate": 1.186,
    "low": 0.31,
    "high": 12.07,
    "level": 0.95,
    "unit": "ranks",
    "published": 1.2,
    "published_on": "own data sets",
    "power": 0.34,
    "power_so_far": np.nan,
    "best_power": 0.9,
    "p": 0.0123,
    "p_adjusted": 0.2,
    "p_test": 0.00012,
    "tier": "secondary",
    "kind": "direction",
    "also": "",
    "interim": False,
    "part_interim": False,
    "data_sets": 118,
    "repetitions": "10 to 20",
    "verdict_without_flagged": "",
    "data_sets_without_flagged": np.nan,
    "scale": "paper",
    "core_hours": 351.9,
    "command": "snakemake --cores 64 paper_overfitting",
    "note": "",
    "limit": 0.0,
    "decided_by": "",
    **dict.fromkeys(MARGINS),
}
ABSENT = dict.fromkeys(
    ("estimate", "low", "high", "published", "power", "best_power", "p", "p_adjusted", "p_test"), np.nan
)


@pytest.fixture
def frame():
    """A ledger of two claims, the second in two parts and not run."""
    second = ROW | ABSENT | {"claim": "B", "verdict": "not run", "part_verdict": "not run", "data_sets": 0}
    return pd.DataFrame([ROW, second, second | {"part": "5-fold"}])


def test_a_row_shows_ours_beside_published(frame):
    cells = ledger_table(frame).cells
    assert list(cells.index) == [("A", "hold-out"), ("B", "hold-out"), ("B", "5-fold")]
    assert list(cells.loc[("A", "hold-out")]) == [
        "1.19 [0.31, 12.1]", "1.20", "ranks", "118 x 10 to 20", "0.01, 0.20", "< .001", "0.34, 0.90", "reproduced", "",
    ]  # fmt: skip
    assert list(cells.loc[("B", "5-fold")]) == ["-", "-", "ranks", "-", "-, -", "-", "-, -", "not run", ""]


def test_a_verdict_on_a_part_of_the_suite_says_interim(frame):
    frame.loc[0, ["interim", "part_interim"]] = True
    assert ledger_table(frame).cells["verdict"].iloc[0] == "reproduced (interim)"
    assert counts(frame) == "2 primary and secondary claims (1 of them interim): 1 reproduced, 1 not run"


def test_the_power_of_what_is_run_so_far_stands_beside_that_of_the_scale(frame):
    frame.loc[0, "power_so_far"] = 0.12
    assert ledger_table(frame).cells["power, best"].iloc[0] == "0.34 (0.12), 0.90"


def test_identities_are_counted_apart(frame):
    frame.loc[0, "kind"] = "identity"
    assert counts(frame).endswith("1 reproduced (1 of them identities), 1 not run")


def test_what_the_number_of_a_verdict_hides_is_counted(frame):
    frame.loc[0, ["verdict", "part_verdict", "published"]] = "inconclusive", "inconclusive", 12.5
    assert counts(frame).endswith("1 inconclusive (1 with an interval that excludes the published value), 1 not run")
    frame.loc[0, "published_on"] = "print"  # over other data sets
    frame.loc[1:, "verdict"] = "undecidable by design"
    assert counts(frame).endswith("1 inconclusive, 1 undecidable by design (1 of them without any run)")


def test_the_whole_claim_stands_beside_the_first_of_several_parts(frame):
    assert list(ledger_table(frame).cells["whole claim"]) == ["", "not run", ""]


def test_a_printed_size_is_marked(frame):
    frame.loc[0, "published_on"] = "print"
    assert ledger_table(frame).cells["published"].iloc[0] == "1.20 (print)"


def test_a_second_verdict_has_a_column_where_a_claim_has_one(frame):
    assert "without flagged" not in ledger_table(frame).cells
    frame.loc[0, ["verdict_without_flagged", "data_sets_without_flagged"]] = "inconclusive", 112
    made = ledger_table(frame)
    assert list(made.cells["without flagged"]) == ["inconclusive (112)", "", ""]
    assert made.notes[-1].startswith("without flagged: the same verdict without the data sets that a study flags")


def test_claims_are_counted_once(frame):
    assert counts(frame) == "2 primary and secondary claims: 1 reproduced, 1 not run"
    frame.loc[0, "tier"] = "exploratory"
    assert counts(frame) == "1 primary and secondary claims: 1 not run; 1 others: 1 reproduced"


def test_the_files_are_written_and_the_page_reads_them(frame, tmp_path, capsys):
    command = "snakemake --cores 2 tables/paper/ledger.csv"
    write(frame, "paper", tmp_path, Caption("paper", "published", command, ("Outdated: 3.",)))
    assert "Ledger: the published claims" in capsys.readouterr().out
    tex = (tmp_path / "tables/paper/ledger.tex").read_text(encoding="utf-8")
    assert r"1.19 [0.31, 12.1]" in tex
    first, second = claims(tmp_path / "tables/paper/ledger.csv", "paper", "snakemake")
    assert (first.row["verdict"], first.row["published"]) == ("reproduced", 1.2)
    assert len(second.parts) == 2
