# Scales as targets: <scale> runs a whole scale, <scale>_<study> one of its studies; smoke is in the Snakefile.
def everything(scale):
    """The targets of a scale: results and products of its studies, ledger and page."""
    of_studies = [target for study in studies(scale) for target in targets(grid(scale, study))]
    return of_studies + ([] if SKIP else [page_file(scale, PRODUCTS)])


for scale in SCALES:
    if scale != "smoke":

        rule:
            name:
                scale
            localrule: True
            input:
                lambda w, scale=scale: everything(scale),

    for study in studies(scale):

        rule:
            name:
                f"{scale}_{study}"
            localrule: True
            input:
                lambda w, scale=scale, study=study: targets(grid(scale, study)),
