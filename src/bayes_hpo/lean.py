"""Imports that leave out what an optional dependency would cost the start of every job."""

import contextlib
import sys


@contextlib.contextmanager
def without(name):
    """Let libraries be used as if the module `name` were not installed, unless it is loaded already.

    scikit-learn and pyarrow load pandas only to recognise its frames; a job gives them arrays and lists, and a fifth
    of its start is saved.
    """
    absent = _Absent(name)
    sys.meta_path.insert(0, absent)
    try:
        yield
    finally:
        sys.meta_path.remove(absent)


class _Absent:
    """A finder of modules that says of one that it is not there."""

    def __init__(self, name):
        self.name = name

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            raise ModuleNotFoundError(f"{name} is left out here", name=name)
