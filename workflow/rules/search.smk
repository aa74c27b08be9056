# Searches. Source and conf files are not inputs: a job runs again when `depends`, its code and configuration, has changed,
# and skips the pools that are up to date.

# Several searches on one data set, as many as take about a minute.
rule searches:
    input:
        data_file("{dataset}", RESULTS),
    output:
        touch(SEARCHES),
    log:
        log_file(SEARCHES, "{scale}", RESULTS),
    params:
        pools=lambda w: batch(searches, w.scale, w.owner, w.dataset, w.number).pools,
        depends=lambda w: [
            searched_with(w.scale, w.owner, job.protocol, job.searcher)["fingerprint"]
            for job in batch(searches, w.scale, w.owner, w.dataset, w.number).jobs
        ],
    resources:
        mem_mb=800,
        core_seconds=lambda w: ceil(batch(searches, w.scale, w.owner, w.dataset, w.number).seconds),
    shell:
        "{PYTHON} -m bayes_hpo.stages.search study={wildcards.owner} dataset={wildcards.dataset}"
        " scale={wildcards.scale} pools={params.pools} {PLACE} > {log} 2>&1"


def data_of_search(wildcards):
    """The data set of one search; its manifest is dated back first when it is outdated."""
    w = wildcards
    job = SearchJob(w.owner, w.scale, w.dataset, w.protocol, w.searcher, int(w.first), int(w.last), RESULTS)
    without_traceback(date_manifest, job, searched_with(w.scale, w.owner, w.protocol, w.searcher))
    return data_file(w.dataset, RESULTS)


# One block of repetitions of one search on one data set, when its manifest is requested.
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
        mem_mb=800,
    shell:
        "{PYTHON} -m bayes_hpo.stages.search study={wildcards.owner} dataset={wildcards.dataset}"
        " searcher={wildcards.searcher} protocol={wildcards.protocol} scale={wildcards.scale}"
        " repetitions={wildcards.first}-{wildcards.last} {PLACE} > {log} 2>&1"
