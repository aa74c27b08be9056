"""OpenML through the real client against a loopback server with real faults: a set is whole, or absent and why."""

import hashlib
import os
import socket
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import requests
from mini_openml import MiniOpenML
from urllib3 import exceptions

from bayes_hpo.data.registry import Part, Row
from bayes_hpo.data.sources import openml_source
from bayes_hpo.data.sources.openml_child import described
from bayes_hpo.data.sources.openml_files import fetched
from bayes_hpo.data.sources.settings import Settings
from bayes_hpo.errors import RunError, UserError

ARFF = b"""@relation tiny
@attribute id integer
@attribute 'body size' real
@attribute colour {red,green}
@attribute remark string
@attribute class {no,yes}
@data
1,2.5,red,a,no
2,?,green,b,yes
3,1e1,?,'c, d',yes
4,4,green,e,no
5,5,green,f,no
6,6,red,g,yes
"""
SPARSE = b"@relation s\n@attribute word numeric\n@attribute class {a,b}\n@data\n" + b"{0 2}\n{1 b}\n{0 1,1 b}\n" * 3
ROW = Row(name="openml-61", source="openml", openml_id=61)


@pytest.fixture
def server():
    with MiniOpenML({61: ARFF, 7: SPARSE}) as server:
        yield server


@pytest.fixture
def settings(tmp_path, server):
    return Settings(
        results_dir=str(tmp_path), openml_server=server.url, timeout_s=5, deadline_s=60, attempts=1, pause_s=0
    )


def store(tmp_path, content=ARFF, number=61):
    """Lay the files of a data set where the store keeps them, as if they had been fetched."""
    folder = tmp_path / "data" / "openml" / str(number)
    folder.mkdir(parents=True)
    with MiniOpenML({number: content}) as server:
        folder.joinpath("description.xml").write_bytes(server.answer(f"/data/{number}")[2])
    folder.joinpath("dataset.arff").write_bytes(content)
    return folder


def test_nominal_columns_become_indicators_and_missing_values_are_marked(tmp_path):
    store(tmp_path)
    data = openml_source.read(ROW, Settings(results_dir=str(tmp_path)))
    nan = np.nan
    expected = [[2.5, 1, 0], [nan, 0, 1], [10, 0, 0], [4, 0, 1], [5, 0, 1], [6, 1, 0]]
    np.testing.assert_array_equal(data.X, expected)  # neither the row's id nor the ignored attribute
    assert data.y.tolist() == [0, 1, 1, 0, 0, 1]
    assert data.header["labels"] == ["no", "yes"]
    assert data.header["licence"] == "CC0"
    assert data.fitted


def test_a_sparse_file_is_read_as_what_it_stands_for(tmp_path):
    store(tmp_path, SPARSE, 7)
    data = openml_source.read(Row(name="openml-7", source="openml", openml_id=7), Settings(results_dir=str(tmp_path)))
    np.testing.assert_array_equal(data.X[:3, 0], [2, 0, 1])
    np.testing.assert_array_equal(data.y[:3], [0, 1, 1])


def test_an_unknown_target_is_refused_with_the_attributes(tmp_path):
    store(tmp_path)
    with pytest.raises(UserError, match=r"data.target=klass .*body size, colour"):
        openml_source.read(ROW, Settings(results_dir=str(tmp_path), target="klass"))


def test_an_attribute_of_strings_is_refused_unless_it_is_dropped(tmp_path):
    store(tmp_path, ARFF.replace(b"colour {red,green}", b"colour string"))
    with pytest.raises(RunError, match="attribute colour is of type STRING"):
        openml_source.read(ROW, Settings(results_dir=str(tmp_path)))


@pytest.mark.slow
def test_a_data_set_is_fetched_once_and_healed_when_damaged(settings, server, tmp_path):
    folder = fetched(ROW, settings)
    assert server.requests == ["data", "arff"]
    assert fetched(ROW, settings) == folder
    assert server.requests == ["data", "arff"]
    rows = folder.joinpath("dataset.arff").read_bytes().splitlines(keepends=True)
    folder.joinpath("dataset.arff").write_bytes(b"".join(rows[:-2]))  # cut at a row's end: it would load
    fetched(ROW, settings)
    assert folder.joinpath("dataset.arff").read_bytes() == ARFF
    assert sorted(path.name for path in folder.parent.iterdir()) == ["61"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("resource", "fault", "reason"),
    [
        ("data", "error500", "OpenMLServerError"),
        ("arff", "error500", "OpenMLServerError"),
        ("data", "checksum", "OpenMLHashException"),
        ("arff", "half", "OpenMLHashException"),
        ("arff", "cut", "ChunkedEncodingError"),
    ],
)
def test_a_fault_of_the_server_is_one_sentence_and_leaves_nothing(settings, server, tmp_path, resource, fault, reason):
    server.faults[resource] = fault
    with pytest.raises(RunError, match=f"OpenML data set 61 could not be downloaded .*{reason}") as problem:
        fetched(ROW, settings)
    assert "\n" not in str(problem.value)
    assert list((tmp_path / "data" / "openml").iterdir()) == []


