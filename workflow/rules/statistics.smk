# The ledger of a scale, from the scores and measures of all its studies.
@cache
def ledger_fingerprint(scale):
    settings = {study: grid(scale, study).cfg["study"] for study in studies(scale)}
    return ledger_depends([settings, file_digests("conf/*.csv", "published/*.csv", "published/*.yaml")])["fingerprint"]


def judged(wildcards):
    """The scores and measures of all studies, and a request that is new while one of them is missing."""
    files = [path for study in studies(wildcards.scale) for path in results(grid(wildcards.scale, study))]
    return [*files, without_traceback(date_request, marker_file(wildcards.scale, "ledger", "requested", RESULTS), files)]


rule ledger:
    input:
        judged,
    output:
        ledger_file("{scale}", PRODUCTS),
    log:
        f"{RESULTS}/{{scale}}/logs/report/ledger.log",
    params:
        depends=lambda w: ledger_fingerprint(w.scale),
        left_out=LEFT_OUT,
    localrule: True
    shell:
        "{PYTHON} -m bayes_hpo.stages.statistics scale={wildcards.scale} {PLACE} products_dir={PRODUCTS}"
        " {params.left_out} > {log} 2>&1"
