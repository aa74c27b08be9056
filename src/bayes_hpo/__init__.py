"""A replication of five documents on Bayesian hyperparameter optimization, one thread per process."""

import os

# Before numpy is loaded: with more threads BLAS would add up in another order, and jobs would fight for the cores.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ[_name] = "1"
