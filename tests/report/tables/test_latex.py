"""LaTeX tables compile, whatever stands in their cells."""

import shutil
import subprocess

import pandas as pd
import pytest

from bayes_hpo.report.tables import latex
from bayes_hpo.report.tables.table import Table

SPECIAL = r"a_b & 50% of $x$ #1 {y} ~z^2 \n <p> |q| --cores"


def table(n_columns, n_rows=3):
    columns = pd.MultiIndex.from_tuples([(SPECIAL[:8], f"m_{j}") for j in range(n_columns)])
    index = pd.MultiIndex.from_tuples([(f"set_{i // 2}", ("ours", "50%")[i % 2]) for i in range(n_rows)])
    return Table(pd.DataFrame("12.3 (4.5)", index=index, columns=columns), pd.DataFrame(), [])


def test_every_special_character_is_escaped():
    assert latex.escape(r"_&%$#{}") == r"\_\&\%\$\#\{\}"
    assert latex.escape("\\~^<>|") == (
        r"\textbackslash{}\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"
    )


def test_hyphens_stay_apart():
    assert latex.escape("a-b --c ---") == "a-b -{}-c -{}-{}-"


@pytest.mark.parametrize(
    ("text", "typeset"),
    [
        ("-0.5", "$-$0.5"),
        ("34.9 [-32.8, 9.6]", "34.9 [$-$32.8, 9.6]"),
        ("(-.5)", "($-$.5)"),
        ("around 10^-2.5 and 10^2", "around $10^{-2.5}$ and $10^{2}$"),
        ("5-fold, 2016-05-01, gp-r, a_-1", r"5-fold, 2016-05-01, gp-r, a\_-1"),
        ("1e-05 to 1.5", "$10^{-5}$ to 1.5"),
        ("x^2", r"x\textasciicircum{}2"),
    ],
)
def test_minus_signs_and_powers_of_ten_are_mathematics(text, typeset):
    assert latex.escape(text) == typeset


def test_the_caption_is_the_title_and_what_it_rests_on_stands_below():
    text = latex.fragment("The title", table(4), ["A long sentence."])
    assert r"\caption*{\textbf{The title.}}" in text
    assert text.index("A long sentence.") > text.index(r"\end{longtable}")


def test_a_wide_table_lies_on_its_side():
    assert "landscape" not in latex.fragment("T", table(4), []).split("\n", 1)[1]
    assert r"\begin{landscape}" in latex.fragment("T", table(14), [])


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed (texlive-latex-recommended)")
def test_tables_compile_and_fit_their_pages(tmp_path):
    fragments = [latex.fragment(SPECIAL, table(n, rows), [SPECIAL]) for n, rows in ((1, 2), (5, 4), (14, 120))]
    (tmp_path / "all.tex").write_text(latex.document(fragments))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    for _ in range(3):  # longtable needs more than one run for its widths
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout
    if shutil.which("pdftotext"):
        printed = subprocess.run(
            ["pdftotext", "all.pdf", "-"], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert "--cores" in printed.stdout
        assert "50% of $x$ #1 {y}" in printed.stdout
