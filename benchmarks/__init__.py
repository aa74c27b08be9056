import bayes_hpo  # noqa: F401, pins numerics to one thread before numpy is loaded
