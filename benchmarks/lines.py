"""Colour and dashes of every optimizer, the same in all figures of the benchmarks."""

LINES = {  # ours black, other Gaussian processes in colour, the others grey
    "fast": ("black", "-"),
    "published": ("black", ":"),
    "skopt": ("#D55E00", "-"),
    "optuna_gp": ("#00539B", "-"),
    "botorch": ("#CC79A7", "-"),
    "smac": ("#6A3D9A", "--"),
    "sklearn": ("#009E73", "--"),
    "optuna_tpe": ("0.5", "--"),
    "random": ("0.7", "-"),
}
