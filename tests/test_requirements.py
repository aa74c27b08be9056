"""The pins with hashes say what constraints.txt says, for every extra, and name no host."""

import re
import tomllib
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parents[1].joinpath("requirements").glob("*.txt"))


def _pins(path):
    """dict, requirement with its marker -> hashes."""
    blocks = re.findall(r"^(\S.*)\n((?:    --hash.*\n?)*)", path.read_text(), re.MULTILINE)
    return {
        pin.rstrip("\\ ").replace(" \\", ""): re.findall(r"--hash=sha256:([0-9a-f]{64})\b", hashes)
        for pin, hashes in blocks
    }


def test_every_extra_has_a_file():
    extras = tomllib.loads(Path("pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {path.stem for path in FILES} == {"base", *extras}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_pin_is_that_of_the_constraints_and_has_hashes(path):
    known = {line.partition(" ;")[0] for line in Path("constraints.txt").read_text().splitlines()}
    pins = _pins(path)
    assert pins
    for pin, hashes in pins.items():
        assert pin.partition(" ;")[0] in known, pin
        assert hashes, pin
    assert "://" not in path.read_text()


def test_an_extra_adds_what_the_base_lacks():
    base = set(_pins(FILES[0].with_name("base.txt")))
    for path in FILES:
        assert path.stem == "base" or not base & set(_pins(path))
    assert any(pin.startswith("snakemake-executor-plugin-slurm==") for pin in _pins(FILES[0].with_name("cluster.txt")))


@pytest.mark.parametrize("name", ["optuna", "configspace", "snakemake-executor-plugin-slurm"])
def test_the_extra_test_brings_what_tests_are_skipped_without(name):
    listed = tomllib.loads(Path("pyproject.toml").read_text())["project"]["optional-dependencies"]
    given = [text for extra in ("test", "cluster", "configspace") for text in listed[extra]]
    assert "bayes-hpo[cluster,configspace]" in listed["test"]
    assert any(re.match(rf"{name}\b", text.lower()) for text in given)
    assert any(pin.startswith(f"{name}==") for pin in _pins(FILES[0].with_name("test.txt")))
