"""The stored files of a small campaign, and for each kind the stages that read it and what they make of it."""

import contextlib
import io
import json
import re
import runpy
import sys
import traceback
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from bayes_hpo.scores import frames
from bayes_hpo.storage import measured, npz
from bayes_hpo.storage.layout import measure_file, page_file, pool_folder, released_folder, score_file, score_folder
from bayes_hpo.storage.pools import FORM

STUDY, SCALE = "overfitting", "smoke"
DATASETS = ("sklearn-iris", "sklearn-wine")
SEARCHES = (("holdout", "random"), ("holdout", "gp"), ("holdout_r", "gp"))
JOBS = [(dataset, *search) for dataset in DATASETS for search in SEARCHES]
MEASURES = {  # (study, measure) -> the artifact that shows it
    ("overfitting", "splits"): "F3_2",
    ("overfitting", "posterior_mean_toy"): "F3_5",
    ("conditional", "search_space"): "T5_1",
    ("conditional", "toy_covariances"): "F5_2",
}
SCORED = "T3_1"  # the artifact that shows scores
JOB = r"(?P<data_set>[^/]+)/(?P<protocol>[^/]+)/(?P<searcher>\w+)"
POOL = rf"results/{SCALE}/pools/{STUDY}/{JOB}/rep_(?P<repetition>\d+)"
FILES = {  # kind -> its paths below the campaign
    "data": r"results/data/(?P<data_set>[^/]+)\.npz",
    "pool": POOL + r"\.npz",
    "journal": POOL + r"\.journal",
    "manifest": rf"results/{SCALE}/pools/{STUDY}/{JOB}/block_[-\d]+\.json",
    "refits": POOL + r"\.refits_\d+\.npz",
    "scores": rf"results/{SCALE}/scores/{STUDY}/{JOB}\.parquet",
    "measure": rf"results/{SCALE}/measures/(?P<study>\w+)/(?P<measure>\w+)\.parquet",
    "page entry": rf"products/\w+/{SCALE}/thesis/(?P<artifact>\w+)\.json",
    "released scores": rf"released/{STUDY}/{SCALE}/{JOB}\.parquet",
    "released measure": rf"released/(?P<study>\w+)/{SCALE}/measures/(?P<measure>\w+)\.parquet",
}


def paths(kind, root):
    """Files of a kind below a campaign's folder: dict, path relative to it (str) -> what its name says (dict)."""
    found = (path.relative_to(root).as_posix() for path in sorted(Path(root).rglob("*")))
    return {path: match.groupdict() for path in found if (match := re.fullmatch(FILES[kind], path))}


@dataclass(frozen=True)
class Step:
    """A stage's command. content: function, what it has made or read, to be compared, or None.

    output: a file that the stage would keep if it were there, or None.
    """

    stage: str
    overrides: tuple
    content: object = None
    output: Path | None = None

    def run(self):
        """(exit code, text of what it has said and of a traceback) of the command, run in this process."""
        if self.output:
            self.output.unlink(missing_ok=True)
        said = io.StringIO()
        sys.argv = [self.stage, *self.overrides]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
            try:
                runpy.run_module(f"bayes_hpo.stages.{self.stage}", run_name="__main__", alter_sys=False)
            except SystemExit as end:
                return end.code or 0, said.getvalue()
            except BaseException:
                return 1, said.getvalue() + traceback.format_exc()
        return 0, said.getvalue()


