"""The claims of the README are those of the committed ledger."""

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from bayes_hpo.claims.claim import read
from bayes_hpo.report.tables.ledger import counts, headlines, update_readme


@pytest.fixture
def readme():
    """The README on one line."""
    return " ".join(Path("README.md").read_text(encoding="utf-8").split())


@pytest.fixture
def ledger():
    """The committed ledger of scale small."""
    return pd.read_csv("tables/small/ledger.csv", dtype={"repetitions": str})


def _p(row):
    """The p of a row of the ledger and its adjusted p, as the README writes them."""
    return f"p {row.p:.3f} ({row.p_adjusted:.2f} when adjusted)".replace(" 0.", " .").replace("(0.", "(.")


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


def test_the_main_finding_is_the_ledgers(readme, ledger):
    row = ledger.set_index("claim").loc["T3-reshuffle-gp-ho"]
    assert f"by {row.estimate:.1f} points, 95 % interval [{row.low:.1f}, {row.high:.1f}]" in readme
    assert f"the same data sets give {row.published:.1f}." in readme
    other = ledger.set_index("claim").loc["T3-reshuffle-gp-5f"]
    assert f"by {other.estimate:.1f} points [{other.low:.1f}, {other.high:.1f}], which is {other.verdict}" in readme
    assert f"(p {row.p:.3f}; {row.p_adjusted:.2f} when adjusted".replace(" 0.", " .") in readme
    assert f"excludes {other.published:.1f}, the difference in the thesis' cells" in readme
    assert not other.low <= other.published <= other.high
    assert ledger.set_index("claim").loc["T3-reshuffle-cma-ho", "verdict"] == "inconclusive"
    ensembles = ledger.set_index("claim").loc["U5-EO-BOpost"]
    shares = f"{ensembles.estimate:.1f} % of the sum of all ranks (published: {ensembles.published:.1f})"
    assert f"{shares}, {_p(ensembles)}" in readme
    for claim in ("T3.4-pmr-best-ho", "U5-EO-all"):
        assert ledger.set_index("claim").loc[claim, "verdict"] == "inconclusive"


def test_the_claims_that_stay_below_5_percent_are_counted(readme, ledger):
    counted = ledger[ledger["tier"].isin(["primary", "secondary"]) & (ledger["p_adjusted"] < 0.05)]
    assert "p stays below .05 for three claims, all of equality within a margin" in readme
    assert (len(counted), set(counted["kind"])) == (3, {"equality"})


def test_the_medians_are_those_of_table_3_1(readme):
    cells = pd.read_csv("tables/small/thesis/T3_1.csv").query("validation == 'holdout' and metric == 'median'")
    fixed, reshuffled, random = cells.set_index("method")["ours"][["gp", "gp_r", "rs"]]
    assert f"{fixed:.2f} with one split, {reshuffled:.2f} with new ones, {random:.2f} for random search" in readme


def test_the_main_finding_counts_the_data_sets_of_table_b_1(readme):
    errors = pd.read_csv("tables/small/thesis/TB_1.csv").pivot(index="dataset", columns="method", values="ours_mean")
    fixed, reshuffled = errors["gp"], errors["gp_r"]
    assert f"lower on {(reshuffled < fixed).sum()} of {len(errors)} data sets" in readme
    assert f"higher on {(reshuffled > fixed).sum()}." in readme
    assert f"falls from {fixed.mean():.2f} to {reshuffled.mean():.2f} %" in readme


def test_the_best_rank_is_that_of_table_3_5(readme):
    ranks = pd.read_csv("tables/small/thesis/T3_5.csv").query("metric == 'rank'").set_index("method")
    best = ranks.loc["gp_pm_r"]
    assert ranks["ours"].idxmin() == "gp_pm_r"
    published = f"(published: {best['published']:.2f}, over 118 data sets)"
    assert f"has the best mean rank: {best['ours']:.2f} {published}." in readme


def test_what_esmbo_wins_is_that_of_its_tables(readme):
    regression, classes = (pd.read_csv(f"tables/small/esmbo_uai/{name}.csv") for name in ("T2", "T3"))

    def wins(table, space, method, against):
        row = table.set_index(["space", "method", "against"]).loc[space, method, against]
        return [f"{100 * row[column]:.0f}" for column in ("frequency", "frequency_published")]

    svr, boosting, forest = regression["space"].unique()
    ours, printed = wins(regression, svr, "ESMBO", "SMBO")
    assert f"support vector regression, on {ours} % of 22 data sets (published: {printed})" in readme
    found = "gradient boosting for regression, on {} % ({})".format(*wins(regression, boosting, "ESMBO", "SMBO"))
    assert found in readme
    assert "random forests, where ESMBO wins on {} % ({})".format(*wins(regression, forest, "ESMBO", "ERS")) in readme
    assert "With boosting, ESMBO wins on {} % ({})".format(*wins(regression, boosting, "ESMBO", "ERS")) in readme
    rivals = [wins(classes, "Support Vector Machine", name, "ESMBO")[0] for name in ("ERS", "RS")]
    assert "({} and {} % of 39 data sets".format(*rivals) in readme
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


