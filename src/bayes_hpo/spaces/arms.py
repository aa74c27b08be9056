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

    def met(conditions):
        """Which conditions (name -> value or list of values) hold; None where the hyperparameter is searched."""
        known = {name: values[name] in listed(needed) for name, needed in conditions.items() if name in values}
        return {name: known.get(name) if name in kept else False for name in conditions}

    for name in names:
        when = kept[name].get("when", {})
        holds = met(when)
        if False in holds.values() and name not in values:
            del kept[name]
            continue
        mapping = {key: value for key, value in kept[name].items() if key != "when"}
        kept[name] = {"value": values[name]} if name in values else mapping
        if left := {parent: needed for parent, needed in when.items() if not holds[parent]}:
            kept[name]["when"] = left
    clauses = [(clause, met(clause)) for clause in forbidden]
    return kept, [{n: clause[n] for n in clause if not m[n]} for clause, m in clauses if False not in m.values()]
