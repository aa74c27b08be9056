"""A Gaussian process of one hyperparameter above, acquisitions below: figures 2.1 to 2.3."""

POSTERIOR, NEXT = "#00539B", "#D55E00"
CURVES = {
    "truth": {"label": "true function", "color": "black", "linestyle": (0, (4, 2))},
    "mean": {"label": "posterior mean, one sd", "color": POSTERIOR},
    "observation": {"label": "observations", "color": "0.35", "linestyle": "none", "marker": "o", "markersize": 3},
}


def draw_model(axis, rows):
    """The curves that there are, the observations, and the mean's band. rows: frame of kind, x and y."""
    for kind, look in CURVES.items():
        own = rows[rows["kind"] == kind]
        if len(own):
            axis.plot(own["x"], own["y"], **look)
    lower, upper = (rows[rows["kind"] == kind] for kind in ("lower", "upper"))
    axis.fill_between(lower["x"], lower["y"], upper["y"], color="#D3E1EE", linewidth=0)


def draw_improvement(axis, rows):
    """The expected improvement and its maximum, which is tried next. rows: frame of kind, x and y."""
    curve, chosen = (rows[rows["kind"] == kind] for kind in ("improvement", "next"))
    axis.plot(curve["x"], curve["y"], color="0.35", linestyle=(0, (1, 1)), label="expected improvement")
    axis.fill_between(curve["x"], 0, curve["y"], color="0.9", linewidth=0)
    axis.plot(
        chosen["x"],
        chosen["y"],
        color=NEXT,
        linestyle="none",
        marker="v",
        clip_on=False,
        label="its maximum: next trial",
    )
    axis.set_ylim(0, max(1.15 * rows.loc[rows["kind"].isin(["improvement", "next"]), "y"].max(), 1e-9))


def draw_other(axis, rows, kind, best):
    """Another acquisition, of which `best` (a function of the values) gives the number of the point it prefers."""
    curve = rows[rows["kind"] == kind]
    axis.plot(curve["x"], curve["y"], color="0.35", linestyle=(0, (1, 1)))
    chosen = curve.iloc[best(curve["y"].to_numpy())]
    axis.plot(chosen["x"], chosen["y"], color=NEXT, linestyle="none", marker="v", clip_on=False)
