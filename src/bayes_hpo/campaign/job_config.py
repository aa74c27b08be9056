"""The part of a configuration on which the pools of a search depend."""

JOB_KEYS = (
    *("task", "preparation", "learner", "space", "evaluation"),
    *("test_draw", "test_percent", "training_cap", "most_rows"),
    *("time_limit", "cpu_limit", "memory_limit"),
)


def job_config(cfg: dict, owner: str) -> dict:
    """The part of a configuration (with study, protocol, searcher and budget) on which the pools of a search depend.

    owner: the study that keys the seeds.
    """
    search = {"owner": owner, "protocol": cfg["protocol"], "searcher": cfg["searcher"], "budget": cfg["budget"]}
    return search | {key: cfg["study"][key] for key in JOB_KEYS}
