"""The settings of the data sources, as given on the command line."""

from dataclasses import dataclass, fields
from pathlib import Path

from bayes_hpo.configuration.overrides import word


@dataclass(frozen=True)
class Settings:
    """Settings of all sources; the field NAME is set by the override data.NAME, except results_dir.

    archive_dir: folder of the archive, or its data.tar.gz.
    archive_url: address of data.tar.gz.
    openml_dir: folder of substitutes for OpenML's files.
    cifar_dir: folder of the binary batches of CIFAR-10.
    csv: path of a user's file.
    target: name or number of the target column of a CSV file or OpenML data set; empty: the last (or default) column.
    openml_server: address of another OpenML server.
    timeout_s: seconds without data after which a connection is closed.
    deadline_s: seconds for all attempts to download an OpenML data set, or to wait for another job's download.
    attempts: maximum number of attempts per download.
    pause_s: seconds between two attempts.
    """

    results_dir: str = "results"
    archive_dir: str = ""
    archive_url: str = ""
    openml_dir: str = ""
    cifar_dir: str = ""
    csv: str = ""
    target: str = ""
    openml_server: str = ""
    timeout_s: float = 30.0
    deadline_s: float = 600.0
    attempts: int = 4
    pause_s: float = 3.0

    @property
    def folder(self) -> Path:
        """Folder of prepared data sets and downloads."""
        return Path(self.results_dir) / "data"

    def overrides(self) -> str:
        """The settings that differ from their defaults, as overrides to paste into a command."""
        prefixes = {field.name: "data." for field in fields(self)} | {"results_dir": ""}
        return " ".join(
            word(f"{prefix}{name}", getattr(self, name))
            for name, prefix in prefixes.items()
            if getattr(self, name) != getattr(Settings, name)
        )
