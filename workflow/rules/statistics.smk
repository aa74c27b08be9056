# The ledger of a scale, from the scores and measures of all its studies.
@cache
def ledger_digest(scale):
    modules = ["bayes_hpo.claims.ledger", "bayes_hpo.report.ledger_table"]
    said = {study: description(grid(scale, study).cfg) for study in studies(scale)}
    return digest(depends(modules, [said, file_digests("conf/*.csv", "published/*.csv")]))


rule ledger:
    input:
        lambda w: [path for study in studies(w.scale) for path in results(grid(w.scale, study))],
    output:
        ledger_file("{scale}", PRODUCTS),
    log:
        f"{RESULTS}/{{scale}}/logs/report/ledger.log",
    params:
        depends=lambda w: ledger_digest(w.scale),
        left_out=LEFT_OUT,
    shell:
        "{PYTHON} -m bayes_hpo.stages.statistics scale={wildcards.scale} {PLACE} products_dir={PRODUCTS}"
        " {params.left_out} > {log} 2>&1"
