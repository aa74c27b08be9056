def searched(scale, study, jobs):
    """The markers of the searches whose pools the score jobs read."""
    scored = grid(scale, study)
    blocks = [block for job in jobs for block in scored.blocks(job.dataset, job.protocol, job.searcher)]
    return list(dict.fromkeys(marked(searches, scale, scored.owner)[block.output] for block in blocks))


def scores_of(wildcards):
    return batch(scores, wildcards.scale, wildcards.study, wildcards.dataset, wildcards.number)


# The scores of several searches, for all methods of the study, on one data set, or on several if batches are joined.
rule scores:
    input:
        data=lambda w: [data_file(name, RESULTS) for name in scores_of(w).datasets],
        searches=lambda w: searched(w.scale, w.study, scores_of(w).jobs),
    output:
        touch(SCORED),
    log:
        log_file(SCORED, "{scale}", RESULTS),
    params:
        pools=lambda w: scores_of(w).pools,
        depends=lambda w: [score_fingerprint(w.scale, w.study, job.protocol, job.searcher) for job in scores_of(w).jobs],
        skip=f"skip={SKIP}" if SKIP else "",
    resources:
        mem_mb=lambda w, attempt: needed(scores_of(w).jobs).mem_mb(attempt),
        runtime=lambda w, attempt: needed(scores_of(w).jobs).runtime(attempt),
        core_seconds=lambda w: ceil(scores_of(w).seconds),
    shell:
        "{PYTHON} -m bayes_hpo.stages.score study={wildcards.study} dataset={wildcards.dataset}"
        " scale={wildcards.scale} pools={params.pools} {params.skip} {PLACE} > {log} 2>&1"


def score_of(wildcards):
    w = wildcards
    return without_traceback(score_job, grid(w.scale, w.study), w.dataset, w.protocol, w.searcher)


def blocks_of_score(wildcards):
    """The manifests of one search; if its scores are outdated, their time stamp is set back first."""
    w, scored, pool = wildcards, grid(wildcards.scale, wildcards.study), (wildcards.protocol, wildcards.searcher)
    without_traceback(date_scores, score_of(w), scored.digests.score_depends[pool], len(scored.wanted(w.dataset, *pool)))
    return [block.output for block in scored.blocks(w.dataset, *pool)]


# The scores of one search, if their file is requested; only its pools are searched.
rule score:
    input:
        data=data_file("{dataset}", RESULTS),
        blocks=blocks_of_score,
    output:
        SCORES,
    log:
        log_file(SCORES, "{scale}", RESULTS),
    params:
        depends=lambda w: score_fingerprint(w.scale, w.study, w.protocol, w.searcher),
        skip=f"skip={SKIP}" if SKIP else "",
    resources:
        mem_mb=lambda w, attempt: needed((score_of(w),)).mem_mb(attempt),
        runtime=lambda w, attempt: needed((score_of(w),)).runtime(attempt),
    shell:
        "{PYTHON} -m bayes_hpo.stages.score study={wildcards.study} dataset={wildcards.dataset}"
        " searcher={wildcards.searcher} protocol={wildcards.protocol} scale={wildcards.scale} {params.skip} {PLACE} > {log} 2>&1"
