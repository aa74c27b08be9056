"""The claims of the README are those of the committed ledger."""

import json
from pathlib import Path

import pandas as pd
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.report.tables.ledger import counts, headlines, update_readme


@pytest.fixture
def ledger():
    """The committed ledger of scale small."""
    return pd.read_csv("tables/small/ledger.csv", dtype={"repetitions": str})


def test_the_primary_claims_and_those_that_count_and_did_not_reproduce_are_shown(ledger):
    rows, shown = headlines(ledger).splitlines(), ledger.drop_duplicates("claim").set_index("claim")
    shown = shown[[any(row.startswith(f"| {text} (") for row in rows) for text in shown["text"]]]
    assert {claim.claim for claim in read() if claim.tier == "primary"} <= set(shown.index)
    assert set(shown["tier"]) <= {"primary", "secondary"}
    assert set(shown.loc[shown["tier"] == "secondary", "verdict"]) <= {"not reproduced", "smaller than published"}
    bad = ledger[(ledger["verdict"] == "not reproduced") & ledger["tier"].isin(["primary", "secondary"])]
    assert set(bad["claim"]) <= set(shown.index)


def test_the_readme_shows_what_the_ledger_says(ledger):
    with open("README.md", encoding="utf-8") as page:
        text = page.read()
    assert f"<!-- claims small -->\n{headlines(ledger)}\n\n{counts(ledger)}.\n<!-- end -->" in text


def test_the_main_finding_is_the_ledgers(ledger):
    row = ledger.set_index("claim").loc["T3-reshuffle-gp-ho"]
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    assert f"by {row.estimate:.1f} points, 95 % interval [{row.low:.1f}, {row.high:.1f}]" in text
    assert f"the same data sets give {row.published:.1f}." in text
    other = ledger.set_index("claim").loc["T3-reshuffle-gp-5f"]
    assert f"by {other.estimate:.1f} points [{other.low:.1f}, {other.high:.1f}], which is {other.verdict}" in text
    assert f"(p {row.p:.3f}; {row.p_adjusted:.2f} when adjusted".replace(" 0.", " .") in text
    assert f"excludes {other.published:.1f}, the difference in the thesis' cells" in text
    assert not other.low <= other.published <= other.high
    assert ledger.set_index("claim").loc["T3-reshuffle-cma-ho", "verdict"] == "inconclusive"
    ensembles = ledger.set_index("claim").loc["U5-EO-BOpost"]
    shares = f"{ensembles.estimate:.1f} % of the sum of all ranks (published: {ensembles.published:.1f})"
    found = f"{shares}, p {ensembles.p:.3f}"
    assert f"{found} ({ensembles.p_adjusted:.2f} when adjusted)".replace("p 0.", "p .").replace("(0.", "(.") in text
    for claim in ("T3.4-pmr-best-ho", "U5-EO-all"):
        assert ledger.set_index("claim").loc[claim, "verdict"] == "inconclusive"


def test_the_claims_that_stay_below_5_percent_are_counted(ledger):
    counted = ledger[ledger["tier"].isin(["primary", "secondary"]) & (ledger["p_adjusted"] < 0.05)]
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    assert "p stays below .05 for three claims, all of equality within a margin" in text
    assert (len(counted), set(counted["kind"])) == (3, {"equality"})


def test_the_medians_are_those_of_table_3_1():
    cells = pd.read_csv("tables/small/thesis/T3_1.csv").query("validation == 'holdout' and metric == 'median'")
    fixed, reshuffled, random = cells.set_index("method")["ours"][["gp", "gp_r", "rs"]]
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    assert f"{fixed:.2f} with one split, {reshuffled:.2f} with new ones, {random:.2f} for random search" in text


def test_the_main_finding_counts_the_data_sets_of_table_b_1():
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    errors = pd.read_csv("tables/small/thesis/TB_1.csv").pivot(index="dataset", columns="method", values="ours_mean")
    fixed, reshuffled = errors["gp"], errors["gp_r"]
    assert f"lower on {(reshuffled < fixed).sum()} of {len(errors)} data sets" in text
    assert f"higher on {(reshuffled > fixed).sum()}." in text
    assert f"falls from {fixed.mean():.2f} to {reshuffled.mean():.2f} %" in text


def test_the_best_rank_is_that_of_table_3_5():
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    ranks = pd.read_csv("tables/small/thesis/T3_5.csv").query("metric == 'rank'").set_index("method")
    best = ranks.loc["gp_pm_r"]
    assert ranks["ours"].idxmin() == "gp_pm_r"
    published = f"(published: {best['published']:.2f}, over 118 data sets)"
    assert f"has the best mean rank: {best['ours']:.2f} {published}." in text


