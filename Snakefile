# snakemake --cores 2          the offline default: every study at smoke scale
# snakemake --cores 64 paper   the full grid; small, pilot and <scale>_<study> are targets too
import sys
import time
from pathlib import Path

from snakemake.utils import min_version

min_version("9.0")

from bayes_hpo.configuration import options
from bayes_hpo.errors import Fault, UserError
from bayes_hpo.grid import Grid
from bayes_hpo.progress import summary

START = time.time()
PYTHON = sys.executable
RESULTS, PRODUCTS = config.get("results_dir", "results"), config.get("products_dir", ".")
SCALES, STUDIES = options("scale"), options("study")

include: "workflow/rules/common.smk"
include: "workflow/rules/data.smk"
include: "workflow/rules/search.smk"
include: "workflow/rules/score.smk"
include: "workflow/rules/report.smk"

localrules: smoke

rule smoke:
    default_target: True
    input: lambda w: products("smoke")

for scale in SCALES:
    if scale != "smoke":
        rule:
            name: scale
            input: lambda w, scale=scale: products(scale)
    for study in STUDIES:
        rule:
            name: f"{scale}_{study}"
            input: lambda w, scale=scale, study=study: grid(scale, study).products

onsuccess: print(summary(RESULTS, START))
onerror: print(summary(RESULTS, START))
