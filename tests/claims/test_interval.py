"""What an interval says of an estimate."""

import numpy as np

from bayes_hpo.claims.interval import Bootstrapped


def test_where_nothing_varies_there_is_no_p():
    tails = Bootstrapped(np.array([0.0, 0.0, 1.0]), families=12).tails(np.array([0.3, 0.0, 0.0]))
    np.testing.assert_allclose(tails, [np.nan, np.nan, 0.5])
