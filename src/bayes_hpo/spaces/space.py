"""A search space: named hyperparameters, some of them active under conditions only, encoded in the unit cube."""

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.conditions import Conditions
from bayes_hpo.spaces.parameters import parameter

IMPUTED = 0.5  # what stands for an inactive coordinate: the middle of the unit interval (thesis, 5.3.1)


class Space:
    """Hyperparameters in a fixed order; a configuration is a dict, name -> value, of the active ones.

    parameters: dict, name -> mapping with low, high and log (Real), with low, high and integer: true (Integer), with
    choices (Category), or with the value of one that is not searched; `when: {parent: value or list of values}` in the
    mapping makes it active there only. Raises: UserError for a space in which nothing is searched, for bounds in the
    wrong order, for a log scale with a bound at or below zero, and for conditions that are none (`conditions`).
    """

    def __init__(self, parameters: dict):
        self.fixed = {name: own["value"] for name, own in parameters.items() if _is_fixed(own)}
        searched = {name: _parted(name, own, self.fixed) for name, own in parameters.items() if not _is_fixed(own)}
        self.parameters = {name: parameter(name, own) for name, (own, _) in searched.items()}
        self.conditions = Conditions(self.parameters, {name: when for name, (_, when) in searched.items()})
        if not self.parameters:
            raise UserError("the search space has no free hyperparameter; give one a range under space.parameters")

    def __len__(self):
        """Number of dimensions d of the unit cube: the hyperparameters that are searched."""
        return len(self.parameters)

    def sample(self, rng):
        """Draw one configuration, every value of a hyperparameter as likely as every other."""
        return self.decode(self.from_uniform(rng.random((1, len(self))))[0])

    def decode(self, u):
        """Configuration (dict) of one point u (d,) of the unit cube."""
        u = np.asarray(u, dtype=float)
        every = zip(self.parameters.items(), u, self.active(u[None])[0], strict=True)
        return {name: p.decode(float(x)) for (name, p), x, active in every if active} | self.fixed

    def encode(self, configurations):
        """Points (n, d) of the unit cube of n configurations, inactive coordinates at the middle.

        Raises: UserError for a configuration that lacks an active or a fixed hyperparameter, has another one, or
        another value than the space allows, or is no dict.
        """
        if strange := [one for one in configurations if not isinstance(one, dict)]:
            raise UserError(f"{strange[0]} is no configuration; it must be a dict, name -> value")
        points = np.full((len(configurations), len(self)), IMPUTED)
        for row, configuration in zip(points, configurations, strict=True):
            for column, (name, p) in enumerate(self.parameters.items()):
                if name in configuration:
                    row[column] = self._encoded(name, p, configuration[name])
        for configuration, active in zip(configurations, self.active(points), strict=True):
            self._check_names(configuration, active)
            self._check_fixed(configuration)
        return points

    def from_uniform(self, u):
        """Points (n, d) at which all values are drawn equally often when u (n, d) is uniform in the unit cube."""
        return self._by_column("from_uniform", u)

    def round_to_grid(self, points):
        """The points (n, d) that stand for what is decoded at `points` (n, d), inactive coordinates as they are."""
        return np.where(self.active(points), self._by_column("round_to_grid", points), points)

    def impute(self, points):
        """The points (n, d) with their inactive coordinates at the middle (thesis, 5.3.1)."""
        return np.where(self.active(points), points, IMPUTED)

    def active(self, points):
        """Which coordinates (n, d) of the points (n, d) are active."""
        return self.conditions.active(points)

    def signatures(self, points):
        """A number (n,) per point (n, d), equal where the same conditions hold (`Conditions.signatures`)."""
        return self.conditions.signatures(points)

    def neighbours(self, point, steps=lambda p, u: p.neighbours(u)):
        """Points (m, d), imputed, that differ from the imputed `point` (d,) by a step of one active coordinate.

        A real one steps .05 of its range up or down, a whole number by one, a category to any other choice; what a
        step activates starts in the middle (thesis, eq. 5.7; docs/decisions.md, D5.7). steps: other ones, a function
        of a hyperparameter and its coordinate.
        """
        near = []
        active = self.active(point[None])[0]
        for column, p in enumerate(self.parameters.values()):
            for u in steps(p, float(point[column])) if active[column] else ():
                near.append(point.copy())
                near[-1][column] = u
        return self.impute(self.round_to_grid(np.array(near).reshape(len(near), len(self))))

    def _by_column(self, method, points):
        columns = [getattr(p, method)(points[:, k]) for k, p in enumerate(self.parameters.values())]
        return np.column_stack(columns).astype(float)

    @staticmethod
    def _encoded(name, own, value):
        if not own.holds(value):
            raise UserError(f"{name}={value} is not in the search space: {own}")
        return own.encode(value)

    def _check_names(self, configuration, active):
        wanted = {name for name, is_active in zip(self.parameters, active, strict=True) if is_active} | set(self.fixed)
        known = [*self.parameters, *self.fixed]
        if missing := sorted(wanted - set(configuration)):
            raise UserError(f"{configuration} lacks {', '.join(missing)}")
        if unknown := sorted(set(configuration) - set(known)):
            raise UserError(f"{', '.join(unknown)} is no hyperparameter; allowed: {', '.join(known)}")
        if inactive := sorted(set(configuration) - wanted):
            raise UserError(f"{', '.join(inactive)} is not active in {configuration}; leave it out")

    def _check_fixed(self, configuration):
        for name, value in self.fixed.items():
            if configuration[name] != value:
                raise UserError(f"{name}={configuration[name]} is not in the search space: its value is {value}")


def _is_fixed(settings):
    return isinstance(settings, dict) and set(settings) == {"value"}


def _parted(name, settings, fixed):
    """The settings of a hyperparameter without its conditions, and these."""
    if not isinstance(settings, dict):
        return settings, {}
    if "value" in settings:
        raise UserError(f"{name}: {settings} has a value, so it is not searched; leave out everything else")
    when = settings.get("when", {})
    if isinstance(when, dict) and (idle := [parent for parent in when if parent in fixed]):
        raise UserError(
            f"{name}: {idle[0]} has a value, so nothing can depend on it; give it choices, or leave out when"
        )
    return {key: value for key, value in settings.items() if key != "when"}, when
