"""What the tests of the library minimize: a toy problem with conditions, and one that fails for some configurations."""

import math

SPACE = {
    "kernel": {"choices": ["linear", "rbf", None]},
    "C": {"low": 1e-3, "high": 1e3, "log": True},
    "gamma": {"low": 1e-5, "high": 10.0, "log": True, "when": {"kernel": "rbf"}},
    "degree": {"low": 1, "high": 9, "integer": True, "when": {"kernel": ["linear", "rbf"]}},
    "shrinking": {"choices": [True, False]},
    "seed": {"value": 3},
}
FORBIDDEN = [{"kernel": "linear", "shrinking": False}]


def loss(configuration):
    """Lowest at C = 10, gamma = .01 and degree 3."""
    distance = abs(math.log10(configuration["C"]) - 1) + abs(math.log10(configuration.get("gamma", 1)) + 2) / 2
    return distance + abs(configuration.get("degree", 9) - 3) / 10


def unlucky(configuration):
    """Like `loss`, but an error, NaN or infinity for some configurations."""
    if configuration["kernel"] == "linear":
        raise ValueError("no luck\nwith this one")
    return (
        {True: math.nan, False: math.inf}[configuration["shrinking"]] if configuration["C"] > 1 else loss(configuration)
    )
