"""SMAC: a random forest, expected improvement, a local search (Hutter, Hoos, Leyton-Brown, LION 2011; thesis, 5.5)."""

from dataclasses import dataclass

import numpy as np

from bayes_hpo.acquisition.candidates import ImputedSamples
from bayes_hpo.acquisition.criteria import Averaged, ExpectedImprovement
from bayes_hpo.acquisition.first_improvement import FirstImprovement
from bayes_hpo.acquisition.tried import Tried
from bayes_hpo.pool import Proposal
from bayes_hpo.spaces.space import IMPUTED, Space
from bayes_hpo.surrogates.forest import Forest


@dataclass(frozen=True, kw_only=True)
class SMAC:
    """The middle of the space first, then in turn what the forest finds and a random configuration.

    Each trial is a round of its own. candidates: where expected improvement is looked for first, and whence the random
    configuration comes. maximizer: how the best point is found from there (docs/decisions.md, D5.14).
    """

    space: Space
    forest: Forest
    candidates: ImputedSamples
    maximizer: FirstImprovement

    def propose(self, history, seeds):
        """Propose the configuration of trial t = len(history): by the forest where t is odd, else at random.

        It is none that was evaluated, unless all candidates were (D5.12).
        """
        t = len(history)
        if t == 0:
            return Proposal(self.space.decode(np.full(len(self.space), IMPUTED)), round=t)
        points, losses = self.space.encode(history.configurations), history.losses
        tried = Tried(self.space, points, best=points[losses.argmin()])
        candidates = self.candidates.offered(tried, seeds("candidates", t))
        if t % 2:
            forest = self.forest.fit(points, losses, seeds("forest", t))
            criterion = Averaged(ExpectedImprovement(losses.min()), forest)
            point = self.maximizer(criterion, candidates, tried, seeds("neighbours", t))
        else:
            point = tried.new(candidates)
        return Proposal(self.space.decode(point), round=t)
