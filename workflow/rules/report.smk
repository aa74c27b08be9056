# Tables and figures from scores and measures. `depends` covers their code: an edit of report/ only redraws them.
def studies_of(wildcards):
    """The studies (grids) from which an artifact of a document is drawn; the first one makes it."""
    artifact = Listed(wildcards.document, wildcards.artifact)
    for study in studies(wildcards.scale):
        if artifact in listed(grid(wildcards.scale, study).cfg["study"]):
            names = drawn_from(grid(wildcards.scale, study), artifact)
            return [grid(wildcards.scale, name) for name in names]
    raise WorkflowError(missing_target(product_file(wildcards.scale, wildcards.document, wildcards.artifact)))


def targets(grid):
    """The targets of a study at a scale: scores, measures and, unless released scores are skipped, artifacts."""
    return results(grid) + ([] if SKIP else reported(grid))


def results(grid):
    """The files from which the artifacts of a study are made."""
    return in_batches(grid, [job.output for job in grid.score_jobs() + grid.measure_jobs()])


def in_batches(grid, files):
    """The distinct files, with score files replaced by the markers of their batches."""
    return list(dict.fromkeys(marked(scores, grid.scale, grid.study).get(path, path) for path in files))


def reported(grid):
    """The marker (list) of a study's artifacts, if it has any; it is deleted first if a product is missing."""
    files, marker = products(grid, PRODUCTS), REPORTED.format(scale=grid.scale, study=grid.study)
    if not all(Path(file).is_file() for file in files):
        Path(marker).unlink(missing_ok=True)
    return [marker] if files else []


def sources(grid_):
    """The studies (grids) from whose results the artifacts of a study are drawn."""
    names = [name for artifact in artifacts(grid_) for name in drawn_from(grid_, artifact)]
    return [grid(grid_.scale, name) for name in dict.fromkeys(names)]


# All artifacts of a study.
rule report:
    input:
        lambda w: [path for source in sources(grid(w.scale, w.study)) for path in results(source)],
    output:
        touch(REPORTED),
    log:
        f"{RESULTS}/{{scale}}/logs/report/{{study}}.log",
    params:
        depends=lambda w: [
            artifact_fingerprint(w.scale, study, name)
            for name in artifacts(grid(w.scale, w.study))
            for study in drawn_from(grid(w.scale, w.study), name)
        ],
        left_out=LEFT_OUT,
        products=PRODUCTS,
    localrule: True
    shell:
        "{PYTHON} -m bayes_hpo.stages.report study={wildcards.study} scale={wildcards.scale}"
        " artifact=all {PLACE} products_dir={PRODUCTS} {params.left_out} > {log} 2>&1"


def requested(wildcards):
    """The files from which an artifact is drawn, and a request that is new while one of them is missing."""
    files = [path for source in studies_of(wildcards) for path in results(source)]
    request = marker_file(wildcards.scale, wildcards.document, f"{wildcards.artifact}.requested", RESULTS)
    return [*files, without_traceback(date_request, request, files)]


# One artifact, if its file is requested.
rule table:
    input:
        requested,
    output:
        table_file("{scale}", "{document}", r"{artifact,[^F/][^/]*}", PRODUCTS),
    log:
        f"{RESULTS}/{{scale}}/logs/report/{{document}}/{{artifact}}.log",
    params:
        study=lambda w: studies_of(w)[0].study,
        depends=lambda w: " ".join(artifact_fingerprint(w.scale, source.study, (w.document, w.artifact)) for source in studies_of(w)),
        left_out=LEFT_OUT,
    localrule: True
    shell:
        "{PYTHON} -m bayes_hpo.stages.report study={params.study} scale={wildcards.scale}"
        " artifact={wildcards.document}/{wildcards.artifact} {PLACE} products_dir={PRODUCTS} {params.left_out} > {log} 2>&1"


use rule table as figure with:
    output:
        figure_file("{scale}", "{document}", r"{artifact,F[^/]*}", PRODUCTS),
