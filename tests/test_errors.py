"""Laws of what a process lacks, which is no failed trial, wherever in the chain of causes it is told."""

import pytest

from bayes_hpo.errors import RunError, UserError, is_learner_error, missing_resource

LACKS = [MemoryError("no room"), FileNotFoundError(2, "no file"), ImportError("no module")]


def _raised_from(cause, depth):
    problem = cause
    for number in range(depth):
        outer = ValueError(f"{number} around it")
        outer.__cause__ = problem
        problem = outer
    return problem


@pytest.mark.parametrize("depth", [0, 1, 4])
@pytest.mark.parametrize(
    "cause", [*LACKS, RuntimeError("can't start new thread")], ids=lambda cause: type(cause).__name__
)
def test_a_lack_is_found_along_the_chain_of_causes(cause, depth):
    problem = _raised_from(cause, depth)
    assert missing_resource(problem) is cause
    assert not is_learner_error(problem)


@pytest.mark.parametrize("depth", [0, 1, 4])
def test_an_error_of_a_learner_lacks_nothing(depth):
    problem = _raised_from(ZeroDivisionError("in the learner"), depth)
    assert missing_resource(problem) is None
    assert is_learner_error(problem)


@pytest.mark.parametrize("kind", [RunError, UserError])
def test_an_error_of_ours_is_no_learners(kind):
    assert not is_learner_error(kind("wrong"))
