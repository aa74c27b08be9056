"""The two kinds of trouble that end a command with one sentence instead of a traceback."""


class UserError(Exception):
    """The command or a configuration file is wrong; the stage ends with exit code 2."""


class Fault(Exception):
    """The world is not as it must be (a file, the network, the disk, another job); exit code 1."""


class Unreadable(Fault):
    """A file is there, but its permissions forbid to read it: it may be whole, so nothing may take its place."""


class EmptyPool(Fault):
    """No trial of the pool has finished, so there is nothing to select from."""
