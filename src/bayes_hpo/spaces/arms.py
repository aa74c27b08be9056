"""The settings of a sub-space, in which some hyperparameters of a space have fixed values."""

from collections.abc import Iterable

from bayes_hpo.spaces.conditions import listed


def restricted(
    parameters: dict, forbidden: Iterable[dict], values: dict, names: Iterable[str]
) -> tuple[dict, list[dict]]:
    """The mappings and the forbidden clauses of a sub-space (`Space.fix`).

    parameters, forbidden: those of the space.
    values: name -> fixed value.
    names: of the searched hyperparameters, parents first.
    A fixed value keeps conditions that do not hold, or not always; a clause that is fulfilled already is left empty.
    """
    kept = dict(parameters)
    for name in names:
        when = kept[name].get("when", {})
        met = {parent: _meets(parent, needed, values, kept) for parent, needed in when.items()}
        if False in met.values() and name not in values:
            del kept[name]
            continue
        open_conditions = {parent: needed for parent, needed in when.items() if not met[parent]}
        mapping = {"value": values[name]} if name in values else _without(kept[name], "when")
        kept[name] = mapping | ({"when": open_conditions} if open_conditions else {})
    return kept, [clause for clause in _clauses(forbidden, values, kept) if clause is not None]


def _meets(name, needed, values, kept):
    """Whether a hyperparameter has one of the values that a condition needs; None where it is searched."""
    if name not in kept:
        return False
    return values[name] in listed(needed) if name in values else None


def _clauses(forbidden, values, kept):
    """The clauses without their fulfilled conditions, None for one that cannot be fulfilled."""
    for clause in forbidden:
        met = {name: _meets(name, needed, values, kept) for name, needed in clause.items()}
        yield None if False in met.values() else {name: clause[name] for name in clause if not met[name]}


def _without(mapping, key):
    return {name: value for name, value in mapping.items() if name != key}
