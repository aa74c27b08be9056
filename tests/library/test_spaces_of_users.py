"""A space from a dict, a YAML file or a ConfigurationSpace is the same space."""

import numpy as np
import pytest
from library_objectives import FORBIDDEN, SPACE

from bayes_hpo import Optimizer, Space
from bayes_hpo.configuration.options import options
from bayes_hpo.errors import UserError
from bayes_hpo.library.space import as_space
from bayes_hpo.library.trials import plain
from bayes_hpo.spaces import space

YAML = """
parameters:
  kernel: {choices: [linear, rbf, null]}
  C: {low: 1e-3, high: 1e3, log: true}
  gamma: {low: 1e-5, high: 10.0, log: true, when: {kernel: rbf}}
  degree: {low: 1, high: 9, integer: true, when: {kernel: [linear, rbf]}}
  shrinking: {choices: [true, false]}
  seed: {value: 3}
forbidden: [{kernel: linear, shrinking: false}]
"""


def drawn(of):
    """Forty configurations of a space."""
    return [of.sample(np.random.default_rng(seed)) for seed in range(40)]


def test_a_file_is_the_dict_that_it_holds(tmp_path):
    (tmp_path / "mine.yaml").write_text(YAML)
    (tmp_path / "null.yaml").write_text(f"{YAML}imputed:\n")
    assert drawn(Space.from_yaml(tmp_path / "null.yaml")) == drawn(Space(SPACE, FORBIDDEN))
    assert drawn(Space.from_yaml(tmp_path / "mine.yaml")) == drawn(Space(SPACE, FORBIDDEN))
    assert drawn(as_space(str(tmp_path / "mine.yaml"))) == drawn(Space(SPACE, FORBIDDEN))
    assert drawn(as_space(SPACE)) == drawn(Space(SPACE)) != drawn(Space(SPACE, FORBIDDEN))


@pytest.mark.parametrize("name", options("space"))
def test_every_space_of_the_studies_is_read(name):
    read = Space.from_yaml(f"conf/space/{name}.yaml")
    assert read.encode(drawn(read)).shape == (40, len(read))


def test_a_space_is_taken_as_it_is():
    built = space.Space(SPACE)
    assert as_space(built) is built


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("parameters: [1]", r"^parameters=\[1\] must be a dict"),
        ("forbidden: []", "mine.yaml lacks parameters; it needs a mapping of that name$"),
        ("parameters: {x: {low: 0, high: 1}}\nforbiden: []", "has a key forbiden; allowed: parameters, forbidden, imp"),
        ("[1, 2]", "mine.yaml is not a mapping, name: value; mend that file$"),
        ("x: [", "; mend that file$"),
        ("parameters: {x: {low: 0, high: 1}}\nforbidden: 3", "^forbidden=3 must be a list of clauses"),
        ("defaults: [nowhere]\nparameters: {x: {low: 0, high: 1}}", r"nowhere.yaml'\); mend that file$"),
    ],
)
def test_a_wrong_file_is_named(tmp_path, text, sentence):
    (tmp_path / "mine.yaml").write_text(text)
    with pytest.raises(UserError, match=sentence):
        Space.from_yaml(tmp_path / "mine.yaml")


def test_a_file_that_is_no_text_is_named(tmp_path):
    (tmp_path / "mine.yaml").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(UserError, match=r"mine\.yaml cannot be read .*; mend that file$"):
        Space.from_yaml(tmp_path / "mine.yaml")


def test_a_file_of_another_ending_is_to_be_renamed(tmp_path):
    (tmp_path / "mine.yml").write_text(YAML)
    with pytest.raises(UserError, match=r"mine\.yml does not end in \.yaml; rename it$"):
        Space.from_yaml(tmp_path / "mine.yml")


def test_a_path_that_is_none_is_named():
    with pytest.raises(UserError, match=r"^there is no space 3; give the path of a file that ends in \.yaml$"):
        Space.from_yaml(3)


@pytest.fixture
def package():
    return pytest.importorskip("ConfigSpace", reason="ConfigSpace is not installed: pip install -e '.[test]'")


