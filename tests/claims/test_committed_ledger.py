"""The committed ledger follows the claims and the rules as they are: what needs no resamples is decided anew."""

from pathlib import Path

import pandas as pd

from bayes_hpo.claims.claim import read
from bayes_hpo.claims.verdict import INCONCLUSIVE, NOT_RUN, UNDECIDABLE, lacks

LEDGER = pd.read_csv(Path(__file__).parents[2] / "tables/small/ledger.csv")


def test_every_claim_has_its_tier_kind_and_text():
    expected = {claim.claim: (claim.tier, claim.kind, claim.text) for claim in read()}
    found = LEDGER.drop_duplicates("claim").set_index("claim")[["tier", "kind", "text"]]
    assert {name: tuple(row) for name, *row in found.itertuples()} == expected


def test_what_is_open_or_not_run_is_undecidable_where_no_scale_has_the_power():
    for row in LEDGER.itertuples():
        if row.part_verdict in (INCONCLUSIVE, NOT_RUN, UNDECIDABLE):
            left = NOT_RUN if pd.isna(row.estimate) else INCONCLUSIVE
            assert row.part_verdict == (UNDECIDABLE if lacks(row.best_power_high) else left), row.claim
