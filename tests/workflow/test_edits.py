"""What an edit makes Snakemake do again: only what it can change."""

import pytest
import yaml

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import products

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("toy")]


def comment(folder):
    searcher = folder / "src/bayes_hpo/search/cmaes.py"
    searcher.write_text(searcher.read_text() + "\n# a comment\n")
    kernel = folder / "src/bayes_hpo/surrogates/gp/kernel.py"
    kernel.write_text(kernel.read_text().replace('"""', '"""Said otherwise: ', 1))


def code(module):
    """The edit that adds a line of code to a module."""

    def edit(folder):
        path = folder / "src/bayes_hpo" / module
        path.write_text(path.read_text() + "\nADDED = True\n")

    return edit


def setting(folder):
    path = folder / "conf/searcher/cma.yaml"
    path.write_text(path.read_text().replace("sigma: 0.2", "sigma: 0.3"))


def another_method(folder):
    method = {"searcher": "random", "splits": "fixed", "selection_split": False, "selector": "argmin"}
    (folder / "conf/method/rs_again.yaml").write_text(yaml.safe_dump(method))
    study = folder / "conf/study/overfitting.yaml"
    study.write_text(study.read_text().replace("methods: [", "methods: [rs_again, "))


def another_label(folder):
    study = folder / "conf/study/overfitting.yaml"
    study.write_text(study.read_text().replace("document: thesis\n", "document: thesis\nlabels: {rs: Random}\n"))


def another_abbreviation(folder):
    registry = folder / "conf/datasets.csv"
    old, new = "sklearn-iris,iris,,", "sklearn-iris,iris,ir,"
    assert registry.read_text().count(old) == 1
    registry.write_text(registry.read_text().replace(old, new))


def another_title(folder):
    document = folder / "published/thesis.yaml"
    document.write_text(document.read_text().replace('"Table 3.1: median', '"Table 3.1: the median'))


def every(job):
    return True


def no(job):
    return False


def named(*names):
    return lambda product: product.endswith(tuple(f"/{name}.tex" for name in names))


def by(searcher):
    return lambda job: job.searcher == searcher


def toy_problem(job):
    return job.measure == "posterior_mean_toy"


def by_population_rules(job):
    return job.searcher == "cma" and "_sel" in job.protocol


@pytest.mark.parametrize(
    ("edit", "searched", "scored", "measured", "drawn"),
    [
        (comment, no, no, no, no),
        (code("search/cmaes.py"), by("cma"), by("cma"), no, every),
        (setting, by("cma"), by("cma"), no, every),
        (code("surrogates/gp/kernel.py"), by("gp"), by("gp"), toy_problem, every),
        (code("selection/population.py"), no, by_population_rules, no, every),
        (code("documents/names.py"), no, no, no, every),
        (code("report/tables/summary.py"), no, no, no, named("T3_1", "T3_5")),
        (another_title, no, no, no, named("T3_1")),
        (another_method, no, by("random"), no, every),
        (another_label, no, no, no, every),
        (another_abbreviation, no, no, no, every),
    ],
    ids=[
        "comment",
        "searcher",
        "setting",
        "gp",
        "selector",
        "report",
        "table",
        "title",
        "method",
        "label",
        "abbreviation",
    ],
)
def test_an_edit_runs_only_what_it_can_change(toy, edit, searched, scored, measured, drawn):
    grid = Grid.of("overfitting", "toy")
    expected = {
        *(job.output for job in grid.search_jobs() if searched(job)),
        *(job.output for job in grid.score_jobs() if scored(job)),
        *(job.output for job in grid.measure_jobs() if measured(job)),
        *(product for product in products(grid) if drawn(product)),
    }
    edit(toy.folder)
    assert toy.planned("toy_overfitting") == expected


def test_another_repetition_searches_itself_alone(toy):
    study = toy.folder / "conf/study/overfitting.yaml"
    study.write_text(study.read_text().replace("repetitions: {holdout: 1,", "repetitions: {holdout: 2,"))
    first = toy.pools()["overfitting/sklearn-iris/holdout/random/rep_000.npz"]
    written = first.stat().st_mtime_ns
    done = toy.run("--cores", 2, "--", toy.score("holdout", "random"))
    assert done.returncode == 0, done.stdout
    assert "2 jobs done, 0 failed" in done.stdout
    assert first.stat().st_mtime_ns == written
    assert first.with_name("rep_001.npz").is_file()
