"""The objectives of a search are those that it saw; pairs, slots and statistics follow from the stored votes."""

import numpy as np
import pytest
from measured import frame

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.measures.ensemble_objectives import Objectives
from bayes_hpo.measures.searches import searches

NAME = "ensemble_objectives"


@pytest.fixture(scope="module")
def grid(searched):
    """The study of one width, searched with nine trials."""
    return searched("ensembles_width")


@pytest.fixture(scope="module")
def runs(grid):
    return list(searches(grid, ["eo_m5"]))


@pytest.fixture(scope="module")
def rows(grid):
    return frame(grid, NAME, early=8)


def part(rows, **values):
    return rows[np.logical_and.reduce([rows[name] == value for name, value in values.items()])]


def test_every_repetition_that_was_run_is_there(rows, grid):
    assert rows["repetition"].unique().tolist() == [0, 1]
    assert frame(grid, NAME, repetitions=1)["repetition"].unique().tolist() == [0]


def test_single_models_have_their_validation_losses(rows, runs):
    for run in runs:
        for trials in (8, 9):
            of_run = {"repetition": run.key["repetition"], "trials": trials, "kind": "observation"}
            seen = part(rows, objective="single" if trials == 9 else "early single", **of_run)
            np.testing.assert_allclose(seen["y"], run.pool.history[:trials].losses)
            taus = [one["tau"] for one in run.pool.history[:trials].configurations]
            np.testing.assert_allclose(seen["x"], taus, rtol=1e-9)


def test_the_slot_whose_turn_it_is_has_the_observations_of_the_next_proposal(runs):
    """By the squared margin, which the search itself sees."""
    for run in runs:
        whole = Objectives.of(run, len(run.pool))
        slots, turn = whole.slots(), len(run.pool) % 5
        trials, losses = whole.observed("squared_margin", [*slots[:turn], *slots[turn + 1 :]])
        expected = run.searcher.observations(run.pool.history, run.seeds)
        np.testing.assert_array_equal(trials, expected[0])
        np.testing.assert_allclose(losses, expected[1])


def test_an_ensemble_lies_on_the_objective_of_each_of_its_slots(rows):
    """With the member itself back in its slot the loss is the ensemble's."""
    whole = part(rows, repetition=0, objective="ensemble")["y"].item()
    for slot in range(1, 6):
        of_slot = part(rows, repetition=0, objective=f"slot {slot}", loss="zero_one")
        member = of_slot.loc[of_slot["kind"] == "member", "x"].item()
        seen = of_slot[(of_slot["kind"] == "observation") & np.isclose(of_slot["x"], member)]
        assert len(seen)
        assert seen["y"].to_list() == pytest.approx([whole] * len(seen))


def test_members_of_the_pair_are_no_candidates(rows):
    pair = part(rows, repetition=0, objective="pair")
    members, seen = (pair.loc[pair["kind"] == kind, "x"] for kind in ("member", "observation"))
    assert len(members) == 2
    assert len(seen) == 8 - 2
    assert not set(members) & set(seen)


def test_statistics_are_those_of_the_frame(grid, rows):
    found = frame(grid, "objective_statistics", early=8).set_index(["repetition", "quantity"])["value"]
    for repetition in (0, 1):
        single, pair = (part(rows, repetition=repetition, objective=name) for name in ("early single", "pair"))
        lowest = [one.loc[one["kind"] == "observation", "y"].min() for one in (single, pair)]
        assert found[repetition, "pair_gain"] == pytest.approx(100 * (lowest[0] - lowest[1]))
        shift = 0 if is_flat(pair) else abs(np.log10(optimum(single) / optimum(pair)))
        assert found[repetition, "pair_shift"] == pytest.approx(shift)
        slots = [part(rows, repetition=repetition, objective=f"slot {j}", loss="zero_one") for j in range(1, 6)]
        pairs = [(one, other) for i, one in enumerate(slots) for other in slots[:i]]
        distances = [abs(np.log10(optimum(a) / optimum(b))) * (not (is_flat(a) or is_flat(b))) for a, b in pairs]
        assert found[repetition, "slot_distance"] == pytest.approx(np.mean(distances))


def is_flat(rows):
    seen = rows.loc[rows["kind"] == "observation", "y"]
    return np.isclose(seen.max(), seen.min())


def optimum(rows):
    mean = rows[rows["kind"] == "mean"]
    return mean.loc[mean["y"].idxmin(), "x"]


def test_too_few_trials_for_the_slots_are_one_sentence(runs):
    with pytest.raises(UserError, match="3 trials leave a slot of 5 empty"):
        Objectives.of(runs[0], 3).slots()


def test_an_objective_that_is_the_same_for_all_models_is_at_no_distance(grid, runs, monkeypatch):
    measure = build(grid.cfg["measures"]["objective_statistics"], "measure")
    monkeypatch.setattr(Objectives, "observed", lambda self, loss, rest: (np.arange(5), np.full(5, 0.2)))
    assert measure.statistics(runs[0]) == {"pair_gain": 0, "pair_shift": 0, "slot_distance": 0}
