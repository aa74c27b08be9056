# One measure of a study. Its inputs are the files named in its settings; `depends` covers its code and settings.

def inputs_of_measure(wildcards):
    of = grid(wildcards.scale, wildcards.study)
    job = without_traceback(measure_job, of, wildcards.measure)
    return in_batches(of, without_traceback(of.measure_inputs, job.measure))


rule measure:
    input:
        inputs_of_measure,
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
