# One block of repetitions of one search on one data set. No source and no conf file is an input: `depends` re-runs the
# job when its code or its own configuration has changed, and it skips the pools that are there.
rule search:
    input:
        data_file("{dataset}", RESULTS),
    output:
        MANIFEST,
    log:
        log_file(MANIFEST, "{scale}", RESULTS),
    params:
        depends=lambda w: search_fingerprint(w.scale, w.owner, w.protocol, w.searcher),
    resources:
        mem_mb=800,
    shell:
        "{PYTHON} -m bayes_hpo.stages.search study={wildcards.owner} dataset={wildcards.dataset}"
        " searcher={wildcards.searcher} protocol={wildcards.protocol} scale={wildcards.scale}"
        " repetitions={wildcards.first}-{wildcards.last} {PLACE} > {log} 2>&1"
