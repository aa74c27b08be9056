"""Fixtures of the command line's tests: stages as commands, and a searched and scored data set to be hurt."""

import contextlib
import ctypes
import io
import resource
import runpy
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TWO = "study.scales.toy.repetitions.holdout=2"
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2  # of <sys/prctl.h> and <linux/capability.h>


def _obey_permissions():
    """What this process executes next obeys the permissions of files even when root runs the tests."""
    with contextlib.suppress(AttributeError):  # only Linux has it
        for right in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, right, 0, 0, 0)


@pytest.fixture(scope="session")
def forbidden(tmp_path_factory):
    """Function: forbid this process's user a path until the end of the `with` block, for stages run by `stage`."""

    @contextlib.contextmanager
    def forbid(path, mode=0):
        before = path.stat().st_mode
        path.chmod(mode)
        try:
            yield
        finally:
            path.chmod(before)

    probe = tmp_path_factory.mktemp("forbidden") / "probe"
    probe.touch()
    with forbid(probe):
        if subprocess.run(["cat", probe], capture_output=True, preexec_fn=_obey_permissions).returncode == 0:
            pytest.skip("root reads everything here, and may not give up that right")
    return forbid


@pytest.fixture(scope="session")
def stage():
    """Function: run a stage as a process of its own whose files can grow to `file_size` bytes only, and itself to
    `memory` bytes. It obeys the permissions of files (`forbidden`).
    """

    def run(name, *arguments, file_size=resource.RLIM_INFINITY, memory=resource.RLIM_INFINITY, cwd=ROOT):
        def limit():
            _obey_permissions()
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, resource.RLIM_INFINITY))
            resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))

        return subprocess.run(
            [sys.executable, "-m", f"bayes_hpo.stages.{name}", *map(str, arguments)],
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=600,
            preexec_fn=limit,
        )

    return run


@pytest.fixture(scope="session")
def loaded():
    """Function: size (bytes) of a process that has loaded some modules."""

    def size(*modules):
        code = f"import {', '.join(modules)}; print(open('/proc/self/status').read().partition('VmPeak:')[2])"
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        return 1024 * int(said.split()[0])

    return size


@pytest.fixture(scope="session")
def command():
    """Function: run a stage as `stage` does, but in this process, which is faster."""

    def run(name, *arguments):
        code, out, err = 0, io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "argv", [name, *map(str, arguments)])
            patch.delitem(sys.modules, f"bayes_hpo.stages.{name}", raising=False)
            try:
                runpy.run_module(f"bayes_hpo.stages.{name}", run_name="__main__")
            except SystemExit as end:
                code = end.code
        return subprocess.CompletedProcess(arguments, code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture(scope="session")
def sentence():
    """Function: the one sentence with which a finished command has ended, with exit code `code`."""

    def read(done, code):
        lines = done.stderr.splitlines()
        assert done.returncode == code, done.stderr
        assert [line for line in lines if line.startswith("error: ")] == lines[-1:]
        assert "Traceback" not in done.stderr
        return lines[-1]

    return read


@pytest.fixture(scope="session")
def job():
    """The overrides of a search and of its score; a later override of the same name wins."""
    return ("study=overfitting", "dataset=sklearn-iris", "searcher=random", "protocol=holdout", "scale=toy")


@pytest.fixture(scope="session")
def searched(command, job, tmp_path_factory):
    """A results_dir with two repetitions of random search on iris, each a block."""
    results = tmp_path_factory.mktemp("searched")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        assert command("data", "dataset=sklearn-iris", f"results_dir={results}").returncode == 0
        for number in (0, 1):
            assert command("search", *job, TWO, f"repetitions={number}", f"results_dir={results}").returncode == 0
    return results


@pytest.fixture
def results(searched, tmp_path):
    """A copy of `searched` to be hurt."""
    return Path(shutil.copytree(searched, tmp_path / "results"))


@pytest.fixture
def unsearched(searched, tmp_path):
    """A results_dir of one's own with the data of `searched` alone."""
    return Path(shutil.copytree(searched / "data", tmp_path / "unsearched" / "data")).parent


@pytest.fixture(scope="session")
def pool():
    """Function: path of a pool in the folder of a search below a results_dir."""

    def path(results, searcher="random", repetition=0, dataset="sklearn-iris", protocol="holdout"):
        return results / f"toy/pools/overfitting/{dataset}/{protocol}/{searcher}/rep_{repetition:03d}.npz"

    return path


@pytest.fixture(scope="session")
def contents():
    """Function: bytes of every file below a folder (dict by path), to see that nothing finished was touched."""
    return lambda folder: {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
