"""The claims that the README shows, as a table of the ledger's numbers: the primary ones and what did not reproduce."""

import numpy as np

from bayes_hpo.documents.names import COUNTED, VERDICTS
from bayes_hpo.report.tables.ledger import INTERIM, counts, interval, level, number, rests_on
from bayes_hpo.report.tables.markdown import has_place, markdown, put

SHOWN = VERDICTS[1:4]  # smaller or larger than published, not reproduced: of claims that count


def update(ledger, scale, page):
    """Put the table of a ledger (frame of claims.ledger) into the page (Path), when that has a place for the scale."""
    if has_place(place := f"claims {scale}", page):
        put(place, f"{table(ledger)}\n\n{counts(ledger)}.", page)


def table(ledger):
    """Lines of the table: a row for each primary claim and for each that counts and did not reproduce.

    Of several parts the one that the verdict is of, the weakest.
    """
    rows = ledger[ledger["part_verdict"] == ledger["verdict"]].drop_duplicates("claim")
    several = rows["claim"].isin(ledger.loc[ledger["claim"].duplicated(), "claim"])
    rows = rows.assign(which=np.where(several, "; " + rows["part"], "")).set_index("claim")
    rows = rows[(rows["tier"] == "primary") | (rows["tier"].isin(COUNTED) & rows["verdict"].isin(SHOWN))]
    cells = {
        "ours, interval": [interval(row) for row in rows.itertuples()],
        "published": rows["published"].map(number),
        "unit": rows["unit"],
        "sets x repetitions": [rests_on(row) for row in rows.itertuples()],
        "p, adjusted": [f"{level(row.p)}, {level(row.p_adjusted)}" for row in rows.itertuples()],
        "power": rows["power"].map(number),
        "verdict": [row.verdict + (INTERIM if row.interim else "") for row in rows.itertuples()],
    }
    labels = [
        f"{row.text} ({row.document}, {row.place}{row.which}{'' if row.tier == 'secondary' else '; primary'})"
        for row in rows.itertuples()
    ]
    return markdown("claim", rows.assign(**cells)[list(cells)].set_axis(labels))
