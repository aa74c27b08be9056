"""Several pools of one data set by one command: `pools=` in place of protocol, searcher and repetitions."""

import contextlib
import logging
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import Fault, UserError, described, system_error
from bayes_hpo.storage.layout import log_file

NAME = "pools="
PARTS = ("protocol", "searcher", "repetitions")


def is_given(arguments: list[str]) -> bool:
    """Whether the arguments of a command hold a list of pools."""
    return any(argument.startswith(NAME) for argument in arguments)


def configurations(stage: str, arguments: list[str], groups: Sequence[str]) -> list[dict]:
    """One configuration (list of dict) for each pool of the list, as the stage has it from a command of its own.

    Raises: UserError for a malformed list, and as `configure`.
    """
    *_, listed = [argument for argument in arguments if argument.startswith(NAME)]
    rest = [argument for argument in arguments if not argument.startswith(NAME)]
    return [configure(stage, [*rest, *_overrides(pool)], groups) for pool in listed.removeprefix(NAME).split(",")]


def _overrides(pool):
    values = pool.split("/")
    if not 2 <= len(values) <= len(PARTS) or not all(values):
        raise UserError(
            f"{NAME}{pool} names no pool; give protocol/searcher, of a search also its repetitions, for example "
            "holdout/gp/0-4, and commas between several"
        )
    return [f"{name}={value}" for name, value in zip(PARTS, values, strict=False)]


def do_each(main: Callable[[dict], None], job_of: Callable[[dict], SearchJob | ScoreJob], cfgs: list[dict]) -> None:
    """Run `main` with each of the configurations (list), whatever becomes of the others.

    job_of: function, configuration -> its job, whose log tells what has become of it.
    Raises: UserError of `job_of`, before any of them runs; Fault with one sentence for each job that has failed.
    """
    problems, jobs = [], [job_of(cfg) for cfg in cfgs]
    for cfg, job in zip(cfgs, jobs, strict=True):
        with _logged(log_file(job.output, job.scale, job.results)) as log:
            try:
                main(cfg)
            except Exception as problem:  # a searcher's mistake too must not stop the others
                sentence = _sentence(problem, log)
                log.write(f"error: {sentence}\n")
                problems.append(f"{job.pool}: {sentence}")
    if problems:
        raise Fault("\nerror: ".join(problems))


def _sentence(problem, log):
    """What is said of a job that has failed; the traceback of what no stage expects goes to the log."""
    if isinstance(problem, (UserError, Fault)):
        return str(problem)
    if isinstance(problem, MemoryError) or (isinstance(problem, OSError) and problem.filename is not None):
        return str(system_error(problem))
    log.write("".join(traceback.format_exception(problem)))
    return f"{described(problem)}; see {log.name}"


@contextlib.contextmanager
def _logged(path):
    """A new log at `path`, open for writing, to which all that is logged goes too."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", buffering=1, encoding="utf-8") as stream:
        handler = logging.StreamHandler(stream)
        handler.setFormatter(logging.getLogger().handlers[0].formatter)
        logging.getLogger().addHandler(handler)
        try:
            yield stream
        finally:
            logging.getLogger().removeHandler(handler)
