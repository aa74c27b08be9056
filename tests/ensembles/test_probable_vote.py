"""The vote of probabilities, by a loop."""

from collections import Counter

import numpy as np

from bayes_hpo.ensembles.combine import probable_vote


def test_the_most_votes_win_and_the_mean_probability_breaks_ties():
    rng = np.random.default_rng(0)
    for n_members, n_classes in [(2, 2), (3, 3), (6, 4)]:
        predictions = rng.multinomial(4, np.ones(n_classes) / n_classes, (n_members, 60)) / 4
        weights = rng.integers(1, 3, n_members).astype(float)
        combined = probable_vote(predictions, weights, None)
        np.testing.assert_allclose(combined.sum(axis=1), 1)
        for row, decided in enumerate(combined.argmax(axis=1)):
            votes = Counter()
            for probabilities, weight in zip(predictions[:, row], weights, strict=True):
                votes[int(probabilities.argmax())] += weight
            mean = np.average(predictions[:, row], axis=0, weights=weights)
            best = max(range(n_classes), key=lambda label: (votes[label], round(mean[label], 9)))
            assert (votes[decided], round(mean[decided], 9)) == (votes[best], round(mean[best], 9))


def test_one_vote_more_counts_more_than_certainty():
    predictions = np.array([[[0.51, 0.49]], [[0.51, 0.49]], [[0.0, 1.0]]])
    assert probable_vote(predictions, np.ones(3), None).argmax() == 0
    assert probable_vote(predictions[1:], np.ones(2), None).argmax() == 1
