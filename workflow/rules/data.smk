# --config archive_dir=FOLDER, openml_dir=FOLDER and cifar_dir=FOLDER give the sources; prepared data sets are reused unless the
# format of their files has changed.
from bayes_hpo.data.prepared import FORM

SOURCES = " ".join(word(f"data.{key}", config[key]) for key in ("archive_dir", "archive_url", "openml_dir", "cifar_dir") if key in config)


rule data:
    output:
        data_file("{dataset}", RESULTS),
    log:
        f"{RESULTS}/logs/data/{{dataset}}.log",
    params:
        form=FORM,
    localrule: True
    shell:
        "{PYTHON} -m bayes_hpo.stages.data dataset={wildcards.dataset} {PLACE} {SOURCES} > {log} 2>&1"
