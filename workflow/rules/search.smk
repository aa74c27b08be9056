# Searches. Source and conf files are not inputs: a job reruns if `depends`, its code and configuration, has changed,
# and skips pools that are up to date.

def searches_of(wildcards):
    return batch(searches, wildcards.scale, wildcards.owner, wildcards.dataset, wildcards.number)


# Several searches on one data set, which take about a minute, or on several if short batches are joined.
rule searches:
    input:
        lambda w: [data_file(name, RESULTS) for name in searches_of(w).datasets],
    output:
        touch(SEARCHES),
    log:
        log_file(SEARCHES, "{scale}", RESULTS),
    params:
        pools=lambda w: searches_of(w).pools,
        depends=lambda w: [
            searched_with(w.scale, w.owner, job.protocol, job.searcher)["fingerprint"] for job in searches_of(w).jobs
        ],
    resources:
        mem_mb=lambda w, attempt: needed(searches_of(w).jobs).mem_mb(attempt),
        runtime=lambda w, attempt: needed(searches_of(w).jobs).runtime(attempt),
        core_seconds=lambda w: ceil(searches_of(w).seconds),
    shell:
        "{PYTHON} -m bayes_hpo.stages.search study={wildcards.owner} dataset={wildcards.dataset}"
        " scale={wildcards.scale} pools={params.pools} {PLACE} {SCRATCH} > {log} 2>&1"


def search_of(wildcards):
    w = wildcards
    return without_traceback(search_job, grid(w.scale, w.owner), w.dataset, w.protocol, w.searcher, w.first, w.last)


def data_of_search(wildcards):
    """The data set of one search; if its manifest is outdated, its time stamp is set back first."""
    w = wildcards
    without_traceback(date_manifest, search_of(w), searched_with(w.scale, w.owner, w.protocol, w.searcher))
    return data_file(w.dataset, RESULTS)


# One block of repetitions of one search on one data set, if its manifest is requested.
rule search:
    input:
        data_of_search,
    output:
        MANIFEST,
    log:
        log_file(MANIFEST, "{scale}", RESULTS),
    params:
        depends=lambda w: searched_with(w.scale, w.owner, w.protocol, w.searcher)["fingerprint"],
    resources:
        mem_mb=lambda w, attempt: needed((search_of(w),)).mem_mb(attempt),
        runtime=lambda w, attempt: needed((search_of(w),)).runtime(attempt),
    shell:
        "{PYTHON} -m bayes_hpo.stages.search study={wildcards.owner} dataset={wildcards.dataset}"
        " searcher={wildcards.searcher} protocol={wildcards.protocol} scale={wildcards.scale}"
        " repetitions={wildcards.first}-{wildcards.last} {PLACE} {SCRATCH} > {log} 2>&1"