@pytest.mark.slow
def test_a_silent_server_is_given_up(settings, server):
    server.faults["arff"] = "hang"
    with pytest.raises(RunError, match="ReadTimeout"):
        fetched(ROW, replace(settings, timeout_s=0.5))


@pytest.mark.slow
def test_a_client_that_does_not_end_is_ended(settings, server):
    server.faults["data"] = "hang"
    start = time.monotonic()
    with pytest.raises(RunError, match="no answer within 1 s"):
        fetched(ROW, replace(settings, timeout_s=600, deadline_s=1))
    assert time.monotonic() - start < 15


@pytest.mark.slow
def test_all_attempts_together_end_at_the_deadline_and_name_the_way_without_a_server(settings, server):
    server.faults["data"] = "hang"
    start = time.monotonic()
    with pytest.raises(RunError, match=r"no answer within 1 s\).*data\.openml_dir=FOLDER"):
        fetched(ROW, replace(settings, timeout_s=600, deadline_s=1, attempts=20))
    assert time.monotonic() - start < 15


@pytest.mark.slow
def test_an_unreachable_server_is_tried_again_and_then_named(settings):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{free.getsockname()[1]}/api/v1/xml"
    with pytest.raises(
        RunError, match=r"\(ConnectionError: NewConnectionError at 127\.0\.0\.1\); run the command again"
    ):
        fetched(ROW, replace(settings, openml_server=nobody))


def test_of_a_connection_the_kinds_of_error_and_the_host_are_said_and_of_others_the_text():
    request = requests.Request("GET", "https://api.example.org:8443/api/v1/xml/data/61").prepare()
    layers = exceptions.MaxRetryError(
        None, "/api/v1", exceptions.NameResolutionError("host", None, socket.gaierror(-2))
    )
    unknown = requests.ConnectionError(layers, request=request)
    assert described(unknown) == "ConnectionError: NameResolutionError at api.example.org"
    assert described(requests.ReadTimeout("HTTPSConnectionPool(host=...", request=request)) == (
        "ReadTimeout at api.example.org"
    )
    assert described(requests.exceptions.ChunkedEncodingError("('Connection broken', 3)")) == "ChunkedEncodingError"
    assert described(ValueError("no\n luck")) == "ValueError: no luck"


def test_another_sum_than_the_registered_one_is_refused_at_every_use(tmp_path, settings, server):
    folder = store(tmp_path)
    other = Row(name="tiny", openml_id=61, layouts=((Part("dataset.arff", ("0" * 64,)),),))
    server.faults["data"] = "error500"
    with pytest.raises(RunError, match="could not be downloaded"):
        fetched(other, replace(settings, deadline_s=0.01))
    right = Row(name="tiny", openml_id=61, layouts=((Part("dataset.arff", (hashlib.sha256(ARFF).hexdigest(),)),),))
    assert fetched(right, settings) == folder


def test_what_a_killed_fetch_left_is_swept_after_a_day(tmp_path, settings):
    left = tmp_path / "data" / "openml" / ".61.abc"
    left.mkdir(parents=True)
    yesterday = time.time() - 90000
    os.utime(left, (yesterday, yesterday))
    with pytest.raises(RunError):
        fetched(ROW, replace(settings, deadline_s=0.01))
    assert not left.exists()


def test_a_leftover_that_another_job_sweeps_meanwhile_is_no_trouble(tmp_path, settings):
    folder = tmp_path / "data" / "openml"
    folder.mkdir(parents=True)
    folder.joinpath(".61.abc").symlink_to("gone")  # listed, but not there when its time is asked for
    with pytest.raises(RunError, match="no answer within"):
        fetched(ROW, replace(settings, deadline_s=0.01))


def test_the_client_is_imported_only_in_the_child():
    code = "import sys, bayes_hpo.data.sources.openml_source; sys.exit('openml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent).returncode == 0
