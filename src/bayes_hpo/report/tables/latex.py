"""Tables as escaped LaTeX (booktabs, longtable), with notes below."""

import re

from bayes_hpo.report.tables.text import levels, runs

PACKAGES = r"\usepackage{booktabs,longtable,pdflscape}"
PREAMBLE = rf"""\documentclass[a4paper]{{article}}
\usepackage[margin=2cm]{{geometry}}
{PACKAGES}
\pdfinfoomitdate=1 \pdftrailerid{{}} \pdfsuppressptexinfo=-1
\begin{{document}}
"""
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
MATHEMATICS = re.compile(r"\b(?:10\^|1e)(?P<power>-?\d+(?:\.\d+)?)|(?<![\w.,-])-(?=\.?\d)")  # powers of ten, minus
UPRIGHT, LANDSCAPE = 480, 725  # line width, points
# Font size, points per character, points between columns, line width in points; the first that fits is used.
LAYOUTS = [
    ("small", 4.7, 10, UPRIGHT),
    ("footnotesize", 4.3, 8, UPRIGHT),
    ("scriptsize", 3.6, 8, UPRIGHT),
    ("scriptsize", 3.4, 5, LANDSCAPE),
    ("tiny", 2.9, 4, LANDSCAPE),
]


def escape(text: str) -> str:
    """The text escaped for LaTeX, so that, for example, two hyphens do not become a dash.

    Minus signs before numbers, and powers of ten such as 10^-2.5 or 1e-05, are set as mathematics.
    """
    pieces, end = [], 0
    for match in MATHEMATICS.finditer(text):
        power = match["power"]
        pieces += [_plain(text[end : match.start()]), f"$10^{{{float(power):g}}}$" if power else "$-$"]
        end = match.end()
    return "".join([*pieces, _plain(text[end:])])


def _plain(text):
    """`escape` of a text without mathematics."""
    return re.sub("-(?=-)", "-{}", "".join(SPECIAL.get(character, character) for character in text))


def fragment(title: str, table, sentences: list[str]) -> str:
    r"""A longtable for \input in a document that loads PACKAGES; on landscape pages if it is wide.

    The caption contains the title; the sentences become notes below the table.
    """
    size, gap, wide = _layout(table.cells)
    rows = levels(table.cells.index)
    columns = "l" * len(rows[0]) + _columns(table.cells.columns)
    head = _head(table.cells)
    lines = [
        rf"% Needs \{PACKAGES[1:]}.",
        *([r"\begin{landscape}"] if wide else []),
        rf"\begingroup\{size}\setlength{{\tabcolsep}}{{{gap / 2:g}pt}}\setlength{{\LTcapwidth}}{{\linewidth}}",
        r"\setlength{\LTpost}{4pt}",
        rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
        rf"\caption*{{\textbf{{{escape(title)}.}}}}\\",
        *[r"\toprule", *head, r"\midrule", r"\endfirsthead"],
        *[r"\toprule", *head, r"\midrule", r"\endhead"],
        *[r"\bottomrule", r"\endfoot"],
        *_body(rows, table.cells.to_numpy()),
        r"\end{longtable}",
        *([rf"{{\nopagebreak\raggedright\noindent {' '.join(map(escape, sentences))}\par}}"] if sentences else []),
        r"\endgroup",
        *([r"\end{landscape}"] if wide else []),
    ]
    return "\n".join(lines) + "\n"


def document(fragments: list[str]) -> str:
    """A complete LaTeX document of the fragments."""
    return PREAMBLE + "\n".join(fragments) + "\\end{document}\n"


def _layout(cells):
    """(font size, points between columns, whether landscape): the first of LAYOUTS that fits the table, or the last."""
    rows = [*levels(cells.columns), *levels(cells.index)]
    labels = [max(map(len, level)) for level in zip(*levels(cells.index), strict=True)]
    widths = labels + [max(len(rows[i][-1]), *map(len, cells.iloc[:, i])) for i in range(cells.shape[1])]
    fitting = [layout for layout in LAYOUTS if sum(widths) * layout[1] + len(widths) * layout[2] <= layout[3]]
    size, _, gap, line = (fitting or LAYOUTS[-1:])[0]
    return size, gap, line == LANDSCAPE


def _columns(header):
    """Column letters of the cells, with more space before each group under a common header."""
    headers = levels(header)
    letters = ["r"] * len(headers)
    if len(headers[0]) > 1:
        for _, first, _ in runs(headers, 0):
            letters[first] = r"@{\hspace{12pt}}r"
    return "".join(letters)


def _head(cells):
    """Lines of the header: upper levels centred over their columns with a rule below, then the lowest level."""
    headers, names = levels(cells.columns), [str(name or "") for name in cells.index.names]
    lines = []
    for level in range(len(headers[0]) - 1):
        spans = runs(headers, level)
        over = [rf"\multicolumn{{{last - first + 1}}}{{c}}{{{escape(text)}}}" for text, first, last in spans]
        rules = [rf"\cmidrule(lr){{{len(names) + first + 1}-{len(names) + last + 1}}}" for _, first, last in spans]
        lines += [" & ".join([""] * len(names) + over) + r"\\", "".join(rules)]
    return [*lines, _row([*names, *(header[-1] for header in headers)])]


def _body(rows, cells):
    """Lines of the rows; with two levels of labels, repeated ones are blank and each group stays on one page."""
    lines = []
    for position, (row, texts) in enumerate(zip(rows, cells, strict=True)):
        again = len(row) > 1 and position > 0 and row[0] == rows[position - 1][0]
        if again:
            lines[-1] += "*"
        elif len(row) > 1 and lines:
            lines.append(r"\addlinespace[2pt]")
        lines.append(_row(["" if again else row[0], *row[1:], *texts]))
    return lines


def _row(texts):
    return " & ".join(map(escape, texts)) + r"\\"
