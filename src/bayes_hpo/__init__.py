"""A replication of five documents on Bayesian hyperparameter optimization, one thread per process."""

import os
import signal
import sys

STOPPED = "stopped; run the same command to go on"

# Before numpy is loaded: with more threads BLAS would add up in another order, and jobs would fight for the cores.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[_name] = "1"


def stop(*_):
    """End the process at Ctrl-C while a stage imports its modules: nothing has begun that would have to end well."""
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(130)


def raise_at_interrupts():
    """Let Ctrl-C raise KeyboardInterrupt again, as it does in Python, now that a stage has begun."""
    if signal.getsignal(signal.SIGINT) is stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Before all else that a stage imports; argv is -m while `python -m` looks for its module.
if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, stop)


def __getattr__(name):
    """The names of the library (docs/library.md), loaded at their first use: stages do without them."""
    if name in ("Optimizer", "Space", "load_scores", "minimize"):
        from bayes_hpo.library import public

        return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
