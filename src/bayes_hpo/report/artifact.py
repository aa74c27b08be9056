"""The artifacts (tables and figures of the documents, as listed in published/<document>.yaml) and their files."""

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bayes_hpo.configuration.build import build
from bayes_hpo.documents import catalog
from bayes_hpo.errors import MissingResultsError, RunError, UserError, described
from bayes_hpo.report.caption import Caption, failed_trials
from bayes_hpo.report.page.entry import PageEntry
from bayes_hpo.report.results import Results
from bayes_hpo.report.tables.table import write
from bayes_hpo.storage.files import atomic
from bayes_hpo.storage.layout import product_file


@dataclass(frozen=True)
class Artifact:
    """One table or figure of a document, such as T3_1 of the thesis.

    draw: configuration node of the function that makes it from the Results of each of its studies, in the order given.
        It returns (matplotlib figure, notes) if the artifact's name starts with F, else a Table. A measure that the
        artifact needs is an argument of the function.
    scores: whether it needs scores.
    elsewhere: sentence for pages of scales at which no study makes the artifact.
    """

    document: str
    name: str
    title: str
    draw: dict
    scores: bool = True
    elsewhere: str = ""

    def path(self, scale: str) -> Path:
        """Path of the first file in the products' folder; the others differ in the suffix."""
        return Path(product_file(scale, self.document, self.name))

    def make(self, studies: dict[str, Results]) -> Any:
        """The result of its function: a Table, or (matplotlib figure, notes)."""
        return build(self.draw, f"{self.document}.{self.name}")(*studies.values())

    def caption(self, studies: dict[str, Results]) -> Caption:
        """Its Caption: the setting is the first of any study, the command that of the first study with overrides."""
        first, *_ = studies.values()
        results = next((study for study in studies.values() if study.overrides), first)
        setting = next(filter(None, map(self.setting, studies.values())), "")
        outdated = [sentence for study in studies.values() for sentence in self.outdated(study)]
        of_searches = self.scores or "validation" in self.draw
        failures = {name: study.failures for name, study in studies.items()} if of_searches else {}
        limits = dict.fromkeys(study.limits for study in studies.values() if of_searches and study.limits)
        command = results.command(self.name, self.path(results.scale))
        limited = [f"This scale: {note}." for note in limits]
        return Caption(results.scale, setting, command, (*limited, *outdated, *failed_trials(failures)))

    def setting(self, results: Results) -> str:
        """Name of the Gaussian process setting behind its scores or its measure; empty if there is none."""
        of_measure = results.measure_settings.get(self.draw.get("measure"), "")
        return (results.setting or of_measure) if self.scores else of_measure

    def outdated(self, results: Results) -> list[str]:
        """Sentences on its scores and its measure if they were made by other code or settings."""
        of_measure = results.outdated_measure(self.draw.get("measure"))
        return [*results.outdated_scores, *of_measure] if self.scores else of_measure


def names(document: str) -> list[str]:
    """Names of the artifacts of a document, sorted; empty for an unknown document."""
    return sorted(catalog.document(document)["artifacts"]) if document in catalog.documents() else []


def find(name: str, document: str) -> Artifact:
    """The artifact `name` of `document`. Raises: UserError for an unknown artifact or document."""
    documents = [known for known in catalog.documents() if names(known)]
    if document not in documents:
        raise UserError(f"document={document} is not one of {', '.join(documents)}")
    if name not in names(document):
        raise UserError(f"artifact={name} is not one of {', '.join(names(document))} of {document}")
    return Artifact(document, name, **catalog.document(document)["artifacts"][name])


def make(name: str, *, document: str, studies: dict[str, Results], products_dir: str | Path) -> list[Path]:
    """Make one artifact, print it as text, and return the paths of its files.

    A table is written as .tex and .csv to products_dir/tables/<scale>/<document>, a figure as .pdf and .png to
    products_dir/figures/<scale>/<document>, and the page's entry for either as .json next to them.
    studies: dict, name -> Results of a study that it uses.
    Raises: UserError for an unknown artifact; RunError when scores are missing or damaged or a file cannot be written.
    """
    artifact = find(name, document)
    path = Path(products_dir, artifact.path(next(iter(studies.values())).scale))
    return (write_figure if name.startswith("F") else write_table)(artifact, studies, path)


@dataclass(frozen=True)
class Unmade:
    """The artifacts that could not be made, and why.

    problems: sentences on errors, each with its artifacts.
    missing: sentences on missing scores and measures, each with its artifacts.
    names: the artifacts with missing scores or measures, as DOCUMENT/NAME.
    """

    problems: list[str]
    missing: list[str]
    names: list[str]


def make_all(names: list[str], document: str, studies: dict[str, Results], products_dir: str | Path) -> Unmade:
    """Make the artifacts; return those that could not be made. Raises: UserError for an unknown artifact."""
    problems: dict[str, list[str]] = {}  # sentence -> artifacts
    missing: dict[str, list[str]] = {}
    for name in names:
        try:
            make(name, document=document, studies=studies, products_dir=products_dir)
        except MissingResultsError as problem:
            missing.setdefault(str(problem), []).append(name)
        except RunError as problem:
            problems.setdefault(str(problem), []).append(name)
        except (UserError, OSError, MemoryError):
            raise
        except Exception as problem:  # a bug in one artifact must not stop the others
            traceback.print_exc()
            problems.setdefault(described(problem), []).append(name)
    lacking = [f"{document}/{name}" for unmade in missing.values() for name in unmade]
    return Unmade(_sentences(problems), _sentences(missing), lacking)


def _sentences(problems):
    """One sentence per problem (dict, sentence -> artifacts), with its artifacts."""
    return [f"{', '.join(unmade)}: {sentence}" for sentence, unmade in problems.items()]


def write_table(artifact: Artifact, studies: dict[str, Results], path: Path) -> list[Path]:
    """Make a table, write .tex, .csv and .json, and print it as text."""
    table, caption = artifact.make(studies), artifact.caption(studies)
    files = write(table.stated(caption), f"{artifact.document}, {artifact.title}", caption.whole(table.notes), path)
    entry = PageEntry.of_table(artifact.title, caption.sentences(table.notes), caption.command, table.cells)
    entry.save(path.with_suffix(".json"))
    return files


def write_figure(artifact: Artifact, studies: dict[str, Results], path: Path) -> list[Path]:
    """Make a figure, write .pdf, .png and .json, and print its caption."""
    from bayes_hpo.report.figures import style  # tables start faster without matplotlib

    with style.house():
        figure, notes = artifact.make(studies)
        caption = artifact.caption(studies)
        sentences = [f"{artifact.document}, {artifact.title}.", *caption.whole(notes)]
        style.write_below(figure, sentences)
        for target in (path, path.with_suffix(".png")):
            with atomic(target) as temporary:
                style.save(figure, temporary, target.suffix[1:])
    drawn = 1 - figure.texts[-1].get_window_extent().y1 / figure.bbox.height  # height above the caption, the last text
    PageEntry(artifact.title, caption.sentences(notes), caption.command, drawn).save(path.with_suffix(".json"))
    print("\n".join(sentences))
    return [path, path.with_suffix(".png")]
