"""The statistics of wins by stage of the search, by hand."""

import numpy as np
import pytest
from score_rows import rows, write

from bayes_hpo.claims.sample import LATE_RANK, QUANTITIES, WINS
from bayes_hpo.configuration.build import build
from bayes_hpo.errors import RunError
from bayes_hpo.measures.win_statistics import COLUMNS, WinStatistics

METHODS = ["esmbo", "ers", "smbo", "rs"]
STEPS = tuple(range(1, 21))


class Grid:
    study, scale, datasets = "overfitting", "toy", ("a", "b")

    def __init__(self, results):
        self.results = str(results)


@pytest.fixture(params=[1.0, 1e-9], ids=["errors", "small squared errors"])
def frame(tmp_path, request):
    unit = request.param

    def error(_, name, method, repetition, t):
        """ESMBO is best from trial 6 on, last before; ERS and RS are equal; SMBO is between."""
        if method == "esmbo":
            return unit * (0.1 if t >= 6 else 0.4)
        if method == "smbo" and t == 18:  # the last trial that is not late
            return unit * 0.05
        return unit * (0.2 if method == "smbo" else 0.3)

    scored = rows(error, {"a": "", "b": ""}, METHODS, iterations=STEPS, validations=["holdout"])
    write(tmp_path / "toy/scores/overfitting", scored[~((scored["dataset"] == "b") & (scored["method"] == "rs"))])
    made = WinStatistics(methods=METHODS, against=METHODS, stages={"early": [3, 7], "half": [3, 10]}, last=0.1)
    return made(Grid(tmp_path)).set_index(["dataset", "repetition", "method", "quantity"])["value"]


def test_wins_are_counted_in_each_stage(frame):
    of = frame.loc["a", 0]
    assert of["esmbo", "early_wins_over_smbo"] == pytest.approx(2 / 5 - 0.5)
    assert of["smbo", "early_wins_over_esmbo"] == pytest.approx(3 / 5 - 0.5)
    assert of["esmbo", "half_wins_over_rs"] == pytest.approx(5 / 8 - 0.5)
    assert of["esmbo", "late_wins_over_ers"] == 0.5
    assert of["ers", "late_wins_over_rs"] == 0


def test_ranks_are_those_at_the_end(frame):
    assert [frame.loc["a", 1, name, LATE_RANK] for name in METHODS] == [1, 3.5, 2, 3.5]


def test_a_method_without_scores_has_no_row_and_takes_none_away(frame, tmp_path):
    made = WinStatistics(
        methods=[*METHODS, "new"], against=METHODS, stages={"early": [3, 7], "half": [3, 10]}, last=0.1
    )
    again = made(Grid(tmp_path)).set_index(["dataset", "repetition", "method", "quantity"])["value"]
    assert again.to_dict() == frame.to_dict()


def test_more_methods_than_are_ranked_have_their_wins_and_no_rank(frame, tmp_path):
    made = WinStatistics(methods=["esmbo", "rs"], against=["smbo", "rs"], stages={}, last=0.1)(Grid(tmp_path))
    pairs = {("esmbo", "late_wins_over_smbo"), ("esmbo", "late_wins_over_rs"), ("rs", "late_wins_over_smbo")}
    assert set(zip(made["method"], made["quantity"], strict=True)) == pairs | {("smbo", LATE_RANK), ("rs", LATE_RANK)}
    both = made[made["quantity"] == LATE_RANK].set_index(["dataset", "repetition", "method"])["value"]
    assert both.loc["a", 0].to_dict() == {"smbo": 1, "rs": 2}


def test_a_data_set_without_all_methods_has_none(frame):
    assert set(frame.index.get_level_values("dataset")) == {"a"}
    assert len(frame) == 2 * (3 * 4 * 3 + 4)


def test_every_quantity_is_known_to_the_claims(frame, grid_of):
    assert set(frame.index.get_level_values("quantity")) <= {*WINS, LATE_RANK} <= set(QUANTITIES)
    node = grid_of("esmbo_svr").cfg["measures"]["win_statistics"]
    assert np.isclose(build(node, "measure").last, 0.1)
    assert COLUMNS[-2:] == ["quantity", "value"]


def test_without_scores_there_is_nothing(tmp_path):
    with pytest.raises(RunError, match="holds no scores of the 2 data sets"):
        WinStatistics(methods=METHODS, against=METHODS, stages={}, last=0.1)(Grid(tmp_path))
