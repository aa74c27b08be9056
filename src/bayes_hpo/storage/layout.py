"""The paths of results and products; arguments may be Snakemake wildcards."""

from collections.abc import Collection
from os.path import isdir
from pathlib import Path

RESULTS = "results"
SCORES_SCHEMA = 1  # version of the columns of score files


def data_file(dataset: str, results: str = RESULTS) -> str:
    """File of a prepared data set."""
    return f"{results}/data/{dataset}.npz"


def pool_folder(scale: str, owner: str, dataset: str, protocol: str, searcher: str, results: str = RESULTS) -> str:
    """Folder of the pools of one search on one data set, with their journals, refits and manifests."""
    return f"{results}/{scale}/pools/{owner}/{dataset}/{protocol}/{searcher}"


def manifest_file(folder: str, first: int | str, last: int | str) -> str:
    """Manifest of the repetitions first to last in a pool folder."""
    pad = (lambda number: number) if isinstance(first, str) else "{:03d}".format
    return f"{folder}/block_{pad(first)}-{pad(last)}.json"


def score_folder(scale: str, study: str, results: str = RESULTS) -> str:
    """Folder of the scores of a study."""
    return f"{results}/{scale}/scores/{study}"


def score_file(scale: str, study: str, dataset: str, protocol: str, searcher: str, results: str = RESULTS) -> str:
    """Scores of all methods of a study on the pools of one search on one data set."""
    return f"{score_folder(scale, study, results)}/{dataset}/{protocol}/{searcher}.parquet"


def searched(path: str | Path) -> dict[str, str]:
    """The data set, protocol and searcher (dict) in the path of a score file."""
    dataset, protocol, name = Path(path).parts[-3:]
    return {"dataset": dataset, "protocol": protocol, "searcher": Path(name).stem}


def score_files(folder: str | Path, datasets: Collection[str]) -> list[Path]:
    """The score files in the folder of a study's scores, in the order of the data sets."""
    return [path for name in datasets for path in sorted(Path(folder, name).glob("*/*.parquet"))]


def released_folder(scale: str, study: str, released: str | Path = "released") -> str:
    """Folder of a study's committed scores, with the same layout as `score_folder`."""
    return f"{released}/{study}/{scale}"


def with_released(studies: list[str], scale: str, released: str | None) -> list[str]:
    """The studies with a folder of committed scores at a scale; all studies if there is none."""
    return [study for study in studies if released and isdir(released_folder(scale, study, released))] or studies


def released_file(
    scale: str, study: str, dataset: str, protocol: str, searcher: str, released: str | Path = "released"
) -> str:
    """Committed scores of all methods of a study on the pools of one search on one data set."""
    return f"{released_folder(scale, study, released)}/{dataset}/{protocol}/{searcher}.parquet"


def measure_folder(scale: str, study: str, results: str = RESULTS) -> str:
    """Folder of the measures of a study."""
    return f"{results}/{scale}/measures/{study}"


def measure_file(scale: str, study: str, measure: str, results: str = RESULTS) -> str:
    """File of one measure of a study."""
    return f"{measure_folder(scale, study, results)}/{measure}.parquet"


def log_file(output: str, scale: str, results: str = RESULTS) -> str:
    """Log of the job that writes `output` below results/<scale>."""
    return output.replace(f"{results}/{scale}/", f"{results}/{scale}/logs/", 1).rpartition(".")[0] + ".log"


def composed_file(scale: str, study: str, results: str = RESULTS) -> str:
    """File of the composed configuration of a study at a scale."""
    return f"{results}/{scale}/composed/{study}.json"


def marker_file(scale: str, study: str, name: str, results: str = RESULTS) -> str:
    """Empty file that marks a batch of a study's jobs as done."""
    return f"{results}/{scale}/batches/{study}/{name}.done"


def table_file(scale: str, document: str, artifact: str, products: str = ".") -> str:
    """The .tex file of a table; its .csv is in the same folder."""
    return f"{products}/tables/{scale}/{document}/{artifact}.tex".removeprefix("./")


def figure_file(scale: str, document: str, artifact: str, products: str = ".") -> str:
    """The .pdf file of a figure; its .png is in the same folder."""
    return f"{products}/figures/{scale}/{document}/{artifact}.pdf".removeprefix("./")


def product_file(scale: str, document: str, artifact: str, products: str = ".") -> str:
    """The main file of an artifact: a figure if its name starts with F, else a table."""
    return (figure_file if artifact.startswith("F") else table_file)(scale, document, artifact, products)


def page_file(scale: str, products: str | Path = ".") -> str:
    """The report page of a scale, with its ledger and all artifacts."""
    return f"{products}/report/{scale}/index.html".removeprefix("./")


def ledger_file(scale: str, products: str | Path = ".") -> str:
    """The ledger of a scale; its .tex is in the same folder."""
    return f"{products}/tables/{scale}/ledger.csv".removeprefix("./")
