"""The claims that the README shows, as a table of the ledger's numbers."""

from bayes_hpo.errors import UserError
from bayes_hpo.report.ledger_table import counts, interval, number, rests_on
from bayes_hpo.report.markdown import has_place, markdown, put

HEADLINES = (
    "T3-reshuffle-gp-ho",
    "T3.4-pmr-best-ho",
    "T3.4-pmr-all-ho",
    "T3.4-pm-gp-ho",
    "T3-gp-vs-rs-ho",
    "T3-reshuffle-gp-5f",
    "T2.6.1-plateau",
    "T2.6.1-smooth",
    "T2.6.2-overfit20",
    "T5.2-cond-ls-best",
)


def update(ledger, scale, page):
    """Put the table of a ledger (frame of claims.ledger) into the page (Path), when that has a place for the scale."""
    if has_place(place := f"claims {scale}", page):
        put(place, f"{table(ledger)}\n\n{counts(ledger)}.", page)


def table(ledger):
    """Lines of the table, a row for each of HEADLINES. Raises: UserError for one that the ledger does not have."""
    rows = ledger.drop_duplicates("claim").set_index("claim")
    if gone := [claim for claim in HEADLINES if claim not in rows.index]:
        raise UserError(f"the README shows the claim {gone[0]}, which is not in conf/claims.csv; mend HEADLINES")
    rows = rows.loc[list(HEADLINES)]
    cells = {
        "published": rows["published"].map(number),
        "ours, interval": [interval(row) for row in rows.itertuples()],
        "unit": rows["unit"],
        "power": rows["power"].map(number),
        "sets x repetitions": [rests_on(row) for row in rows.itertuples()],
        "verdict": rows["verdict"],
    }
    labels = [f"{row.text} ({row.document}, {row.place})" for row in rows.itertuples()]
    return markdown("claim", rows.assign(**cells)[list(cells)].set_axis(labels))
