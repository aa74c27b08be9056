# Tables and figures, from the scores alone. Their code is `depends`: an edit of report/ redraws and runs nothing else.
def study_of(wildcards):
    """The study that makes an artifact of a document."""
    for study in STUDIES:
        cfg = grid(wildcards.scale, study).cfg["study"]
        if cfg["document"] == wildcards.document and wildcards.artifact in cfg["artifacts"]:
            return grid(wildcards.scale, study)
    raise WorkflowError(f"no study makes {wildcards.artifact} of {wildcards.document}")


def products(scale):
    return [product for study in STUDIES for product in grid(scale, study).products(PRODUCTS)]


rule table:
    input:
        lambda w: [job.output for job in study_of(w).score_jobs()],
    output:
        table_file("{scale}", "{document}", r"{artifact,[^F/][^/]*}", PRODUCTS),
    log:
        f"{RESULTS}/{{scale}}/logs/report/{{document}}/{{artifact}}.log",
    params:
        study=lambda w: study_of(w).study,
        depends=lambda w: artifact_digest(w.document, w.artifact),
    shell:
        "{PYTHON} -m bayes_hpo.stages.report study={params.study} scale={wildcards.scale}"
        " artifact={wildcards.artifact} {PLACE} products_dir={PRODUCTS} > {log} 2>&1"


use rule table as figure with:
    output:
        figure_file("{scale}", "{document}", r"{artifact,F[^/]*}", PRODUCTS),
