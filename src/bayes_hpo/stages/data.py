"""Prepare a data set or a suite and print its file (for a CSV file also its columns), or list how to get each."""

from collections import Counter

from bayes_hpo.data.registry import suite
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.data.store import availability, contents, prepare, prepare_all
from bayes_hpo.errors import UserError
from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Prepare the data sets, or list them with list=true."""
    if bool(cfg["dataset"]) == bool(cfg["suite"]):
        raise UserError("give either dataset=NAME or suite=NAME, for example suite=overfitting118")
    names = suite(cfg["suite"]) if cfg["suite"] else [cfg["dataset"]]
    settings = Settings(results_dir=cfg["results_dir"], **cfg["data"])
    if cfg["list"]:
        _list(availability(names, settings))
    elif cfg["suite"]:
        prepare_all(names, settings)
    else:
        print(prepare(cfg["dataset"], settings))
        for sentence in contents(cfg["dataset"], settings):
            print(sentence)


def _list(sets):
    width = max(len(dataset.name) for dataset in sets)
    for dataset in sets:
        print(f"{dataset.name:{width}}  {dataset.state:10}  {dataset.command}")
    kinds = Counter((dataset.state, dataset.reason) for dataset in sets)
    for (state, reason), count in kinds.items():
        print(f"{count} {state}{': ' * bool(reason)}{reason}")


if __name__ == "__main__":
    run("data", main)
