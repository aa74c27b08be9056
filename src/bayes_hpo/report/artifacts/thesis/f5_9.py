"""Thesis, figure 5.9: with which learner the searches of GP-cond-ls end on each data set."""

from matplotlib.figure import Figure

from bayes_hpo.report.figures import final_learners, style

TITLE = "Figure 5.9: final learners of GP-cond-ls on each data set"
LOOKS = [  # face and hatch of the learners in their order: told apart in grey by both
    ("#E6E6E6", ""),
    ("#0072B2", ""),
    ("#56B4E9", "////"),
    ("#F0E442", ""),
    ("#D55E00", ""),
    ("#CC79A7", "...."),
    ("#FFFFFF", "xxxx"),
    ("#999999", ""),
    ("#FFFFFF", "----"),
]
ALWAYS = [
    ("tita", "dt", "tita, which in the document always ends with dt"),
    ("917", "linsvm", "917, which in the document always ends with linsvm"),
]


def figure(given):
    """(matplotlib figure, notes): a stacked column per data set in the printed order, in percent of its repetitions."""
    chosen = final_learners.final_learners(given)
    drawing = Figure(figsize=(7.2, 3.4), layout="constrained")
    axis = drawing.subplots()
    draw(axis, final_learners.shares(chosen))
    style.legend_above(drawing, axis)
    said = [sentence for one in ALWAYS for sentence in final_learners.always(chosen, *one)]
    return drawing, [*final_learners.coverage(given, chosen), *said, "The printed columns are lost."]


def draw(axis, shares):
    """shares: frame (n_datasets, n_learners) in percent."""
    below = 0 * shares.iloc[:, 0]
    for place, name in enumerate(shares):
        face, hatch = LOOKS[place % len(LOOKS)]
        look = {"color": face, "hatch": hatch, "edgecolor": "0.25", "linewidth": 0.4, "width": 0.8}
        axis.bar(range(len(shares)), shares[name], bottom=below, label=name, **look)
        below = below + shares[name]
    axis.set_xticks(range(len(shares)), shares.index, rotation=60 if len(shares) > 12 else 0)
    axis.grid(visible=False, axis="x")
    axis.set(xlabel="data set", ylabel="repetitions (%)", ylim=(0, 100), xlim=(-0.6, len(shares) - 0.4))
