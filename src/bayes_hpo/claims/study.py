"""The studies of a scale as the claims see them: their scores as wide tables, and what their searches cost."""

from dataclasses import dataclass, field

import pandas as pd

from bayes_hpo.claims import identities, traits
from bayes_hpo.claims.sample import EARLY_ERROR, EARLY_LOSS, ERROR, LOSS, QUANTITIES
from bayes_hpo.claims.traits import COLUMNS
from bayes_hpo.data.registry import suite
from bayes_hpo.documents.names import EVIDENCE
from bayes_hpo.documents.printed import Printed
from bayes_hpo.scores import frames
from bayes_hpo.scores.choices import Choices

KEYS = ["dataset", "repetition"]


@dataclass(frozen=True)
class Design:
    """What a scale offers: datasets (tuple of names) and repetitions (dict, validation -> number)."""

    datasets: tuple
    repetitions: dict


@dataclass(frozen=True)
class Study:
    """scores: frame of frames.read, None when there are none yet. traits: frame of traits.read.

    pools: dict, (validation, method) -> (name of the pool that the method selects from, its estimated core-hours).
    printed: what the document prints of its errors (`Printed.comparable`). labels: dict, method -> its name in print.
    flagged: data sets without which verdicts are given a second time.
    toys: frame of the covariances of a toy space, of which identities are measured, None where there is none.
    designs: dict, scale -> Design, of the scales whose runs are evidence.
    behind: dict, validation -> number of repetitions behind a printed cell.
    """

    scores: pd.DataFrame | None = None
    pools: dict = field(default_factory=dict)
    traits: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=COLUMNS))
    printed: dict = field(default_factory=dict)
    labels: dict = field(default_factory=dict)
    flagged: tuple = ()
    toys: pd.DataFrame | None = None
    designs: dict = field(default_factory=dict)
    behind: dict = field(default_factory=dict)


def read(name, cfg, folder, measures, *, scale, datasets, registered, pools, scored, hint):
    """The Study of this name and configuration, from the folders of its scores and measures.

    datasets: of its suite at this scale; registered: the registry, dict, data set -> row. pools: as in Study. scored:
    whether there are scores. hint: as in `frames.read`. Raises: Fault for missing or damaged files.
    """
    which = {"study": name, "scale": scale, "datasets": datasets, "hint": hint}
    which |= {"worst_loss": cfg["task"]["worst_loss"]}
    choice, printed = Choices.of(cfg) if scored else None, Printed.of(cfg, registered)
    return Study(
        scores=frames.read(folder, **which) if scored else None,
        pools=pools,
        traits=traits.read(measures, name, scale, [choice.read(folder, **which)] if choice else []),
        printed=printed.comparable,
        labels=cfg["labels"],
        flagged=tuple(printed.called(printed.flagged)),
        toys=traits.frame(measures, identities.FRAME, name, scale),
        designs={size: _design(one) for size, one in cfg["scales"].items() if size in EVIDENCE},
        behind={where: precision.repetitions for where, precision in printed.precision.items()},
    )


def _design(offered):
    """The Design of one scale of a study's configuration."""
    return Design(tuple(suite(offered["suite"])), offered["repetitions"])


def wide(studies, rows):
    """dict, quantity -> frame: index (data set, repetition), columns (study, validation, method).

    studies: dict, name -> Study. rows: the registry, dict, data set -> row. In a study that has a variant of a data set
    and not the data set itself, the variant stands under its name, beside those of other studies. Errors and losses
    are fractions, traits in the units of their measures.
    """
    parts = [_wide(name, study.scores, rows) for name, study in studies.items() if study.scores is not None]
    parts += [_traits(name, study.traits) for name, study in studies.items()]
    nothing = pd.DataFrame(index=pd.MultiIndex.from_arrays([[], []], names=KEYS))
    return {name: pd.concat([nothing, *(part[name] for part in parts if name in part)], axis=1) for name in QUANTITIES}


def missing(columns, studies):
    """Those of the columns (study, validation, method) that have no score at all."""
    return [column for column in columns if not _has(studies[column.study].scores, column)]


def core_hours(columns, studies):
    """Estimated core-hours of the searches behind the columns, a shared pool counted once; NaN when one is unknown."""
    unknown = None, float("nan")
    pools = [
        studies.get(column.study, Study()).pools.get((column.validation, column.method), unknown) for column in columns
    ]
    return sum(dict(pools).values())


def _has(scores, column):
    if scores is None:
        return False
    return ((scores["validation"] == column.validation) & (scores["method"] == column.method)).any()


def _wide(name, scores, rows):
    """The tables of one study; early is its checkpoint nearest to a quarter of the budget."""
    here = set(scores["dataset"])
    folders = {one: rows[one].folder for one in here if rows[one].folder not in here}
    scores = scores.assign(dataset=scores["dataset"].replace(folders))
    traced = scores[~scores["final"]]
    quarter = scores["iteration"].max() / 4
    early = min(sorted(traced["iteration"].unique()), key=lambda t: abs(t - quarter), default=0)
    stages = {
        (ERROR, LOSS): scores[scores["final"]],
        (EARLY_ERROR, EARLY_LOSS): traced[traced["iteration"] == early],
    }
    found = {}
    for quantities, part in stages.items():
        for quantity, value in zip(quantities, ("test_error", "validation_loss"), strict=True):
            found[quantity] = _table(name, part, value)
    return found


def _traits(name, traits):
    """The tables of one study's traits."""
    return {quantity: _table(name, part, "value") for quantity, part in traits.groupby("quantity")}


def _table(study, rows, value):
    """One value of the rows of a study as a table of `wide`."""
    table = rows.pivot(index=KEYS, columns=["validation", "method"], values=value)
    return pd.concat({study: table}, axis=1, names=["study"])
