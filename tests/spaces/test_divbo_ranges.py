"""Ranges, defaults and conditions of DivBO's space, beside a transcription of their source (divbo_ranges.txt)."""

import re
from pathlib import Path

import pytest

from bayes_hpo.configuration.options import written

SAMPLES = {"mss": "min_samples_split int 2..20 =2", "msl": "min_samples_leaf int 1..20 =1"}
LINES = [line for line in Path(__file__).with_name("divbo_ranges.txt").read_text().splitlines() if line[0] != "#"]
SOURCE = {
    f"{line.split()[0]} {text.split()[0]}": (line.split()[0], SAMPLES.get(text.strip(), text.strip()))
    for line in LINES
    for text in line.split(" ", 1)[1].split("; ")
}
OURS = written("space", "divbo")["parameters"]
NUMBER = r"-?(?:2\^-?\d+|\d*\.?\d+(?:e-?\d+)?)"
ROOTS = {"quantile": "rescaler", "robust": "rescaler"} | dict.fromkeys(OURS["preprocessor"]["choices"], "preprocessor")


def number(text):
    """The value of a number such as .1, 1e-5 or 2^-15."""
    base, _, exponent = text.partition("^")
    return float(base) ** int(exponent) if exponent else float(text)


def value(text):
    return {"true": True, "false": False}.get(text, text)


def node(option, text):
    """What conf/space says of a hyperparameter that the source describes so."""
    name, kind, rest = text.split(" ", 2) if "{" not in text else (*text.split(" ", 1), "")
    what, _, condition = text.partition(" |")
    parent, _, values = condition.partition("=")
    when = [value(one) for one in values.split(",")]
    found = {"when": {f"{option}_{parent}": when} if condition else {ROOTS.get(option, "algorithm"): [option]}}
    default = re.search(r" =(\S+)", what)
    if "{" in kind:
        choices = [value(one) for one in re.search(r"{(.*)}", what)[1].split(",")]
        return name, found | {"choices": choices, "default": value(default[1]) if default else choices[0]}
    low, high = re.match(rf"({NUMBER})\.\.({NUMBER})(?: |$)", rest).groups()
    step = re.search(rf" step({NUMBER})", what)
    found |= {"low": number(low), "high": number(high), "default": number(default[1])}
    found |= {"integer": True} if kind == "int" else {}
    return name, found | ({"log": True} if " log" in what else {}) | ({"step": number(step[1])} if step else {})


@pytest.mark.parametrize("key", SOURCE)
def test_a_hyperparameter_is_that_of_the_source(key):
    option, text = SOURCE[key]
    name, expected = node(option, text)
    ours = dict(OURS[f"{option}_{name}"])
    ours.setdefault("default", ours["choices"][0] if "choices" in ours else None)
    ours["when"] = {parent: one if isinstance(one, list) else [one] for parent, one in ours["when"].items()}
    assert ours == expected


def test_no_other_hyperparameter_is_searched():
    assert len(SOURCE) == 96
    assert len(OURS) == 96 + 3


def test_clauses_are_those_of_the_source():
    """Of the linear SVM, in the words of its library, and of Ward's linkage, which is Euclidean."""
    liblinear = [{"penalty": "l1", "loss": "hinge"}, {"dual": False, "penalty": "l2", "loss": "hinge"},
                 {"dual": True, "penalty": "l1"}]  # fmt: skip
    named = [{f"liblinear_svc_{name}": one for name, one in clause.items()} for clause in liblinear]
    ward = {"feature_agglomeration_linkage": "ward", "feature_agglomeration_affinity": ["manhattan", "cosine"]}
    assert written("space", "divbo")["forbidden"] == [*named, ward]
