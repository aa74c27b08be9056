"""Laws of the refit: each configuration once, on everything but the test part, from a store that may be lost."""

from dataclasses import replace

import numpy as np
import pytest

from bayes_hpo.ensembles.ensemble import Member
from bayes_hpo.errors import RunError
from bayes_hpo.repetition import Repetition
from bayes_hpo.scoring.refit import Refit

ONE, TWO, THREE = (Member({"C": c, "tau": 0.1}) for c in (1.0, 2.0, 1 / 3))


class Counting:
    """A learner that remembers what it was trained on and predicts the number of its fits."""

    def __init__(self):
        self.fits = []

    def fit(self, configuration, X, y, rng):
        self.fits.append((configuration, X.copy(), y.copy()))
        return self

    def predict(self, X):
        return (np.arange(len(X)) + len(self.fits)) % 3


@pytest.fixture
def refit(tmp_path, iris, toy_job):
    """Function: a Refit with a counting learner and a store in tmp_path."""

    def make(protocol="holdout_sel_r", fingerprint="code", most=5000, **changes):
        repetition = replace(Repetition.of(toy_job(protocol=protocol), iris, 0), learner=Counting(), **changes)
        return Refit(repetition, most=most, store=tmp_path / "refits.npz", fingerprint=fingerprint)

    return make


def _fits(one):
    return one.repetition.learner.fits


@pytest.mark.parametrize("protocol", ["holdout", "holdout_sel_r", "kfold_sel", "kfold_r"])
def test_it_is_trained_on_everything_but_the_test_part(refit, iris, protocol):
    one = refit(protocol)
    labels = one(ONE)
    ((_, X, y),) = _fits(one)
    rest = np.setdiff1d(np.arange(60), one.repetition.parts.test)
    np.testing.assert_array_equal(X, iris.X[rest])
    np.testing.assert_array_equal(y, iris.y[rest])
    assert labels.shape == (21,)


def test_the_cap_holds_with_the_same_rows_for_every_configuration(refit):
    one = refit(most=20)
    one(ONE)
    one(TWO)
    (_, X, y), (_, X_again, _) = _fits(one)
    np.testing.assert_array_equal(X, X_again)
    assert len(X) == 20
    assert np.ptp(np.bincount(y)) <= 1  # stratified: three classes of thirteen


def test_the_cap_draws_the_same_rows_for_every_protocol(refit):
    rows = []
    for protocol in ("holdout", "holdout_sel_r", "kfold_r"):
        one = refit(protocol, most=20)
        one(ONE)
        rows.append(_fits(one)[0][1].tobytes())
    assert len(set(rows)) == 1


def test_a_configuration_is_trained_once(refit):
    one = refit()
    np.testing.assert_array_equal(one(ONE), one(Member({"tau": 0.1, "C": 1.0})))
    one(TWO)
    one(ONE)
    assert [configuration for configuration, _, _ in _fits(one)] == [ONE.configuration, TWO.configuration]


def test_the_store_makes_the_second_call_train_nothing(refit):
    first = refit()
    labels = [first(configuration) for configuration in (ONE, TWO, THREE)]
    first.save()
    second = refit()
    for configuration, expected in zip((ONE, TWO, THREE), labels, strict=True):
        np.testing.assert_array_equal(second(configuration), expected)
    assert _fits(second) == []


def test_only_what_is_new_is_trained_and_stored(refit):
    first = refit()
    first(ONE)
    first.save()
    second = refit()
    second(ONE)
    second(TWO)
    second.save()
    assert len(_fits(second)) == 1
    third = refit()
    third(ONE)
    third(TWO)
    assert _fits(third) == []


def test_a_store_that_has_not_grown_is_not_written(refit):
    refit().save()
    first = refit()
    assert not first.store.exists()
    first(ONE)
    first.save()
    before = first.store.stat().st_mtime_ns
    again = refit()
    again(ONE)
    again.save()
    assert first.store.stat().st_mtime_ns == before


def test_a_store_of_other_code_or_data_does_not_count(refit):
    first = refit(fingerprint="old")
    first(ONE)
    first.save()
    second = refit(fingerprint="new")
    second(ONE)
    assert len(_fits(second)) == 1


def _of_another(one, what):
    """A Refit of another data set, repetition or test part, with the store of `one`."""
    r = one.repetition
    changed = {
        "data set": {"data": replace(r.data, header={"name": "another"})},
        "repetition": {"seeds": replace(r.seeds, repetition=1)},
        "test part": {"parts": replace(r.parts, test=r.parts.test[:-1])},
    }
    other = replace(r, learner=Counting(), **changed[what])
    return Refit(other, most=5000, store=one.store, fingerprint="code")


@pytest.mark.parametrize("what", ["data set", "repetition", "test part"])
def test_a_store_of_another_is_set_aside_and_made_again(refit, logged, what):
    first = refit()
    first(ONE)
    first.save()
    renamed = first.store.read_bytes()
    other = _of_another(first, what)
    other(ONE)
    assert len(_fits(other)) == 1
    other.save()
    assert first.store.with_name("refits.npz.stale").read_bytes() == renamed
    assert f"{first.store} is damaged or of another refit; set aside as {first.store}.stale" in logged()
    again = _of_another(first, what)
    again(ONE)
    assert _fits(again) == []


def test_two_score_jobs_at_once_keep_what_each_has_trained(refit, tmp_path):
    first, second = refit(), refit()
    first(ONE)
    second(TWO)
    for one in (first, second):
        one.save()
    third = refit()
    third(ONE)
    third(TWO)
    assert _fits(third) == []
    assert not list(tmp_path.glob("*.stale"))


class _Evil:
    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


@pytest.mark.parametrize("damage", ["empty", "half", "foreign", "short", "pickle"])
def test_a_damaged_store_is_made_again(refit, tmp_path, damage):
    first = refit()
    labels = first(ONE)
    first.save()
    whole = first.store.read_bytes()
    with np.load(first.store) as stored:
        arrays = dict(stored)
    if damage in ("empty", "half", "foreign"):
        first.store.write_bytes({"empty": b"", "half": whole[: len(whole) // 2], "foreign": b"text\n"}[damage])
    elif damage == "short":
        np.savez(first.store, **arrays | {"predictions": arrays["predictions"][:0]})
    else:
        np.savez(first.store, **arrays | {"predictions": np.array([_Evil(tmp_path / "sprung")], dtype=object)})
    second = refit()
    np.testing.assert_array_equal(second(ONE), labels)
    assert len(_fits(second)) == 1
    second.save()
    third = refit()
    third(ONE)
    assert _fits(third) == []
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize("where", ["fit", "predict"])
def test_a_learner_that_raises_is_a_fault_that_names_the_configuration(refit, where):
    class Refusing:
        def fit(self, configuration, X, y, rng):
            return self if where == "predict" else self.predict(X)

        def predict(self, X):
            raise ValueError("no luck")

    one = refit()
    one.repetition = replace(one.repetition, learner=Refusing())
    with pytest.raises(RunError, match=r"\{'C': 1.0, 'tau': 0.1\} could not be refit on tiny: ValueError: no luck"):
        one(ONE)


def test_labels_are_stored_in_the_smallest_type(refit):
    one = refit()
    one(ONE)
    one.save()
    with np.load(one.store) as stored:
        assert stored["predictions"].dtype == np.uint8
