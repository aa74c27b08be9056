"""An estimate with its interval beside its limits and the published value, as positions on a line from 0 to 100."""

from math import isfinite

EDGE = 6  # free at both ends


def drawing(estimate, low, high, published, limits):
    """Positions (dict) of low, estimate, high and published, where finite, and of limits (list); {} without estimate.

    limits: what the estimate is held against: one threshold, or both ends of a margin.
    """
    values = {"low": low, "estimate": estimate, "high": high, "published": published}
    values = {name: value for name, value in values.items() if isfinite(value)}
    if "estimate" not in values:
        return {}
    first, last = min(*values.values(), *limits), max(*values.values(), *limits)
    scale = (100 - 2 * EDGE) / (last - first) if last > first else 0.0
    positions = {name: EDGE + (value - first) * scale for name, value in values.items()}
    return positions | {"limits": [EDGE + (value - first) * scale for value in limits]}
