"""The part of a configuration that the pools of a search depend on."""

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


def job_config(cfg: dict, owner: str) -> dict:
    """What the pools of a search depend on, of a configuration with study, protocol, searcher and budget.

    owner: the study whose draws they are made with.
    """
    own = {"owner": owner, "protocol": cfg["protocol"], "searcher": cfg["searcher"], "budget": cfg["budget"]}
    return own | {key: cfg["study"][key] for key in JOB_KEYS}
