"""A search space: named hyperparameters, some of them active under conditions only, encoded in the unit cube."""

import numpy as np

from bayes_hpo.errors import UserError
from bayes_hpo.spaces.arms import restricted
from bayes_hpo.spaces.conditions import Conditions, Forbidden
from bayes_hpo.spaces.settings import Settings, refuse

IMPUTED = 0.5  # the middle of the unit interval: a default that is not given, and so an inactive coordinate (5.3.1)
REDRAWS = 1000  # of forbidden configurations, before a space counts as empty


class Space:
    """Hyperparameters in a fixed order; a configuration is a dict, name -> value, of the active ones.

    parameters: dict, name -> mapping, of which there are
        low, high, and if wanted log or step: a real number (`Real`, `Quantized`)
        low, high, integer: true, and if wanted log, step or nearest: a whole number (`Integer`, `LogInteger`)
        choices, and if wanted ordered (`Category`)
        value: one that is not searched
      each but the last with `when: {parent: value or list of values}`, where it is active, and `default`, its value in
      the default configuration (the middle of its range).
    forbidden: list of clauses {name: value or list of values}; no configuration fulfils one.
    imputed: what stands for an inactive coordinate; without it that of its default.

    It then has `parameters` and `fixed` (dicts: name -> hyperparameter that is searched, value of one that is not),
    `conditions`, `forbidden`, and `default_point` (d,), that of the default configuration.
    Raises: UserError for invalid settings (`settings`), conditions or clauses (`conditions`), a default that a
    hyperparameter cannot take, and a space in which nothing is searched.
    """

    MAY_BE_ONE_POINT = False

    def __init__(self, parameters: dict, forbidden: list | tuple = (), imputed: float | None = None):
        self._given = parameters, forbidden, imputed
        settings = Settings.of(parameters)
        self.fixed, self.parameters = settings.fixed, settings.parameters
        self.conditions = Conditions(self.parameters, settings.when)
        self.forbidden = Forbidden(self.parameters, forbidden)
        if not (self.parameters or self.MAY_BE_ONE_POINT):
            raise UserError("the search space has no free hyperparameter; give one a range under space.parameters")
        self.default_point = np.full(len(self), IMPUTED)  # (d,)
        refuse(self._wrong_values(settings.defaults))
        self._set_values(self.default_point, settings.defaults)
        self._imputed = self.default_point if imputed is None else np.full(len(self), imputed)

    def __len__(self):
        """Number of dimensions d of the unit cube: the hyperparameters that are searched."""
        return len(self.parameters)

    @property
    def root(self):
        """Name of the hyperparameter whose choices are the arms: the first one."""
        return next(iter(self.parameters))

    def arm(self, choice):
        """The sub-space of one choice of the root. Raises: UserError for one that it does not have."""
        return self.fix({self.root: choice})

    def fix(self, values):
        """The sub-space of the configurations that have some values (dict, name -> value).

        What is then always active has no condition any more, and what never is active is left out. Raises: UserError
        for a value that the space does not have, one that is not active with the others, and forbidden ones.
        """
        refuse(self._wrong_values(values))
        parameters, forbidden, imputed = self._given
        names = [list(self.parameters)[place] for place in self.conditions.order]
        return SubSpace(*restricted(parameters, forbidden, values, names), imputed)

    def default(self):
        """The default configuration. Raises: UserError when it is forbidden."""
        configuration = self.decode(self.default_point)
        self.encode([configuration])
        return configuration

    def sample(self, rng):
        """Draw one configuration, every value of a hyperparameter as likely as every other (log: in the exponent)."""
        return self.decode(self.draw(1, rng)[0])

    def draw(self, size, rng):
        """Points (size, d) of so many drawn configurations, none of them forbidden.

        Raises: UserError when all that is drawn is forbidden.
        """
        points = self.from_uniform(rng.random((size, len(self))))
        for _ in range(REDRAWS):
            forbidden = ~self.allowed(points)
            if not forbidden.any():
                return points
            points[forbidden] = self.from_uniform(rng.random((forbidden.sum(), len(self))))
        raise UserError(f"{REDRAWS} draws in turn were forbidden; give space.forbidden fewer clauses")

    def decode(self, u):
        """Configuration (dict) of one point u (d,) of the unit cube, forbidden or not."""
        u = np.asarray(u, dtype=float)
        coordinates = zip(self.parameters.items(), u, self.active(u[None])[0], strict=True)
        return {name: p.decode(float(x)) for (name, p), x, active in coordinates if active} | self.fixed

    def encode(self, configurations):
        """Points (n, d) of the unit cube of n configurations, inactive coordinates imputed.

        Raises: UserError for a configuration that lacks an active or a fixed hyperparameter, has another one, or
        another value than the space allows, is forbidden, or is no dict.
        """
        refuse(problem for configuration in configurations for problem in self._wrong_values(configuration))
        points = np.tile(self._imputed, (len(configurations), 1))
        for point, configuration in zip(points, configurations, strict=True):
            self._set_values(point, configuration)
        active = self.active(points)
        violated = self.forbidden.violated(points, active)
        for checked in zip(configurations, active, violated, strict=True):
            refuse(self._problems(*checked))
        return points

    def from_uniform(self, u):
        """Points (n, d) at which all values are drawn equally often when u (n, d) is uniform in the unit cube."""
        return self._by_column(lambda p, column: p.from_uniform(column), u)

    def round_to_grid(self, points):
        """The points (n, d) that stand for what is decoded at `points` (n, d), inactive coordinates as they are."""
        rounded = self._by_column(lambda p, column: p.round_to_grid(column), points)
        return np.where(self.active(points), rounded, points)

    def impute(self, points):
        """The points (n, d) with their inactive coordinates imputed (thesis, 5.3.1)."""
        return np.where(self.active(points), points, self._imputed)

    def active(self, points):
        """Which coordinates (n, d) of the points (n, d) are active."""
        return self.conditions.active(points)

    def allowed(self, points):
        """Which of the points (n, d) stand for configurations that are not forbidden (n,)."""
        if not self.forbidden.clauses:
            return np.ones(len(points), dtype=bool)
        return ~self.forbidden.violated(points, self.active(points)).any(axis=1)

    def signatures(self, points):
        """A number (n,) per point (n, d), equal where the same conditions hold (`Conditions.signatures`)."""
        return self.conditions.signatures(points)

    def neighbours(self, point, steps=lambda p, u: p.neighbours(u)):
        """Points (m, d), imputed and allowed, that differ from `point` (d,) by a step of one active coordinate.

        A real one steps .05 of its range up or down, a whole number by one, a category to any other choice; what a
        step activates starts at its default (thesis, eq. 5.7; docs/decisions.md, D5.7). steps: other ones, a function
        of a hyperparameter and its coordinate.
        """
        active = self.active(point[None])[0]
        start, near = np.where(active, point, self.default_point), []
        for column, p in enumerate(self.parameters.values()):
            for u in steps(p, float(point[column])) if active[column] else ():
                near.append(start.copy())
                near[-1][column] = u
        near = self.impute(self.round_to_grid(np.array(near).reshape(len(near), len(self))))
        return near[self.allowed(near)]

    def _by_column(self, method, points):
        columns = [method(p, points[:, column]) for column, p in enumerate(self.parameters.values())]
        return np.column_stack(columns).astype(float) if columns else points

    def _set_values(self, point, values):
        for column, (name, p) in enumerate(self.parameters.items()):
            if name in values:
                point[column] = p.encode(values[name])

    def _wrong_values(self, values):
        """What is wrong with values (dict, name -> value), each by itself, sentences."""
        if not isinstance(values, dict):
            yield f"{values} is no configuration; it must be a dict, name -> value"
        known = [*self.parameters, *self.fixed]
        if unknown := sorted(set(values) - set(known)):
            yield f"{', '.join(unknown)} is no hyperparameter; allowed: {', '.join(known)}"
        for name, p in self.parameters.items():
            if name in values and not p.holds(values[name]):
                yield f"{name}={values[name]} is not in the search space: {p}"
        for name, value in self.fixed.items():
            if name in values and values[name] != value:
                yield f"{name}={values[name]} is not in the search space: its value is {value}"

    def _problems(self, configuration, active, violated):
        """What is wrong with a configuration (dict) of allowed values, sentences.

        active (d,): its active hyperparameters. violated (number of clauses,): the forbidden clauses that it fulfils.
        """
        wanted = {name for name, is_active in zip(self.parameters, active, strict=True) if is_active} | set(self.fixed)
        if missing := sorted(wanted - set(configuration)):
            yield f"{configuration} lacks {', '.join(missing)}"
        if inactive := sorted(set(configuration) - wanted):
            yield f"{', '.join(inactive)} is not active in {configuration}; leave it out"
        for clause in np.flatnonzero(violated):
            yield f"{configuration} is forbidden: {self.forbidden.clauses[clause]}"


class SubSpace(Space):
    """The configurations of a space that have some values; there may be one only, in a cube without dimensions."""

    MAY_BE_ONE_POINT = True
