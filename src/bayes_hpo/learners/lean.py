"""Imports that leave out what an optional dependency would cost the start of every job."""

import contextlib
import sys


@contextlib.contextmanager
def without(name):
    """Let a library be imported as if the module `name` were not installed, unless it is loaded already.

    scikit-learn loads pandas only to recognise its frames; here it sees arrays, and a fifth of its import is saved.
    """
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None
    try:
        yield
    finally:
        del sys.modules[name]
