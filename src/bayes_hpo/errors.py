"""The two kinds of trouble that end a command with one sentence instead of a traceback."""


class UserError(Exception):
    """The command or a configuration file is wrong; the stage ends with exit code 2."""


class Fault(Exception):
    """The world is not as it must be (a file, the network, the disk, another job); exit code 1."""


def refused(problem):
    """The Fault of a file that the system refuses. Raises: the OSError `problem` itself when it names no file."""
    if problem.filename is None:
        raise problem
    return Fault(f"{problem.filename} cannot be used ({problem.strerror}); mend that and run the same command again")


def is_forbidden(fault):
    """Whether it is a file's permissions that a Fault tells: the file may be whole, so nothing may take its place."""
    return isinstance(fault.__cause__, PermissionError)


class EmptyPool(Fault):
    """No trial of the pool has finished, so there is nothing to select from."""
