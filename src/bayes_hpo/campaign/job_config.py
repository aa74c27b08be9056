"""The part of a configuration that the pools of a search depend on, its numbers checked."""

from bayes_hpo.errors import UserError

JOB_KEYS = (
    "task",
    "preparation",
    "learner",
    "space",
    "evaluation",
    "test_draw",
    "test_percent",
    "training_cap",
    "time_limit",
)
LIMITS = {
    "checkpoint": (1, 1e9),
    "test_percent": (1, 99),
    "training_cap": (2, 1e9),
    "refit_cap": (2, 1e9),
    "time_limit": (0.001, 1e9),
}


def job_config(cfg, owner):
    """What the pools of a search depend on, of a configuration with study, protocol, searcher and budget.

    owner: the study whose draws they are made with.
    """
    if cfg["budget"] < 1:
        raise UserError(f"budget={cfg['budget']} must be a whole number of trials, at least 1")
    for key, (low, high) in LIMITS.items():
        if not low <= cfg["study"][key] <= high:
            raise UserError(f"study.{key}={cfg['study'][key]:g} must lie between {low:g} and {high:g}")
    own = {"owner": owner, "protocol": cfg["protocol"], "searcher": cfg["searcher"], "budget": cfg["budget"]}
    return own | {key: cfg["study"][key] for key in JOB_KEYS}
