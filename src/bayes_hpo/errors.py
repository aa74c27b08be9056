"""Errors that end a command with one sentence instead of a traceback, and the errors that count as a learner's own."""

RESOURCE_ERRORS = (MemoryError, OSError, ImportError)  # out of memory; file missing or disk full; module missing
NO_THREAD = "can't start new thread"  # message of a plain RuntimeError: Python has no class for this error


class UserError(Exception):
    """The command or a configuration file is invalid; the stage exits with code 2."""


class RunError(Exception):
    """A file, the network, the disk or another job is not in the state the run needs; the stage exits with code 1."""


class MissingResultsError(RunError):
    """The scores or the measure that a product needs do not exist: not run, or not released."""


class EmptyPoolError(RunError):
    """No trial of the pool has finished, so there is nothing to select from."""


def system_error(problem: MemoryError | OSError) -> RunError:
    """Convert an out-of-memory or file-system error to a RunError. Raises: the OSError itself if it names no file."""
    if isinstance(problem, MemoryError):
        return RunError(f"too little memory for the stage ({problem or 'none left'}); give it more, or another machine")
    if problem.filename is None:
        raise problem
    return RunError(f"{problem.filename} cannot be used ({problem.strerror}); mend that and run the same command again")


def is_permission_error(error: RunError) -> bool:
    """Whether a RunError was caused by a file's permissions: the file may be intact, so it must not be replaced."""
    return isinstance(error.__cause__, PermissionError)


def described(problem: BaseException) -> str:
    """Name of an error and the first line of its message; scikit-learn appends paragraphs of advice."""
    return f"{type(problem).__name__}: {str(problem).partition(chr(10))[0]}"


def missing_resource(problem: BaseException | None) -> BaseException | None:
    """The first error in the cause chain of `problem` that reports a missing resource; None if there is none.

    Resources are memory, files, modules and threads: another machine, or the same one later, may provide them.
    """
    while problem is not None and not (isinstance(problem, RESOURCE_ERRORS) or NO_THREAD in str(problem)):
        problem = problem.__cause__
    return problem


def is_learner_error(problem: Exception) -> bool:
    """Whether an error raised while a learner ran is the learner's fault, so that only its trial fails."""
    return not isinstance(problem, (UserError, RunError)) and missing_resource(problem) is None
