# The page of a scale: its ledger and all its artifacts in one file.
@cache
def page_fingerprint():
    texts = file_digests("src/bayes_hpo/report/page/page.html.j2", "src/bayes_hpo/report/page/page.css", "published/artifacts.csv", "published/*.yaml", "conf/method/*.yaml", "conf/study/*.yaml", "conf/setting/*.yaml", "CITATION.cff")
    return page_depends(list(texts.values()))["fingerprint"]


rule page:
    input:
        lambda w: [path for study in studies(w.scale) for path in reported(grid(w.scale, study))],
        ledger_file("{scale}", PRODUCTS),
    output:
        page_file("{scale}", PRODUCTS),
    log:
        f"{RESULTS}/{{scale}}/logs/report/page.log",
    params:
        depends=lambda w: page_fingerprint(),
    localrule: True
    shell:
        "{PYTHON} -m bayes_hpo.stages.report scale={wildcards.scale} artifact=page {PLACE} products_dir={PRODUCTS} > {log} 2>&1"
