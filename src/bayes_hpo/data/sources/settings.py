"""The settings of data sources, as given by a command."""

from dataclasses import dataclass, fields
from pathlib import Path

from bayes_hpo.configuration.overrides import word


@dataclass(frozen=True)
class Settings:
    """Settings of every source; the field NAME is the override data.NAME, but for results_dir.

    archive_dir: the archive's folder, or its data.tar.gz.
    archive_url: address of data.tar.gz.
    openml_dir: folder of substitutes for OpenML's files.
    cifar_dir: folder of CIFAR-10's binary batches.
    csv: a user's file.
    target: name or number of the target column, also of an OpenML set; empty: the last (or default) one.
    openml_server: address of another OpenML server.
    timeout_s: seconds without data after which a connection is closed.
    deadline_s: seconds for all attempts at a data set of OpenML, and for another job that downloads the archive.
    attempts: at a download, at most, pause_s seconds apart.
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
        """Folder of prepared data sets and of downloads."""
        return Path(self.results_dir) / "data"

    def overrides(self) -> str:
        """The settings that differ from their defaults, as words of a pasted command."""
        prefixes = {field.name: "data." for field in fields(self)} | {"results_dir": ""}
        return " ".join(
            word(f"{prefix}{name}", getattr(self, name))
            for name, prefix in prefixes.items()
            if getattr(self, name) != getattr(Settings, name)
        )
