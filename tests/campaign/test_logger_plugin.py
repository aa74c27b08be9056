"""What Snakemake prints: a line for each finished job, the sentence of an error, a table for a dry run."""

import logging
from datetime import datetime
from types import SimpleNamespace

import pytest
from snakemake.exceptions import InputFunctionException, format_exception_to_string
from snakemake_interface_common.exceptions import WorkflowError
from snakemake_interface_logger_plugins.common import LogEvent

import snakemake_logger_plugin_bayes_hpo as plugin
from bayes_hpo.campaign.targets import missing_target
from bayes_hpo.errors import UserError
from snakemake_logger_plugin_bayes_hpo import LogHandler, sentence


def record(event=None, message="", level=logging.INFO, **fields):
    made = logging.LogRecord("snakemake", level, "", 0, message, None, None)
    made.__dict__.update({"event": event} if event else {}, **fields)
    return made


def job(jobid, seconds=0, **wildcards):
    how = {"rule_name": "searches", "resources": {"core_seconds": seconds}, "wildcards": wildcards}
    return record(LogEvent.JOB_INFO, jobid=jobid, **how)


@pytest.fixture
def emitted(capsys):
    """Function: what is printed of some records, in a dry run or not."""

    def emit(*records, dryrun=False):
        handler = LogHandler(SimpleNamespace(verbose=False, dryrun=dryrun, stdout=True), None)
        for one in records:
            handler.emit(one)
        handler.close()
        return capsys.readouterr().out.splitlines()

    return emit


def test_a_finished_job_is_one_line_with_what_is_left(emitted):
    first, second = (job(number, 1800, scale="small", dataset="iris", number=number) for number in (0, 1))
    done = [record(LogEvent.JOB_FINISHED, job_id=number) for number in (0, 1)]
    progress = [record(LogEvent.PROGRESS, done=number, total=2) for number in (1, 2)]
    total = record(core_seconds=3600)
    lines = emitted(total, first, second, done[0], progress[0], done[1], progress[1])
    assert len(lines) == 2
    assert lines[0].startswith("1 of 2  searches small iris 0  (0.5 core-hours left, until ")
    assert lines[1] == "2 of 2  searches small iris 1"


def test_the_end_is_what_is_left_at_the_pace_so_far(emitted, monkeypatch):
    clock = iter([1000.0, 1600.0])  # the first quarter takes ten minutes, so the rest takes thirty
    monkeypatch.setattr(plugin, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    now = SimpleNamespace(now=lambda: datetime(2026, 1, 3, 16, 30))
    monkeypatch.setattr(plugin, "datetime", now)
    done = record(LogEvent.JOB_FINISHED, job_id=0), record(LogEvent.PROGRESS, done=1, total=2)
    (line,) = emitted(record(core_seconds=14400), job(0, 3600, scale="small"), *done)
    assert line == f"1 of 2  searches small  (3.0 core-hours left, until {datetime(2026, 1, 3, 17):%a %H:%M})"


def test_a_failed_job_is_the_error_of_its_log(emitted, tmp_path):
    log = tmp_path / "job.log"
    log.write_text("12:00:00 begun\nerror: no space left\n")
    failed = record(LogEvent.JOB_ERROR, jobid=3, log=[f"{log} (check log file(s) for error details)"])
    assert emitted(job(3, scale="small"), failed) == ["failed: searches small: error: no space left"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("/a b/bin/bash: line 1: python: No such file or directory\n", "bash: line 1: python: No such file"),
        ("error: of a search\nWorkflowError:\nAt least one job did not complete\n", "error: of a search"),
        ("12:00:00 begun\nKeyboardInterrupt\n", "KeyboardInterrupt"),
    ],
)
def test_the_error_of_a_log_is_that_of_the_stage_or_of_the_shell(emitted, tmp_path, text, words):
    (tmp_path / "job.log").write_text(text.replace("/a b", "/usr"))
    (line,) = emitted(job(3, scale="small"), record(LogEvent.JOB_ERROR, jobid=3, log=[str(tmp_path / "job.log")]))
    assert words in line


def test_a_job_that_ended_before_it_had_a_log_has_no_error_in_it(emitted, tmp_path):
    (line,) = emitted(job(3, scale="small"), record(LogEvent.JOB_ERROR, jobid=3, log=[str(tmp_path / "job.log")]))
    assert line == "failed: searches small: no error in its log"


