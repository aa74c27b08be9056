"""Tables and figures by name: each is one small module in artifacts/<document>/, which is also its registration."""

import importlib
import traceback
from dataclasses import dataclass
from pathlib import Path

from bayes_hpo.errors import Fault, UserError, described
from bayes_hpo.report import artifacts, face
from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.tables import latex, text
from bayes_hpo.storage.files import atomic

FOLDER = Path(artifacts.__file__).parent


@dataclass(frozen=True)
class Artifact:
    """One table or figure of a document, such as T3_1 of the thesis.

    Its module holds TITLE and either table(given) -> Table or figure(given) -> (matplotlib figure, notes); MEASURE too
    when it rests on that measure and on no scores, MEASURE_OF_SCORES when it rests on one that was made from scores.
    """

    document: str
    name: str

    def path(self, scale):
        """Where its first file lies below the products' folder; the others differ in the suffix."""
        kind, suffix = ("tables", ".tex") if hasattr(self.module, "table") else ("figures", ".pdf")
        return Path(kind, scale, self.document, self.name + suffix)

    @property
    def module(self):
        return importlib.import_module(f"{artifacts.__name__}.{self.document}.{self.name.lower()}")

    def warnings(self, given):
        """Sentences on what the scores and the measure are that it rests on: older code or settings, failed trials."""
        if hasattr(self.module, "MEASURE"):
            return given.measure_warnings(self.module.MEASURE)
        of_measure = given.measure_warnings(getattr(self.module, "MEASURE_OF_SCORES", None))
        return given.warnings + of_measure + given.failures

    @property
    def title(self):
        return f"{self.document}, {self.module.TITLE}"


def names(document):
    """The artifacts that can be made of a document, sorted; empty for an unknown document."""
    return sorted(path.stem.upper() for path in FOLDER.glob(f"{document}/[!_]*.py"))


def find(name, document):
    """The artifact `name` of `document`. Raises: UserError for an unknown one, with those that there are."""
    documents = sorted(path.name for path in FOLDER.iterdir() if names(path.name))
    if document not in documents:
        raise UserError(f"document={document} is not one of {', '.join(documents)}")
    if name not in names(document):
        raise UserError(f"artifact={name} is not one of {', '.join(names(document))} of {document}")
    return Artifact(document, name)


def make(name, *, document, given, products_dir):
    """Make one artifact from its ArtifactInput, print it as text, and return the paths of its files.

    A table is written as .tex and .csv below products_dir/tables/<scale>/<document>, a figure as .pdf and .png, and
    what the page shows of either as .json.
    Raises: UserError for an unknown artifact; Fault when scores are missing or damaged or a file cannot be written.
    """
    artifact = find(name, document)
    path = artifact.path(given.scale)
    command = given.command(name, path)
    write = write_table if hasattr(artifact.module, "table") else write_figure
    return write(artifact, given, command, Path(products_dir, path))


def make_all(names, document, given, products_dir):
    """Make those of the artifacts that can be made; return a sentence (list) on each of the others.

    Raises: UserError for an unknown one.
    """
    problems = {}  # sentence -> artifacts
    for name in names:
        try:
            make(name, document=document, given=given, products_dir=products_dir)
        except Fault as problem:
            problems.setdefault(str(problem), []).append(name)
        except UserError:
            raise
        except Exception as problem:  # a mistake in one module must not stop the others
            traceback.print_exc()
            problems.setdefault(described(problem), []).append(name)
    return [f"{', '.join(those)}: {sentence}" for sentence, those in problems.items()]


def write_table(artifact, given, command, path):
    """Make a table; write .tex, .csv and .json, print the text."""
    table = artifact.module.table(given)
    said = face.sentences(given.scale, given.setting, command, [*table.notes, *artifact.warnings(given)])
    values = table.values.assign(scale=given.scale, note=face.warning(given.scale), command=command)
    with atomic(path) as part:
        part.write_text(latex.fragment(artifact.title, table, said), encoding="utf-8")
    with atomic(path.with_suffix(".csv")) as part:
        values.to_csv(part, index=False, float_format="%.10g")
    PageEntry.of_table(artifact.module.TITLE, said[:-1], command, table.cells).save(path.with_suffix(".json"))
    print(text.plain(artifact.title, table, said))
    return [path, path.with_suffix(".csv")]


def write_figure(artifact, given, command, path):
    """Make a figure; write .pdf, .png and .json, print its face."""
    from bayes_hpo.report.figures import style  # tables start faster without matplotlib

    with style.house():
        figure, notes = artifact.module.figure(given)
        said = face.sentences(given.scale, given.setting, command, [*notes, *artifact.warnings(given)])
        style.write_below(figure, [f"{artifact.title}.", *said])
        for target in (path, path.with_suffix(".png")):
            with atomic(target) as part:
                style.save(figure, part, target.suffix[1:])
    drawn = 1 - figure.texts[-1].get_window_extent().y1 / figure.bbox.height  # the face is what was written last
    PageEntry(artifact.module.TITLE, said[:-1], command, drawn).save(path.with_suffix(".json"))
    print("\n".join([f"{artifact.title}.", *said]))
    return [path, path.with_suffix(".png")]
