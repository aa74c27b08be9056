"""The two kinds of trouble that end a command with one sentence instead of a traceback, and what a process may lack."""

LACKS = (MemoryError, OSError, ImportError)  # of memory, of a file or of room for it, of a module
NO_THREAD = "can't start new thread"  # nothing else tells this RuntimeError of Python's from a learner's


class UserError(Exception):
    """The command or a configuration file is wrong; the stage ends with exit code 2."""


class Fault(Exception):
    """The world is not as it must be (a file, the network, the disk, another job); exit code 1."""


def refused(problem):
    """The Fault of a file, or of memory, that the system refuses. Raises: an OSError `problem` that names no file."""
    if isinstance(problem, MemoryError):
        return Fault(f"too little memory for the stage ({problem or 'none left'}); give it more, or another machine")
    if problem.filename is None:
        raise problem
    return Fault(f"{problem.filename} cannot be used ({problem.strerror}); mend that and run the same command again")


def is_forbidden(fault):
    """Whether it is a file's permissions that a Fault tells: the file may be whole, so nothing may take its place."""
    return isinstance(fault.__cause__, PermissionError)


class EmptyPool(Fault):
    """No trial of the pool has finished, so there is nothing to select from."""


def described(problem):
    """The name of an error and the first line of its text: scikit-learn adds paragraphs of advice."""
    return f"{type(problem).__name__}: {str(problem).partition(chr(10))[0]}"


def lack(problem):
    """The error, `problem` or one along the chain of its causes, that tells what the process lacks; None without one.

    That is memory, a file, a module or a thread: what another machine or the same one tomorrow may have.
    """
    while problem is not None and not (isinstance(problem, LACKS) or NO_THREAD in str(problem)):
        problem = problem.__cause__
    return problem


def is_learners(problem):
    """Whether an error that was raised in a learner is the learner's own: its trial has failed, the search goes on."""
    return not isinstance(problem, (UserError, Fault)) and lack(problem) is None