def test_what_esmbo_wins_is_that_of_its_tables():
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    regression, classes = (pd.read_csv(f"tables/small/esmbo_uai/{name}.csv") for name in ("T2", "T3"))

    def wins(table, space, method, against):
        row = table.set_index(["space", "method", "against"]).loc[space, method, against]
        return [f"{100 * row[column]:.0f}" for column in ("frequency", "frequency_published")]

    svr, boosting, forest = regression["space"].unique()
    ours, printed = wins(regression, svr, "ESMBO", "SMBO")
    assert f"support vector regression, on {ours} % of 22 data sets (published: {printed})" in text
    assert "gradient boosting for regression, on {} % ({})".format(*wins(regression, boosting, "ESMBO", "SMBO")) in text
    assert "random forests, where ESMBO wins on {} % ({})".format(*wins(regression, forest, "ESMBO", "ERS")) in text
    assert "With boosting, ESMBO wins on {} % ({})".format(*wins(regression, boosting, "ESMBO", "ERS")) in text
    rivals = [wins(classes, "Support Vector Machine", name, "ESMBO")[0] for name in ("ERS", "RS")]
    assert "({} and {} % of 39 data sets".format(*rivals) in text
    ranks = (
        classes.drop_duplicates(["space", "method"]).pivot(index="space", columns="method", values="rank").rank(axis=1)
    )
    assert (ranks["ERS"] == 1).all()
    assert (ranks["ESMBO"] == 3).all()


def test_a_row_is_what_was_found_beside_what_was_published(ledger):
    row = next(line for line in headlines(ledger).splitlines() if "Reshuffling improves GP with hold-out" in line)
    found = ledger.set_index("claim").loc["T3-reshuffle-gp-ho"]
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[0] == "Reshuffling improves GP with hold-out (thesis, 3.3.2, table 3.2; primary)"
    assert cells[1:5] == [
        f"{found['estimate']:.1f} [{found['low']:.1f}, {found['high']:.1f}]",
        f"{found['published']:.1f}",
        "% of data sets",
        f"{found['data_sets']} x {found['repetitions']}",
    ]
    assert cells[-1] == found["verdict"]


def test_of_several_parts_the_one_that_the_verdict_is_of_is_shown(ledger):
    both = ledger[ledger["claim"] == "T3-grid-vs-rs"].copy()
    both["verdict"], both["part_verdict"] = "not reproduced", ["reproduced", "not reproduced"]
    both["estimate"], both["low"], both["high"] = [1.0, 2.0], [0.0, 1.5], [3.0, 2.5]
    (row,) = headlines(both).splitlines()[2:]
    assert "; 5-fold)" in row
    assert "2.00 [1.50, 2.50]" in row


def test_only_the_place_of_the_scale_is_filled(ledger, tmp_path):
    page = tmp_path / "README.md"
    update_readme(ledger, "small", page)
    assert not page.exists()
    page.write_text("<!-- claims small -->\nnothing yet\n<!-- end -->\n")
    update_readme(ledger, "paper", page)
    assert "nothing yet" in page.read_text()
    update_readme(ledger, "small", page)
    assert "nothing yet" not in page.read_text()


def test_what_divbo_does_is_that_of_table_1():
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    cells = pd.read_csv("tables/small/divbo2022/T1.csv")
    is_rank = cells["metric"] == "avg_rank"
    errors = cells[~is_rank].pivot(index="dataset", columns="method", values=["ours", "published"])
    better = {(whose, rival): (errors[whose]["DivBO"] < errors[whose][rival]).sum() for whose, rival in errors}
    assert f"one of six repetitions on the {len(errors)} data sets of this scale" in text
    assert f"DivBO with one of six repetitions on {len(errors)} data sets" in text
    ours = f"than BO-ES on {better['ours', 'BO-ES']} of the {len(errors)} data sets, and than RS-ES on "
    printed = f"(published: {better['published', 'BO-ES']} and {better['published', 'RS-ES']})"
    assert f"{ours}{better['ours', 'RS-ES']} {printed}" in text
    for column, start in (("ours", "Mean ranks: "), ("published", "The published cells of these data sets give ")):
        ranks = cells[is_rank].set_index("method")[column].sort_values(kind="stable")
        assert start + ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items()) + "." in text


def test_divbo_leads_by_validation_error_where_the_readme_says_so():
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    caption = " ".join(json.loads(Path("figures/small/divbo2022/F3.json").read_text(encoding="utf-8"))["caption"])
    leads = "After 250 trials: DivBO " in caption
    assert ("By validation error, DivBO has the lowest mean rank of the six methods" in text) == leads
    assert not leads or "; 6 methods are compared." in caption


def test_what_divbo_decides_is_the_ledgers(ledger):
    text = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    rows = ledger.drop_duplicates("claim").set_index("claim").filter(regex="^D[0-9]", axis=0)
    assert set(rows.index[rows["verdict"] == "reproduced"]) == {"D3-nonens"}
    row = rows.loc["D3-nonens"]
    found = f"p {row.p:.3f} ({row.p_adjusted:.2f} when adjusted)".replace("p 0.", "p .").replace("(0.", "(.")
    assert f"this claim is reproduced so far, {found}." in text
    assert {"inconclusive"} == set(rows.loc[["D2-boes", "D2-rses"], "verdict"])
