# snakemake --cores 2          the offline default: every study, method and artifact at smoke scale
# snakemake --cores 64 paper   the full grid; every scale is a target, and so is <scale>_<study>
import time

from snakemake.utils import min_version

from bayes_hpo.campaign.progress import summary

min_version("9.0")
START = time.time()


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/search.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/measure.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/statistics.smk"
include: "workflow/rules/page.smk"
include: "workflow/rules/scales.smk"


rule smoke:
    default_target: True # must be here: Snakemake forgets it at the end of an included file
    localrule: True
    input:
        lambda w: everything("smoke"),


onstart:
    logger.info("", extra={"core_seconds": sum(job.resources.get("core_seconds", 0) for job in workflow.dag.needrun_jobs())})


onsuccess:
    print_at_once(without_traceback(summary, RESULTS, START, PRODUCTS, SOURCES, WITHOUT, SKIP))


onerror:
    print_at_once(without_traceback(summary, RESULTS, START, PRODUCTS, SOURCES, WITHOUT, SKIP))
