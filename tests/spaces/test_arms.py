"""Laws of sub-spaces and defaults: arms partition a space, what is fixed stays, the default is a configuration."""

from pathlib import Path

import numpy as np
import pytest
from omegaconf import OmegaConf

from bayes_hpo.configuration.build import build
from bayes_hpo.errors import UserError
from bayes_hpo.spaces.space import Space

RNG = np.random.default_rng(6)
UNIT = {"low": 0.0, "high": 1.0}
ROOT = Path(__file__).parents[2]
FILES = {"cash": ROOT / "conf/space/cash.yaml", "esmbo": ROOT / "tests/spaces/esmbo.yaml"}
FILES["divbo"] = ROOT / "tests/spaces/divbo.yaml"


def _space(name):
    node = OmegaConf.to_container(OmegaConf.load(FILES[name]))
    return build(node.get("space", node), "space")


@pytest.fixture(params=FILES)
def space(request):
    return _space(request.param)


def _in(space, configuration):
    try:
        space.encode([configuration])
    except UserError:
        return False
    return True


def test_arms_partition_a_space(space):
    arms = {choice: space.arm(choice) for choice in space.parameters[space.root].choices}
    for configuration in (space.sample(RNG) for _ in range(60)):
        assert [choice for choice, arm in arms.items() if _in(arm, configuration)] == [configuration[space.root]]
    for choice, arm in arms.items():
        for _ in range(10):
            configuration = arm.sample(RNG)
            assert configuration[space.root] == choice
            assert _in(space, configuration)
            point = arm.encode([configuration])[0]
            assert point.shape == (len(arm),)
            assert arm.decode(arm.encode([arm.decode(point)])[0]) == arm.decode(point)
            assert all(_in(arm, arm.decode(near)) for near in arm.neighbours(point))


def test_an_arm_has_what_may_be_active_in_it_and_nothing_else():
    cash = _space("cash")
    assert [len(cash.arm(choice)) for choice in cash.parameters["learner"].choices] == [1, 2, 1, 3, 4, 1, 0, 0, 1]
    svm = cash.arm("svm")
    assert list(svm.parameters) == ["svm_C", "svm_tau"]
    assert svm.active(RNG.random((5, 2))).all()
    assert set(svm.signatures(RNG.random((5, 2)))) == {0}
    divbo = _space("divbo").arm("libsvm_svc")
    assert "lda_tol" not in divbo.parameters
    assert "lda_shrinkage_factor" not in divbo.parameters  # its parent is gone
    assert {"libsvm_svc_degree", "quantile_n_quantiles", "pca_whiten"} <= set(divbo.parameters)
    assert len(divbo.conditions.of[list(divbo.parameters).index("libsvm_svc_degree")]) == 1


def test_an_arm_may_be_one_configuration():
    arm = _space("cash").arm("gnb")
    assert len(arm) == 0
    assert arm.sample(RNG) == arm.default() == arm.decode([]) == {"learner": "gnb"}
    assert arm.encode([{"learner": "gnb"}] * 3).shape == (3, 0)
    assert arm.neighbours(arm.encode([{"learner": "gnb"}])[0]).shape == (0, 0)


def test_some_values_fixed_and_the_others_searched():
    divbo = _space("divbo")
    configuration = divbo.sample(RNG)
    chosen = {"rescaler": "quantile", "quantile_n_quantiles": 500, "preprocessor": "pca", "pca_whiten": True}
    space = divbo.fix(chosen)
    assert not {"rescaler", "quantile_n_quantiles", "pca_whiten", "lda_decomposer_shrinkage"} & set(space.parameters)
    for configuration in (space.sample(RNG) for _ in range(30)):
        assert chosen.items() <= configuration.items()
        assert _in(divbo, configuration)
    assert space.root == "algorithm"
    assert space.arm("lda").fixed == chosen | {"algorithm": "lda"}