def test_what_divbo_does_is_that_of_table_1(readme):
    cells = pd.read_csv("tables/small/divbo2022/T1.csv")
    is_rank = cells["metric"] == "avg_rank"
    ours, printed = (
        cells[~is_rank].pivot(index="dataset", columns="method", values=one) for one in ("ours", "published")
    )
    rivals = [[(errors["DivBO"] < errors[name]).sum() for name in ("BO-ES", "RS-ES")] for errors in (ours, printed)]
    assert f"one of six repetitions on the {len(ours)} data sets of this scale" in readme
    assert f"DivBO with one of six repetitions on {len(ours)} data sets" in readme
    better = "than BO-ES on {} of the {} data sets, and than RS-ES on {} (published: {} and {})"
    assert better.format(rivals[0][0], len(ours), rivals[0][1], *rivals[1]) in readme
    single = (ours["DivBO"] < ours["BO"]).sum()
    assert f"DivBO's is lower than BO's on {single} of {len(ours)} data sets" in readme
    for column, start in (("ours", "Mean ranks: "), ("published", "The published cells of these data sets give ")):
        ranks = cells[is_rank].set_index("method")[column].sort_values(kind="stable")
        assert start + ", ".join(f"{name} {rank:.2f}" for name, rank in ranks.items()) + "." in readme


def test_divbos_ranks_by_validation_error_are_those_of_figure_3(readme):
    caption = " ".join(json.loads(Path("figures/small/divbo2022/F3.json").read_text(encoding="utf-8"))["caption"])
    (ranks,) = re.findall(r"After 250 trials: (.*?)\. DivBO has the lowest mean rank", caption)
    assert f"By validation error, the mean ranks are {ranks} (figure 3). DivBO leads in print too" in readme


def test_divbos_updates_are_those_of_table_4(readme):
    updates = pd.read_csv("tables/small/divbo2022/T4.csv").query("window == 'last 100 it'").set_index("method")
    (bo_es, bo_es_printed), (divbo, printed) = updates.loc[["BO-ES", "DivBO"], ["updates", "published"]].to_numpy()
    found = f"improved {bo_es:.1f} times in BO-ES and {divbo:.1f} times in DivBO"
    assert f"{found} (table 4; published: {bo_es_printed:.1f} and {printed:.1f}). This is inconclusive." in readme


def test_what_is_said_of_divbos_claims_is_the_ledgers(readme, ledger):
    rows = ledger.drop_duplicates("claim").set_index("claim").filter(regex="^D[0-9]", axis=0)
    assert set(rows.index[rows["verdict"] == "reproduced"]) == {"D3-nonens"}
    assert set(rows.loc[["D2-boes", "D2-rses", "D4t-eff100"], "verdict"]) == {"inconclusive"}
    assert set(rows.loc[["D3-valrank", "D3-cross100"], "verdict"]) == {"not run"}
    first, second = rows.loc["D2-boes"], rows.loc["D2-rses"]
    ranges = [f"[{row.low:.1f}, {row.high:.1f}]" for row in (first, second)]
    sizes = f"{first.estimate:.1f} % of the rank sum {ranges[0]} and {second.estimate:.1f} % {ranges[1]}"
    printed = f"the published sizes on these data sets, {first.published:.1f} and {second.published:.1f}"
    assert f"Whether it beats either is inconclusive: {sizes}. Both intervals exclude {printed}" in readme
    assert (rows.loc[["D2-boes", "D2-rses"], "high"] < rows.loc[["D2-boes", "D2-rses"], "published"]).all()
    power = "power is {:.2f} and {:.2f} with one repetition, {:.2f} and {:.2f} with six"
    assert power.format(first.power_so_far, second.power_so_far, first.power, second.power) in readme
    lower = "have lower validation errors than RS, BO and DivBO-, which are single models"
    assert f"{lower}. This claim is reproduced so far: {_p(rows.loc['D3-nonens'])}." in readme


def test_what_divbos_limit_cut_and_its_searches_took_are_those_of_the_released_scores(readme):
    cut, hours = {}, 0
    for searcher in ("divbo_bo", "divbo", "random"):
        files = sorted(Path("released/divbo/small").glob(f"*/holdout/{searcher}.parquet"))
        final = [pd.read_parquet(file).query("final and repetition == 0") for file in files]
        last = pd.concat([rows.drop_duplicates(["dataset", "repetition"]) for rows in final])  # methods of one search
        cut[searcher] = sum(json.loads(failures).get("timed out", 0) for failures in last["failures"])
        hours += last["seconds"].sum() / 3600
    trials = 250 * len(last)
    decisions = " ".join(Path("docs/decisions.md").read_text(encoding="utf-8").split())
    bo, divbo, random = cut.values()
    assert f"{bo} of BO's {trials:,} trials and {divbo} of DivBO's timed out, {random} of RS's" in decisions
    shares = [f"{100 * count / trials:.0f} %" for count in cut.values()]
    assert "cut {} of BO's trials, {} of DivBO's and {} of RS's.".format(*shares) in readme
    assert f"took {hours:.1f} core-hours" in readme
    assert f"the first is in and took {hours:.1f})" in Path("released/README.md").read_text(encoding="utf-8")