def test_a_configuration_space_is_the_same_space(package):
    given = package.ConfigurationSpace(seed=1)
    learner = package.Categorical("learner", ["svm", "knn", "tree"], default="knn")
    level = package.OrdinalHyperparameter("level", ["low", "middle", "high"])
    C = package.Float("C", (1e-3, 1e3), log=True, default=2.0)
    k = package.Integer("k", (1, 30), log=True)
    depth = package.Integer("depth", (1, 4), default=3)
    alpha, beta = package.Float("alpha", (0.0, 1.0)), package.Float("beta", (0.0, 1.0))
    given.add(learner, level, C, k, depth, alpha, beta, package.Constant("seed", 7))
    given.add(
        package.EqualsCondition(C, learner, "svm"),
        package.NotEqualsCondition(k, learner, "svm"),
        package.AndConjunction(package.InCondition(alpha, learner, ["svm", "tree"]),
                               package.GreaterThanCondition(alpha, level, "low")),
        package.OrConjunction(package.EqualsCondition(beta, depth, 1), package.GreaterThanCondition(beta, depth, 3)),
        package.ForbiddenAndConjunction(package.ForbiddenEqualsClause(learner, "svm"),
                                        package.ForbiddenInClause(level, ["middle", "high"])),
        package.ForbiddenEqualsClause(depth, 2),
    )  # fmt: skip
    made = Space.from_configspace(given)
    assert made.parameters.keys() | made.fixed.keys() == set(given)
    theirs = [plain(dict(one), made) for one in given.sample_configuration(60)]
    made.encode(theirs)  # raises UserError for one of theirs that is not one of ours
    for configuration in drawn(made):
        package.Configuration(given, values=configuration)  # raises for one of ours that is not one of theirs
    assert (made.default()["learner"], made.default()["depth"]) == ("knn", 3)
    assert set(Optimizer(given).ask()) <= set(given)


@pytest.mark.parametrize(
    ("add", "sentence"),
    [
        (lambda p: [p.Float("x", (0, 1), distribution=p.Normal(0.5, 0.1))], "^x is a NormalFloatHyperparameter that"),
        (lambda p: [p.Categorical("x", [1, 2], weights=[1, 3])], "^x is a CategoricalHyperparameter that a Space does"),
        (lambda p: [a := p.Float("a", (0, 1)), b := p.Float("b", (0, 1)), p.EqualsCondition(b, a, 0.5)],
         "^b: a is real; a condition needs a parent with choices or integer: true$"),
        (lambda p: [a := p.Float("a", (0, 1)), b := p.Float("b", (0, 1)), p.GreaterThanCondition(b, a, 0.5)],
         "is a condition that a Space does not have; name values of a parent with choices$"),
        (lambda p: [a := p.Integer("a", (0, 1)), b := p.Integer("b", (0, 1)), c := p.Float("c", (0, 1)),
                    p.OrConjunction(p.EqualsCondition(c, a, 1), p.EqualsCondition(c, b, 1))],
         "joins several parents by or, which a Space does not; split the child in two$"),
        (lambda p: [a := p.Integer("a", (0, 1)), b := p.Integer("b", (0, 1)), p.ForbiddenLessThanRelation(a, b)],
         "is a clause that a Space does not have; forbid values, joined by and$"),
    ],
)  # fmt: skip
def test_what_a_space_cannot_express_is_named(package, add, sentence):
    given = package.ConfigurationSpace()
    given.add(*add(package))
    with pytest.raises(UserError, match=sentence):
        Space.from_configspace(given)


def test_without_the_package_the_extra_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr("bayes_hpo.library.config_space.import_module", missing)
    with pytest.raises(UserError, match=r"^ConfigSpace is not installed; run: pip install 'bayes-hpo\[configspace\]'$"):
        Space.from_configspace(object())


def test_something_else_is_no_configuration_space(package):
    with pytest.raises(UserError, match=r"^3 is not a ConfigurationSpace; give one, or a dict, or the path of a YAML"):
        Space.from_configspace(3)