def test_clauses_hold_in_sub_spaces():
    divbo = _space("divbo").fix({"algorithm": "liblinear_svc", "liblinear_svc_loss": "hinge"})
    drawn = [divbo.sample(RNG) for _ in range(100)]
    assert {(c["liblinear_svc_penalty"], c["liblinear_svc_dual"]) for c in drawn} == {("l2", True)}
    both = divbo.fix({"liblinear_svc_penalty": "l2"})
    assert both.sample(RNG)["liblinear_svc_dual"] is True
    assert _space("divbo").arm("lda").forbidden.clauses == [
        {"feature_agglomeration_linkage": "ward", "feature_agglomeration_affinity": ["manhattan", "cosine"]}
    ]


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"algorithm": "mlp"}, "algorithm=mlp is not in the search space"),
        ({"learner": "lda"}, "learner is not a hyperparameter; allowed: algorithm"),
        ({"lda_tol": 0.01}, "lda_tol: {'value': 0.01, 'when': {'algorithm': 'lda'}} has a value"),
        (
            {"algorithm": "lda", "libsvm_svc_C": 1.0},
            "libsvm_svc_C: {'value': 1.0, 'when': {'algorithm': 'libsvm_svc'}}",
        ),
        (
            {"algorithm": "liblinear_svc", "liblinear_svc_penalty": "l1", "liblinear_svc_loss": "hinge"},
            "forbidden: a clause without a value forbids everything",
        ),
    ],
)
def test_a_sub_space_that_there_cannot_be_is_told_in_one_sentence(values, sentence):
    with pytest.raises(UserError, match=r"^[^\n]+$") as problem:
        _space("divbo").fix(values)
    assert sentence in str(problem.value)


def test_a_sub_space_of_a_sub_space_keeps_what_is_fixed():
    arm = _space("divbo").arm("lda")
    with pytest.raises(UserError, match="algorithm=libsvm_svc is not in the search space: its value is lda"):
        arm.fix({"algorithm": "libsvm_svc"})


def test_the_default_is_a_configuration_of_the_space(space):
    assert _in(space, space.default())
    for choice in space.parameters[space.root].choices:
        default = space.arm(choice).default()
        assert _in(space, default)
        assert default[space.root] == choice


def test_defaults_are_the_given_values_and_else_the_middle():
    assert _space("divbo").arm("libsvm_svc").default() == {
        "algorithm": "libsvm_svc",
        "libsvm_svc_C": pytest.approx(1.0),
        "libsvm_svc_kernel": "rbf",
        "rescaler": "empty",
        "preprocessor": "empty",
        "balancer": "empty",
    }
    cash = _space("cash")
    assert cash.default() == cash.decode(np.full(14, 0.5))


def test_a_default_that_is_not_in_the_space_or_forbidden_is_told():
    with pytest.raises(UserError, match=r"x=2\.0 is not in the search space"):
        Space({"x": UNIT | {"default": 2.0}})
    choices = {"choices": ["a", "b"]}
    space = Space({"x": choices | {"default": "a"}, "y": choices | {"default": "b"}}, [{"x": "a", "y": "b"}])
    with pytest.raises(UserError, match="is forbidden"):
        space.default()


def test_an_inactive_coordinate_is_that_of_the_default_or_the_given_one():
    parameters = {"kind": {"choices": ["a", "b"]}, "x": UNIT | {"when": {"kind": "a"}, "default": 0.2}}
    for imputed, expected in ((None, 0.2), (0.5, 0.5), (-1.0, -1.0)):
        space = Space(parameters, imputed=imputed)
        assert space.encode([{"kind": "b"}])[0, 1] == expected
        points = RNG.random((50, 2))
        active = space.active(points)
        assert (space.impute(points)[~active] == expected).all()
        np.testing.assert_array_equal(space.impute(points)[active], points[active])
        (near,) = space.neighbours(space.encode([{"kind": "b"}])[0])
        assert space.decode(near) == {"kind": "a", "x": pytest.approx(0.2)}  # what a step activates has its default
        arm = space.arm("a").encode([{"kind": "a", "x": 0.7}])
        assert arm.tolist() == [[0.7]]
