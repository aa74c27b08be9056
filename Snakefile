# snakemake --cores 2          the offline default: every study, method and artifact at smoke scale
# snakemake --cores 64 paper   the full grid; every scale is a target, and so is <scale>_<study>
import sys
import time

from snakemake.utils import min_version

min_version("9.0")

from bayes_hpo.configuration import options, unknown
from bayes_hpo.progress import summary

CONFIG = ("results_dir", "products_dir", "archive_dir", "archive_url", "without")
for key in config:
    if key not in CONFIG:
        raise WorkflowError(unknown("--config", key, CONFIG))

START = time.time()
PYTHON = sys.executable  # the environment's own, whatever `python` is on the path
RESULTS = config.get("results_dir", "results")
PRODUCTS = config.get("products_dir", ".")
WITHOUT = [name for name in str(config.get("without", "")).split(",") if name]  # data sets that cannot be had
SCALES, STUDIES = options("scale"), options("study")


include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/search.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/report.smk"


localrules:
    smoke,


rule smoke:
    default_target: True
    input:
        lambda w: products("smoke"),


for scale in SCALES:
    if scale != "smoke":

        rule:
            name:
                scale
            localrule: True
            input:
                lambda w, scale=scale: products(scale),

    for study in studies(scale):

        rule:
            name:
                f"{scale}_{study}"
            localrule: True
            input:
                lambda w, scale=scale, study=study: targets(grid(scale, study)),


onsuccess:
    print(summary(RESULTS, START, PRODUCTS, SOURCES))


onerror:
    print(summary(RESULTS, START, PRODUCTS, SOURCES))