def test_the_name_of_the_jobs_in_the_queue_is_printed(emitted):
    assert emitted(record(message="SLURM run ID: 7f")) == ["SLURM run ID: 7f"]


def test_who_finds_a_lock_is_told_to_end_jobs_first(emitted):
    (line,) = emitted(record(LogEvent.ERROR, "LockException:\nError: Directory cannot be locked. ...", logging.ERROR))
    assert "End first what still runs" in line


def test_a_dry_run_is_a_table_by_study_whose_rows_add_up(emitted):
    jobs = [job(n, 3600 * n, scale="paper", owner="overfitting" if n % 2 else "svm_width") for n in range(6)]
    lines = emitted(*jobs, dryrun=True)
    rows = {line.split()[0]: line.split()[1:] for line in lines[1:]}
    assert rows == {
        "paper_svm_width": ["3", "6.0"],
        "paper_overfitting": ["3", "9.0"],
        "all": ["6", "15.0"],
    }


@pytest.mark.parametrize(
    "text",
    [
        'WorkflowError in file "common.smk", line 48:\nunknown --config=a\n  File "common.smk", line 48, in <module>',
        "WorkflowError:\nunknown --config=a",
        "unknown --config=a",
        "Error: unknown --config=a",
    ],
)
def test_an_error_is_its_sentence(emitted, text):
    assert sentence(text) == "unknown --config=a"
    assert emitted(record(LogEvent.ERROR, text, logging.ERROR)) == ["error: unknown --config=a"]


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (WorkflowError("nothing makes T3_9"), "nothing makes T3_9"),
        (WorkflowError("costs.csv: line 3 is cut\nmeasure them"), "costs.csv: line 3 is cut measure them"),
        (UserError("unknown searcher=gpp; allowed: gp"), "unknown searcher=gpp; allowed: gp"),
        (KeyError("gpp"), "KeyError: 'gpp'"),  # a kind that is no sentence stays
    ],
)
def test_of_an_error_in_a_function_of_a_rule_only_the_sentence_is_printed(emitted, problem, words):
    try:
        raise problem
    except type(problem) as raised:
        rule = SimpleNamespace(name="table", lineno=3, snakefile="report.smk", workflow=SimpleNamespace(linemaps={}))
        error = InputFunctionException(raised, wildcards={"scale": "small", "artifact": "T3_9"}, rule=rule)
    text = format_exception_to_string(error, {})  # as Snakemake writes it
    assert all(noise in text for noise in ("InputFunctionException", "Wildcards:", "Traceback:"))
    assert emitted(record(LogEvent.ERROR, text, logging.ERROR)) == [f"error: {words}"]


def test_without_a_number_of_cores_the_option_is_named(emitted):
    text = "Error: cores have to be specified for local execution (use --cores N with N being a number >= 1 or 'all')"
    (line,) = emitted(record(LogEvent.ERROR, text, logging.ERROR))
    assert line.startswith("error: the number of cores is missing; ")
    assert "--cores 2" in line


@pytest.mark.parametrize(
    "text",
    [
        "CalledProcessError in file \"data.smk\", line 16:\nCommand 'python' returned non-zero exit status 2.",
        "WorkflowError:\nAt least one job did not complete successfully.",
    ],
)
def test_what_the_line_of_a_failed_job_says_is_not_said_again(emitted, text):
    assert emitted(record(LogEvent.ERROR, text, logging.ERROR)) == []
    assert emitted(record(message="Exiting because a job execution failed.", level=logging.ERROR)) == []


def test_a_missing_target_is_one_sentence(emitted):
    line = "MissingRuleException:\nNo rule to produce smoke_svm_widht (if you use input functions ...)."
    assert emitted(record(LogEvent.ERROR, line, logging.ERROR)) == [f"error: {missing_target('smoke_svm_widht')}"]


def test_reasons_shell_commands_and_remarks_are_silent(emitted):
    quiet = [record(LogEvent.SHELLCMD, "python"), record(message="Building DAG of jobs..."), record(LogEvent.RUN_INFO)]
    assert emitted(*quiet) == []
    assert emitted(record(message="slow file system", level=logging.WARNING)) == ["slow file system"]
    assert emitted(record(message="Nothing to be done (all files are there).")) != []
