"""A small campaign whose files `benchmarks.mutations` damages: prepared, its searches killed, and finished."""

import copy
import logging
import multiprocessing
import os
import shutil
import signal
from dataclasses import replace
from functools import partial

from bayes_hpo.campaign import grid
from bayes_hpo.configuration.compose import configure
from bayes_hpo.errors import RunError
from bayes_hpo.stages import entry
from benchmarks.stored import DATASETS, JOBS, MEASURES, STUDY, Campaign

KILLED_AT, REPETITIONS = 5, 2
SECONDS = 120  # the most that an action in a process of its own may take
TREES = {"data": "prepared", "journal": "killed"}  # where these kinds of file are; the others: "finished"


def build(root):
    """Make the campaign in the folders prepared, killed and finished below `root` (Path); return `root`.

    Each of its searches was killed at trial KILLED_AT in "killed", and not at all in "finished".
    Raises: RunError when a stage fails.
    """
    _compose_once()
    made = root / "campaign"
    campaign = Campaign(made)
    _done(campaign.data(dataset) for dataset in DATASETS)
    shutil.copytree(made, root / "prepared")
    for job in JOBS:
        for number in range(REPETITIONS):
            assert in_child(partial(_killed, campaign.search(*job), number)) == (None, -signal.SIGKILL)
    made.rename(root / "killed")
    shutil.copytree(root / "prepared", made)
    _done(step for job in JOBS for step in (campaign.search(*job), campaign.score(*job)))
    _done(campaign.measure(*measure) for measure in MEASURES)
    _done([campaign.report(), *(campaign.report_measure(*measure) for measure in MEASURES)])
    _done([campaign.release(STUDY, "scores"), *(campaign.release(*measure) for measure in MEASURES), campaign.page()])
    made.rename(root / "finished")
    return root


def copied(root, kind):
    """A fresh copy of the campaign in which a kind of file lies, always at the same place; its folder."""
    shutil.rmtree(root / "campaign", ignore_errors=True)
    return shutil.copytree(root / TREES.get(kind, "finished"), root / "campaign")


def in_child(action):
    """(what the action returns or None, exit code) of the action in a process of its own."""
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)

    def run():
        signal.alarm(SECONDS)
        theirs.send(action())

    process = fork.Process(target=run)
    process.start()
    theirs.close()
    try:
        returned = ours.recv()
    except EOFError:
        returned = None
    process.join()
    return returned, process.exitcode


def _done(steps):
    """Run stages. Raises: RunError for one that fails."""
    for step in steps:
        code, said = step.run()
        if code:
            raise RunError(f"{step.stage} {' '.join(step.overrides)} has failed: {said}")


def _killed(search, number):
    """Search a repetition until this process and the one in which it searches are killed, at trial KILLED_AT."""

    class Killer(logging.Handler):
        def emit(self, record):
            if record.getMessage().startswith(f"trial {KILLED_AT}/"):
                os.kill(os.getppid(), signal.SIGKILL)
                signal.pause()

    logging.getLogger("bayes_hpo.search.loop").addHandler(Killer())
    replace(search, overrides=(*search.overrides, f"repetitions={number}")).run()


def _compose_once():
    """Let stages compose each configuration once: it depends on no stored file, and takes most of their time."""
    composed = {}

    def remembered(stage, overrides, groups=()):
        key = stage, tuple(overrides), tuple(groups)
        if key not in composed:
            composed[key] = configure(stage, overrides, groups)
        return copy.deepcopy(composed[key])

    entry.configure = grid.configure = remembered
