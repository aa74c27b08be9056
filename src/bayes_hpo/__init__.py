"""A replication of five documents on Bayesian hyperparameter optimization; one thread per process."""

import os
import signal
import sys

STOPPED = "stopped; run the same command to go on"

# Set before numpy is loaded: multithreaded BLAS sums in a different order, and jobs would compete for the cores.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[_name] = "1"


def stop(*_):
    """Exit at once on Ctrl-C while a stage is still importing its modules: there is nothing to clean up yet."""
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(130)


def raise_at_interrupts():
    """Restore Python's own handling of Ctrl-C (KeyboardInterrupt) once a stage has begun."""
    if signal.getsignal(signal.SIGINT) is stop:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Installed before a stage imports anything else; sys.argv[0] is "-m" while `python -m` locates its module.
if sys.argv[:1] == ["-m"] and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, stop)


def __getattr__(name):
    """Import the public names of the library (docs/library.md) on first use; the stages do not need them."""
    if name in ("Optimizer", "Space", "load_scores", "minimize"):
        from bayes_hpo.library import public

        return getattr(public, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
