"""What the page is told of an artifact: damage is one sentence."""

import pytest

from bayes_hpo.errors import Fault
from bayes_hpo.report import page


@pytest.mark.parametrize("content", [b"", b'{"title": "T', b"[1]", b'{"title": 1, "other": 2}', b"\xff\xfe"])
def test_a_broken_table_is_one_sentence(make_product, products, printed_rows, content):
    make_product("T3_1", printed_rows)
    (products / "tables/toy/thesis/T3_1.json").write_bytes(content)
    with pytest.raises(Fault, match=r"T3_1\.json cannot be read .*make its artifact again"):
        page.write("toy", products)
