"""Several jobs in one command: `pools=` replaces protocol, searcher and repetitions, and may replace the data set."""

import contextlib
import logging
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.configuration.compose import configure, unknown
from bayes_hpo.errors import RunError, UserError, described, system_error
from bayes_hpo.storage.layout import log_file

NAME = "pools="
OPTIONS = ("protocol", "searcher")
PARTS = (*OPTIONS, "repetitions")
PLAIN = {"study", "scale", "dataset", "results_dir", "scratch_dir", "skip"}  # settings that do not change components


def is_given(arguments: list[str]) -> bool:
    """Whether the arguments of a command contain a list of pools."""
    return any(argument.startswith(NAME) for argument in arguments)


def configurations(stage: str, arguments: list[str], groups: Sequence[str]) -> list[dict]:
    """The configuration for each pool of the list, equal to that of a command for this pool alone.

    Raises: UserError for a malformed list, for a setting that the list contains itself, and as `configure`.
    """
    *_, listed = [argument for argument in arguments if argument.startswith(NAME)]
    rest = [argument for argument in arguments if not argument.startswith(NAME)]
    for argument in rest:
        if argument.partition("=")[0] in PARTS:
            raise UserError(f"{NAME} and {argument} are both given; give one: a list names {', '.join(PARTS)} itself")
    pools = [_values(pool) for pool in listed.removeprefix(NAME).split(",")]
    if {argument.partition("=")[0] for argument in rest} - PLAIN:  # these may change components of the pools
        return [configure(stage, _arguments(rest, pool), groups) for pool in pools]
    # Hydra composes only the first pool; the others differ from it by their options
    cfg = configure(stage, _arguments(rest, pools[0]), (*groups, *OPTIONS))
    every = {part: cfg.pop(f"{part}s") for part in OPTIONS}
    return [_with_options(cfg, every, pool) | {"overrides": _arguments(rest, pool)} for pool in pools]


def _arguments(rest, pool):
    """The arguments of a command for one pool (dict), whose data set, if any, replaces that of the rest."""
    kept = [argument for argument in rest if not ("dataset" in pool and argument.startswith("dataset="))]
    return [*kept, *map("=".join, pool.items())]


def _with_options(cfg, every, pool):
    """The configuration with the options of another pool (dict). every: dict, group -> option -> node."""
    for part in OPTIONS:
        if pool[part] not in every[part]:
            raise UserError(unknown(part, pool[part], every[part]))
    names = cfg["names"] | {part: pool[part] for part in OPTIONS}
    return cfg | pool | {part: every[part][pool[part]] for part in OPTIONS} | {"names": names}


def _values(pool):
    """The settings of one pool in the list: dict, setting -> value."""
    dataset, colon, named = pool.rpartition(":")
    values = named.split("/")
    if bool(colon) != bool(dataset) or not 2 <= len(values) <= len(PARTS) or not all(values):
        raise UserError(
            f"{NAME}{pool} is not of the form protocol/searcher, of a search with its repetitions, for example "
            "holdout/gp/0-4, or iris:holdout/gp/0-4 of a data set, and commas between several"
        )
    return ({"dataset": dataset} if dataset else {}) | dict(zip(PARTS, values, strict=False))


def do_each(main: Callable[[dict], None], job_of: Callable[[dict], SearchJob | ScoreJob], cfgs: list[dict]) -> None:
    """Run `main` with each of the configurations, even if others fail.

    job_of: function, configuration -> its job, which determines the log file.
    Raises: UserError of `job_of`, before any job runs. With one sentence for each failed job: UserError when all of
    these failed with one, else RunError.
    """
    problems, jobs = {}, [job_of(cfg) for cfg in cfgs]  # sentence -> whether it is a UserError
    for cfg, job in zip(cfgs, jobs, strict=True):
        with _logged(log_file(job.output, job.scale, job.results)) as log:
            try:
                main(cfg)
            except Exception as problem:  # an error in a searcher must not stop the other jobs
                sentence = _sentence(problem, log)
                log.write(f"error: {sentence}\n")
                problems[f"{job.pool}: {sentence}"] = isinstance(problem, UserError)
    if problems:
        raise (UserError if all(problems.values()) else RunError)("\nerror: ".join(problems))


def _sentence(problem, log):
    """The sentence on a failed job; the traceback of an unexpected error is written to the log."""
    if isinstance(problem, (UserError, RunError)):
        return str(problem)
    if isinstance(problem, MemoryError) or (isinstance(problem, OSError) and problem.filename is not None):
        return str(system_error(problem))
    log.write("".join(traceback.format_exception(problem)))
    return f"{described(problem)}; see {log.name}"


@contextlib.contextmanager
def _logged(path):
    """A new log file at `path`, open for writing, which also receives all log messages."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", buffering=1, encoding="utf-8") as stream:
        handler = logging.StreamHandler(stream)
        handler.setFormatter(logging.getLogger().handlers[0].formatter)
        logging.getLogger().addHandler(handler)
        try:
            yield stream
        finally:
            logging.getLogger().removeHandler(handler)
