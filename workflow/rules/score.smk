# All methods of a study on the pools of one search on one data set.
rule score:
    input:
        data=data_file("{dataset}", RESULTS),
        blocks=lambda w: [
            job.output for job in grid(w.scale, w.study).blocks(w.dataset, w.protocol, w.searcher)
        ],
    output:
        SCORES,
    log:
        log_file(SCORES, "{scale}", RESULTS),
    params:
        depends=lambda w: score_fingerprint(w.scale, w.study, w.protocol, w.searcher),
        skip=f"skip={SKIP}" if SKIP else "",
    resources:
        mem_mb=800,
    shell:
        "{PYTHON} -m bayes_hpo.stages.score study={wildcards.study} dataset={wildcards.dataset}"
        " searcher={wildcards.searcher} protocol={wildcards.protocol} scale={wildcards.scale} {params.skip} {PLACE} > {log} 2>&1"
