# Tables and figures, from scores and measures. Their code is `depends`: an edit of report/ redraws and runs nothing else.
def studies_of(wildcards):
    """The studies (grids) from which an artifact of a document is drawn; the first of them makes it."""
    for study in studies(wildcards.scale):
        cfg = grid(wildcards.scale, study).cfg["study"]
        if cfg["document"] == wildcards.document and wildcards.artifact in cfg["artifacts"]:
            names = drawn_from(grid(wildcards.scale, study), wildcards.artifact)
            return [grid(wildcards.scale, name) for name in names]
    raise WorkflowError(f"no study makes {wildcards.artifact} of {wildcards.document}")


def targets(grid):
    """What a study makes at a scale: its scores and measures, and its artifacts unless released scores are skipped."""
    return results(grid) + ([] if SKIP else products(grid, PRODUCTS))


def results(grid):
    """What the artifacts of a study are made from."""
    return [job.output for job in grid.score_jobs() + grid.measure_jobs()]


rule table:
    input:
        lambda w: [path for made in studies_of(w) for path in results(made)],
    output:
        table_file("{scale}", "{document}", r"{artifact,[^F/][^/]*}", PRODUCTS),
    log:
        f"{RESULTS}/{{scale}}/logs/report/{{document}}/{{artifact}}.log",
    params:
        study=lambda w: studies_of(w)[0].study,
        depends=lambda w: " ".join(artifact_fingerprint(w.scale, made.study, w.artifact) for made in studies_of(w)),
        left_out=LEFT_OUT,
    shell:
        "{PYTHON} -m bayes_hpo.stages.report study={params.study} scale={wildcards.scale}"
        " artifact={wildcards.artifact} {PLACE} products_dir={PRODUCTS} {params.left_out} > {log} 2>&1"


use rule table as figure with:
    output:
        figure_file("{scale}", "{document}", r"{artifact,F[^/]*}", PRODUCTS),
