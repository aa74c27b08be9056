"""The two kinds of errors that end a command with one sentence instead of a traceback, and errors of learners."""

RESOURCE_ERRORS = (MemoryError, OSError, ImportError)  # memory, a file or room for it, a module
NO_THREAD = "can't start new thread"  # the only mark of Python's RuntimeError for want of a thread


class UserError(Exception):
    """The command or a configuration file is wrong; the stage ends with exit code 2."""


class RunError(Exception):
    """A file, the network, the disk or another job is not as the run needs it; the stage ends with exit code 1."""


class MissingResultsError(RunError):
    """The scores or the measure that a product rests on are not there: not run, or not released."""


class EmptyPoolError(RunError):
    """No trial of the pool has finished, so there is nothing to select from."""


def system_error(problem: MemoryError | OSError) -> RunError:
    """The RunError of a file or of memory that the system does not give. Raises: an OSError that names no file."""
    if isinstance(problem, MemoryError):
        return RunError(f"too little memory for the stage ({problem or 'none left'}); give it more, or another machine")
    if problem.filename is None:
        raise problem
    return RunError(f"{problem.filename} cannot be used ({problem.strerror}); mend that and run the same command again")


def is_permission_error(error: RunError) -> bool:
    """Whether a RunError comes from a file's permissions: the file may be complete, so it must not be replaced."""
    return isinstance(error.__cause__, PermissionError)


def described(problem: BaseException) -> str:
    """The name of an error and the first line of its text: scikit-learn adds paragraphs of advice."""
    return f"{type(problem).__name__}: {str(problem).partition(chr(10))[0]}"


def missing_resource(problem: BaseException | None) -> BaseException | None:
    """The error, `problem` or one along the chain of its causes, of a missing resource of the process; None if none.

    That is memory, a file, a module or a thread: another machine, or the same one tomorrow, may provide it.
    """
    while problem is not None and not (isinstance(problem, RESOURCE_ERRORS) or NO_THREAD in str(problem)):
        problem = problem.__cause__
    return problem


def is_learner_error(problem: Exception) -> bool:
    """Whether an error raised while a learner ran is the learner's fault: its trial fails, the search continues."""
    return not isinstance(problem, (UserError, RunError)) and missing_resource(problem) is None
