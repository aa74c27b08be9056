"""What the tests of the library minimize: a space with conditions, a grid, an error, one that fails at times."""

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
GRID = {"x": {"low": -1.0, "high": 2.0}, "y": {"low": 0.0, "high": 1.0}}
LOCAL = [f"gp_{kernel}{rest}" for kernel in ("cond", "laplace", "matern") for rest in ("", "_ls")]
LENGTHS = ("gp_matern_length_2", "gp_matern_noimpute", "gp_matern_noimpute_length_2")
KEEPING = ("divbo_bo", *LOCAL, *LENGTHS, "random", "smac")  # methods that keep forbidden clauses


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
