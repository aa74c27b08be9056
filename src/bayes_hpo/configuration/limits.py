"""The limits that numbers of the configuration must lie within."""

from bayes_hpo.errors import UserError


def check_limits(path, values, **limits):
    """Raises: UserError for the first number that does not lie within its limits; nan lies within none.

    path: where the numbers stand in the configuration, such as "measure". values: an object that has them as
    attributes. limits: name of a number -> (lowest, highest), both allowed.
    """
    for name, (low, high) in limits.items():
        value = getattr(values, name)
        if not low <= value <= high:
            raise UserError(f"{path}.{name}={value} must lie between {low:g} and {high:g}")
