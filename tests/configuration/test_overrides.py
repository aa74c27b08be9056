"""Overrides in printed commands: whatever the value, what is pasted into a shell is read as this value."""

import shlex

import pytest

from bayes_hpo.configuration.compose import configure
from bayes_hpo.configuration.overrides import override, word

PLAIN = ["results", "/somewhere/results-2.0", "../results", "a:b@c%d+e", "_"]
STRANGE = [
    "my results",
    "it's",
    'a "name"',
    "a\\",
    '\\"',
    "a,b",
    "[a]",
    "{a}",
    "(a)",
    "a=b&c;d|e",
    "$HOME",
    "~/a",
    "#a",
]
STRANGE += ["null", "True", "nan", "12", "1e3", "-x", " a ", "a\tb", "été", "https://host/a?b=c&d=e"]


@pytest.mark.parametrize("value", PLAIN + STRANGE)
def test_a_word_of_a_command_line_is_read_as_the_value(value):
    (one,) = shlex.split(word("results_dir", value))
    assert configure("status", ["study=overfitting", one])["results_dir"] == value


@pytest.mark.parametrize("value", PLAIN)
def test_a_plain_value_is_not_quoted(value):
    assert word("name", value) == override("name", value) == f"name={value}"


def test_a_number_is_not_quoted():
    assert [word("name", value) for value in (3, 0.5)] == ["name=3", "name=0.5"]
