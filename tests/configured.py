"""Components as the configuration makes them, their settings checked."""

from bayes_hpo.configuration.build import build


def configured(target, path, given=None, **settings):
    """What `target` (a class) is built to from a node with `settings` at `path`; given: objects of the program."""
    return build({"_target_": f"{target.__module__}.{target.__name__}", **settings}, path, **(given or {}))
