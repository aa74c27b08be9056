"""A search space: named hyperparameters, some of them conditional, encoded in the unit cube."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bayes_hpo.configuration.limits import Range
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.conditions import Conditions, Forbidden
from bayes_hpo.spaces.settings import is_fixed, parameter, refuse, restricted, searched

IMPUTED = 0.5  # the middle of the unit interval, for inactive coordinates and missing defaults (thesis, 5.3.1)
MAX_DRAWS = 1000  # consecutive forbidden draws after which a space counts as empty
Coordinate = Annotated[float, Range(ge=0, le=1)]


class Space:
    """Hyperparameters in a fixed order; a configuration is a dict, name -> value, of the active ones.

    parameters: name -> mapping, in one of the forms
        low, high, optionally log or step: a real number (`Real`, `Quantized`)
        low, high, integer: true, optionally log, step or nearest: an integer (`Integer`, `LogInteger`)
        choices, optionally ordered (`Category`)
        value: fixed, not searched
      each but the last with an optional `when: {parent: value or list of values}`, the condition under which it is
      active,
      and an optional `default`, its value in the default configuration (otherwise the middle of its range).
    forbidden: clauses {name: value or list of values}; no configuration may fulfil one.
    imputed: coordinate of inactive hyperparameters; if None, that of the default value.

    Attributes: `parameters` (name -> searched hyperparameter), `fixed` (name -> fixed value), `conditions`,
        `forbidden`,
    and `default_point` (d,), the point of the default configuration.
    Raises: UserError for invalid settings (`settings`), conditions or clauses (`conditions`), for a default outside a
    hyperparameter's range, and for a space in which nothing is searched.
    """

    MAY_BE_ONE_POINT = False

    def __init__(self, parameters: dict, forbidden: list | tuple = (), imputed: Coordinate | None = None):
        self._given = parameters, forbidden, imputed
        self.fixed = {name: mapping["value"] for name, mapping in parameters.items() if is_fixed(mapping)}
        free = searched(parameters, self.fixed)
        self.parameters: dict[str, Any] = {name: parameter(name, mapping) for name, mapping in free.items()}
        self.conditions = Conditions(self.parameters, {name: mapping.get("when", {}) for name, mapping in free.items()})
        self.forbidden = Forbidden(self.parameters, forbidden)
        if not (self.parameters or self.MAY_BE_ONE_POINT):
            raise UserError("the search space has no free hyperparameter; give one a range under space.parameters")
        self.default_point = np.full(len(self), IMPUTED)  # (d,)
        defaults = {name: mapping["default"] for name, mapping in free.items() if "default" in mapping}
        refuse(self._wrong_values(defaults))
        self._set_values(self.default_point, defaults)
        self._imputed = self.default_point if imputed is None else np.full(len(self), imputed)

    def __len__(self) -> int:
        """Number of dimensions d of the unit cube, one per searched hyperparameter."""
        return len(self.parameters)

    @property
    def root(self) -> str:
        """Name of the first hyperparameter, whose choices are the arms."""
        return next(iter(self.parameters))

    def arm(self, choice: Any) -> "SubSpace":
        """The subspace of one choice of the root. Raises: UserError for an unknown choice."""
        return self.fix({self.root: choice})

    def fix(self, values: dict) -> "SubSpace":
        """The subspace of the configurations with the given values, name -> value.

        Hyperparameters that are then always active lose their conditions; those that are never active are dropped.
        Raises: UserError for a value outside the space, one that is inactive given the others, and forbidden
        combinations.
        """
        refuse(self._wrong_values(values))
        parameters, forbidden, imputed = self._given
        names = [list(self.parameters)[place] for place in self.conditions.order]
        return SubSpace(*restricted(parameters, forbidden, values, names), imputed)

    def default(self) -> dict:
        """The default configuration. Raises: UserError if it is forbidden."""
        configuration = self.decode(self.default_point)
        self.encode([configuration])  # raises UserError
        return configuration

    def sample(self, rng: Generator) -> dict:
        """Draw a configuration; all values of a hyperparameter are equally likely (log: uniform in the exponent)."""
        return self.decode(self.draw(1, rng)[0])

    def draw(self, size: int, rng: Generator) -> NDArray:
        """Draw the points (size, d) of random configurations, none of them forbidden.

        Raises: UserError if all draws are forbidden.
        """
        points = self.from_uniform(rng.random((size, len(self))))
        for _ in range(MAX_DRAWS):
            forbidden = ~self.allowed(points)
            if not forbidden.any():
                return points
            points[forbidden] = self.from_uniform(rng.random((forbidden.sum(), len(self))))
        raise UserError(f"{MAX_DRAWS} draws in turn were forbidden; give space.forbidden fewer clauses")

    def decode(self, u: NDArray) -> dict:
        """Configuration at the point u (d,) of the unit cube, even a forbidden one."""
        u = np.asarray(u, dtype=float)
        coordinates = zip(self.parameters.items(), u, self.active(u[None])[0], strict=True)
        return {name: p.decode(float(x)) for (name, p), x, active in coordinates if active} | self.fixed

    def encode(self, configurations: Sequence[dict]) -> NDArray:
        """Points (n, d) of n configurations in the unit cube, with inactive coordinates imputed.

        Raises: UserError for a configuration that is not a dict, lacks an active or fixed hyperparameter, has an
        unknown or inactive one or a value outside the space, or is forbidden.
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

    def from_uniform(self, u: NDArray) -> NDArray:
        """Points (n, d) of equally likely values, given u (n, d) uniform in the unit cube."""
        return self._by_column(lambda p, column: p.from_uniform(column), u)

    def round_to_grid(self, points: NDArray) -> NDArray:
        """Points (n, d) that represent the values decoded at `points` (n, d); inactive coordinates are unchanged."""
        rounded = self._by_column(lambda p, column: p.round_to_grid(column), points)
        return np.where(self.active(points), rounded, points)

    def impute(self, points: NDArray) -> NDArray:
        """Points (n, d) with their inactive coordinates imputed (thesis, 5.3.1)."""
        return np.where(self.active(points), points, self._imputed)

    def active(self, points: NDArray) -> NDArray:
        """Whether each coordinate of the points (n, d) is active (n, d)."""
        return self.conditions.active(points)

    def allowed(self, points: NDArray) -> NDArray:
        """Whether each of the points (n, d) decodes to a configuration that is not forbidden (n,)."""
        if not self.forbidden.clauses:
            return np.ones(len(points), dtype=bool)
        return np.logical_not(self.forbidden.violated(points, self.active(points)).any(axis=1))

    def signatures(self, points: NDArray) -> NDArray:
        """A number (n,) per point (n, d), equal for points with the same conditions (`Conditions.signatures`)."""
        return self.conditions.signatures(points)

    def neighbours(
        self, point: NDArray, steps: Callable[[Any, float], Iterable] = lambda p, u: p.neighbours(u)
    ) -> NDArray:
        """Points (m, d), imputed and allowed, that differ from `point` (d,) by a step in one active coordinate.

        A real number steps by .05 of its range, an integer by one, a category to any other choice; a hyperparameter
        that becomes active starts at its default (thesis, eq. 5.8; docs/decisions.md, D5.7).
        steps: (hyperparameter, coordinate) -> coordinates of the neighbours.
        """
        active = self.active(point[None])[0]
        start, near = np.where(active, point, self.default_point), []
        for column, p in enumerate(self.parameters.values()):
            for u in steps(p, float(point[column])) if active[column] else ():
                near.append(start.copy())
                near[-1][column] = u
        points = self.impute(self.round_to_grid(np.array(near).reshape(len(near), len(self))))
        return points[self.allowed(points)]

    def _by_column(self, method, points):
        columns = [method(p, points[:, column]) for column, p in enumerate(self.parameters.values())]
        return np.column_stack(columns).astype(float) if columns else points

    def _set_values(self, point, values):
        for column, (name, p) in enumerate(self.parameters.items()):
            if name in values:
                point[column] = p.encode(values[name])

    def _wrong_values(self, values):
        """Yield a sentence for each value (dict, name -> value) outside the space."""
        if not isinstance(values, dict):
            yield f"{values} is not a configuration; it must be a dict, name -> value"
        known = [*self.parameters, *self.fixed]
        if unknown := sorted(set(values) - set(known)):
            yield f"{', '.join(unknown)} is not a hyperparameter; allowed: {', '.join(known)}"
        for name, p in self.parameters.items():
            if name in values and not p.holds(values[name]):
                yield f"{name}={values[name]} is not in the search space: {p}"
        for name, value in self.fixed.items():
            if name in values and values[name] != value:
                yield f"{name}={values[name]} is not in the search space: its value is {value}"

    def _problems(self, configuration, active, violated):
        """Yield a sentence for each problem with a configuration (dict) of allowed values.

        active (d,): which hyperparameters are active.
        violated (n_clauses,): which forbidden clauses it fulfils.
        """
        wanted = {name for name, is_active in zip(self.parameters, active, strict=True) if is_active} | set(self.fixed)
        if missing := sorted(wanted - set(configuration)):
            yield f"{configuration} lacks {', '.join(missing)}"
        if inactive := sorted(set(configuration) - wanted):
            yield f"{', '.join(inactive)} is not active in {configuration}; leave it out"
        for clause in np.flatnonzero(violated):
            yield f"{configuration} is forbidden: {self.forbidden.clauses[clause]}"


class SubSpace(Space):
    """A space with some hyperparameters fixed; if all of them are, its cube has no dimensions."""

    MAY_BE_ONE_POINT = True
