"""What an edit makes Snakemake do again: only what it can change."""

import shutil

import pytest
import yaml

from bayes_hpo.campaign.grid import Grid
from bayes_hpo.campaign.products import products
from bayes_hpo.storage.manifest import file_digest

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
    files = {job.output for job in grid.search_jobs() + grid.score_jobs()}
    singly = {
        *(job.output for job in grid.search_jobs() if searched(job)),
        *(job.output for job in grid.score_jobs() if scored(job)),
    }
    rest = {
        *(job.output for job in grid.measure_jobs() if measured(job)),
        *(["results/toy/batches/overfitting/report.done"] if any(map(drawn, products(grid))) else []),
    }
    edit(toy.folder)
    planned = toy.planned("toy_overfitting", *files)
    assert planned - files == {toy.batch(path) for path in singly} | rest
    assert planned >= singly


@pytest.mark.parametrize(("edit", "remade"), [(setting, by("cma")), (another_method, by("random"))])
def test_a_batch_makes_again_only_what_an_edit_can_change(toy, edit, remade):
    grid = Grid.of("overfitting", "toy")
    jobs = [*grid.search_jobs(), *grid.score_jobs()]
    before = {job.output: (toy.folder / job.output).stat().st_mtime_ns for job in jobs}
    edit(toy.folder)
    done = toy.run("--cores", 2, "toy_overfitting")
    assert done.returncode == 0, done.stdout
    again = {job.output for job in jobs if (toy.folder / job.output).stat().st_mtime_ns != before[job.output]}
    expected = {job.output for job in jobs if remade(job)}
    assert again == (expected if edit is setting else {path for path in expected if path.endswith(".parquet")})


def test_after_a_dry_run_of_an_edit_that_is_undone_nothing_is_made_again(toy):
    def files():
        found = [path for path in (toy.folder / "results").rglob("*") if path.is_file()]
        return {path: file_digest(path) for path in found if not {"batches", "composed", "logs"} & {*path.parts}}

    grid, before = Grid.of("overfitting", "toy"), files()
    pools = {path: path.stat().st_mtime_ns for path in toy.pools().values()}
    conf = toy.folder / "conf/searcher/cma.yaml"
    text = conf.read_text()
    setting(toy.folder)
    jobs = [job.output for job in grid.search_jobs() + grid.score_jobs() if by("cma")(job)]
    assert toy.planned("toy_overfitting", *jobs) >= {toy.batch(path) for path in jobs}
    assert files() == before
    conf.write_text(text)
    done = toy.run("--cores", 2, "toy_overfitting")
    assert done.returncode == 0, done.stdout
    assert files() == before
    assert {path: path.stat().st_mtime_ns for path in pools} == pools


def test_in_a_copy_without_snakemakes_records_another_method_is_noticed(toy):
    shutil.rmtree(toy.folder / ".snakemake")
    another_method(toy.folder)
    scored, reported = (f"results/toy/batches/overfitting/{name}.done" for name in ("sklearn-iris/score_0", "report"))
    assert toy.planned("toy_overfitting") == {scored, reported}
    assert toy.planned("tables/toy/thesis/T3_1.tex") == {scored, "tables/toy/thesis/T3_1.tex"}


def test_a_committed_product_without_results_is_made_when_it_is_asked_for(toy):
    for folder in (".snakemake", "results"):
        shutil.rmtree(toy.folder / folder)
    product = "tables/toy/thesis/T3_1.tex"
    scored = "results/toy/batches/overfitting/sklearn-iris/score_0.done"
    assert toy.planned(product) >= {product, scored, "results/data/sklearn-iris.npz"}


def test_what_is_gone_is_made_again_and_nothing_else(toy):
    grid = Grid.of("overfitting", "toy")
    gone, *others = (toy.folder / job.output for job in grid.score_jobs())
    before = [path.stat().st_mtime_ns for path in others]
    gone.unlink()
    assert toy.batch(str(gone.relative_to(toy.folder))) in toy.planned("toy_overfitting")
    assert toy.run("--cores", 2, "toy_overfitting").returncode == 0
    assert gone.is_file()
    assert [path.stat().st_mtime_ns for path in others] == before


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
