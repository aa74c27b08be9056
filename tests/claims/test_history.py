"""docs/claims.md says of every claim when it was frozen: a claim that is changed must be told there."""

import pandas as pd

from bayes_hpo.claims.claim import read
from benchmarks.claims_history import DECIDING, PAGE, digest


def _rows():
    """The cells of each row of the page's table: dict, claim -> list of texts."""
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][2:]
    return {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)}


def test_every_claim_is_there_as_it_was_frozen():
    expected = {claim.claim: (claim.tier, digest(claim)) for claim in read()}
    assert {name: (cells[0], cells[-1]) for name, cells in _rows().items()} == expected


def test_what_decides_a_claim_changes_its_digest(claim_file):
    plain = digest(read(claim_file({}))[0])
    others = [{"measure": "signed_ranks"}, {"limit": "1"}, {"a": "cma"}, {"repetitions": "10"}, {"datasets": "pima"}]
    assert plain not in {digest(read(claim_file(change))[0]) for change in others}
    assert digest(read(claim_file({"text": "other words", "note": "a note"}))[0]) == plain
    assert set(DECIDING) >= {key for change in others for key in change}


def test_a_claim_with_an_estimate_in_the_committed_ledger_has_its_first_data():
    estimated = pd.read_csv("tables/small/ledger.csv").dropna(subset="estimate")["claim"]
    assert not [name for name in set(estimated) if _rows()[name][3] == "none yet"]


def test_what_decides_a_verdict_and_was_changed_after_data_makes_a_claim_exploratory():
    for name, (tier, _, _, first, changed, _) in _rows().items():
        assert not (changed and first == "none yet"), name
        what = {word for one in changed.split("; ") for word in one.split(" (")[0].split(", ")}
        assert not what - {"", "repetitions"} or tier in ("exploratory", "ours"), name