class Campaign:
    """What is stored below one folder, which has results, products and released; its methods but `steps` are Steps."""

    def __init__(self, root):
        self.results, self.products, self.released = (f"{root}/{name}" for name in ("results", "products", "released"))

    def steps(self, kind, where):
        """The stages (list of Step) that read a file, one after the other; where: what its name says (`paths`)."""
        job = where.get("data_set"), where.get("protocol", "holdout"), where.get("searcher", "gp")
        measure = where.get("study"), where.get("measure")
        return {
            "data": lambda: [self.search(*job), self.data(job[0]), self.search(*job)],
            "pool": lambda: [self.score(*job), self.search(*job), self.score(*job)],
            "journal": lambda: [self.status(), self.search(*job)],
            "manifest": lambda: [self.status(), self.score(*job), self.search(*job), self.score(*job)],
            "refits": lambda: [self.score(*job)],
            "scores": lambda: [self.report(), self.release(STUDY, "scores")],
            "measure": lambda: [self.report_measure(*measure), self.release(*measure)],
            "page entry": lambda: [self.page()],
            "released scores": lambda: [self.report(self.released)],
            "released measure": lambda: [self.report_measure(*measure, self.released)],
        }[kind]()

    def data(self, dataset):
        return self._step("data", {"dataset": dataset})

    def search(self, *job):
        return self._step("search", _names(*job), partial(_pools, pool_folder(SCALE, STUDY, *job, self.results)))

    def score(self, *job):
        path = Path(score_file(SCALE, STUDY, *job, self.results))
        return self._step("score", _names(*job), partial(_rows, path), output=path)

    def measure(self, study, measure):
        return self._step("measure", {"study": study, "measure": measure, "scale": SCALE})

    def status(self):
        return self._step("status", {"study": STUDY})

    def report(self, released=None):
        folder = released_folder(SCALE, STUDY, released) if released else score_folder(SCALE, STUDY, self.results)
        return self._report({"study": STUDY, "artifact": SCORED}, partial(_scores, folder), released)

    def report_measure(self, study, measure, released=None):
        path = self._copy(study, measure) if released else measure_file(SCALE, study, measure, self.results)
        names = {"study": study, "artifact": MEASURES[study, measure]}
        return self._report(names, partial(_measure, study, path), released)

    def release(self, study, what):
        """what: the measure whose copy is looked at, or "scores"."""
        folder = released_folder(SCALE, study, self.released)
        content = partial(_scores, folder) if what == "scores" else partial(_measure, study, self._copy(study, what))
        return self._step("release", {"study": study, "released_dir": self.released}, content)

    def page(self):
        return self._report({"artifact": "page"}, Path(page_file(SCALE, self.products)).read_text)

    def _copy(self, study, measure):
        """The released copy of a measure."""
        return Path(released_folder(SCALE, study, self.released), "measures", f"{measure}.parquet")

    def _report(self, names, content, released=None):
        names = names | {"products_dir": self.products} | ({"scores": released} if released else {})
        return self._step("report", names, content)

    def _step(self, stage, names, content=None, output=None):
        names = names | {"results_dir": self.results}
        return Step(stage, tuple(f"{name}={value}" for name, value in names.items()), content, output)


def _names(dataset, protocol, searcher):
    return {"study": STUDY, "dataset": dataset, "protocol": protocol, "searcher": searcher}


def _pools(folder):
    """All that equal pools of a search share: of each file its arrays but seconds, its provenance but the revision."""
    return {path.name: _pool(path) for path in sorted(Path(folder).glob("rep_???.npz"))}


def _pool(path):
    arrays = {name: array for name, array in npz.read(path, FORM).items() if not name.startswith("seconds")}
    provenance = json.loads(arrays.pop("provenance").tobytes()) | {"revision": ""}
    return provenance, {name: (array.dtype.str, array.shape, array.tobytes()) for name, array in arrays.items()}


def _rows(path):
    """The rows of a score file that equal scores share."""
    return _exactly(pd.read_parquet(path).drop(columns=["seconds", "revision"]))


def _scores(folder):
    """What readers get of the scores in a folder."""
    which = {"study": STUDY, "scale": SCALE, "datasets": DATASETS}
    return _exactly(frames.read(folder, **which)), _exactly(frames.configurations(folder, **which))


def _measure(study, path):
    """What readers get of a measure."""
    return _exactly(measured.read(path, "make it again", study=study, scale=SCALE))


def _exactly(frame):
    """A frame as a text that differs where any value does."""
    return repr(frame.dtypes.to_dict()) + repr(frame.to_dict("list"))
