"""Algorithms 2.1, 2.2 and 4.1: every printed line is there, and the code that it names exists."""

import importlib

import pytest
from thesis_artifacts import function, row

STEPS = [pytest.param(step, id=f"{name} {step[0]}") for name in ("A2_1", "A2_2", "A4_1") for step in row(name)["steps"]]


@pytest.mark.parametrize("step", STEPS)
def test_the_code_that_a_step_names_exists(step):
    names, found = step[2].split("."), None
    for cut in range(len(names) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(["bayes_hpo", *names[:cut]]))
            break
        except ModuleNotFoundError:
            continue
    for name in names[cut:]:
        found = getattr(found, name)
    assert found.__doc__


@pytest.mark.parametrize(("name", "lines"), [("A2_1", [1, 2, 3, 4, 5, 6, 8]), ("A2_2", [1, 2, 3, 4, 5, 6, 7, 9])])
def test_every_printed_line_but_the_end_of_the_loop_is_there(name, lines):
    made = function(name)(None)
    assert [int(line) for line, _ in made.cells.index] == lines == made.values["line"].tolist()
    assert made.cells["code"].tolist() == made.values["code"].tolist()


def test_of_algorithm_4_1_every_line_is_there_and_what_it_returns():
    made = function("A4_1")(None)
    assert [line for line, _ in made.cells.index] == [*map(str, range(1, 13)), ""]
