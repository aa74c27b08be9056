# One measure of a study. Its inputs are the files that its settings name; `depends` covers its code and settings.
rule measure:
    input:
        lambda w: in_batches(grid(w.scale, w.study), grid(w.scale, w.study).measure_inputs(w.measure)),
    output:
        MEASURE,
    log:
        log_file(MEASURE, "{scale}", RESULTS),
    params:
        depends=lambda w: grid(w.scale, w.study).digests.measure_depends[w.measure]["fingerprint"],
    resources:
        mem_mb=lambda w, attempt: 2000 * attempt,
        runtime=lambda w, attempt: 240 * attempt,
    shell:
        "{PYTHON} -m bayes_hpo.stages.measure study={wildcards.study} measure={wildcards.measure}"
        " scale={wildcards.scale} {PLACE} > {log} 2>&1"
