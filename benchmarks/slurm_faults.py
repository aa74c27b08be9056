"""Faults on a real Slurm while a grid runs, and whether its end is that of an undisturbed run, bit for bit.

    eval "$(bash benchmarks/slurm_nodes.sh up SLURM_FOLDER 2)"
    python -m benchmarks.slurm_faults --folder NEW_FOLDER --results_mb 200 --faults 200      # hours on two cores

Snakemake runs the targets in a copy of this checkout, once without faults on this machine alone, then on Slurm, where a
fault strikes every few seconds: a job cancelled, a search or its Slurm step killed, a node drained and set down,
Snakemake killed, a full disk, a time limit met. After each end of Snakemake the same command is given again. When the
targets are made, the run is compared and begins anew, until there were enough faults. Few and small targets, such as
results/smoke/scores/overfitting/sklearn-wine/holdout/gp.parquet, meet many faults in little time.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.two_runs import checkout, differences, digests, left, unequal_scores

SLURM = ("--profile", "profiles/slurm", "--latency-wait", "10")
SLURM += ("--slurm-init-seconds-before-status-checks", "3", "--retries", "30")


def output(*command):
    """What a command prints; nothing when it fails, as Slurm's do while a node is down."""
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout


def running():
    """Numbers of the running jobs."""
    return output("squeue", "-h", "-t", "R", "-o", "%A").split()


def processes(text, folder):
    """Process numbers of this run whose command holds a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            inside = os.readlink(path.with_name("cwd")).startswith(str(folder))
        except OSError:
            continue
        if text in command and inside:
            found.append(int(path.parent.name))
    return found


def kill(number, how):
    """Send a signal to a process that may have ended."""
    try:
        os.kill(number, how)
    except ProcessLookupError:
        return False
    return True


class Run:
    """Targets on Slurm in `folder`, their Snakemake process, and the chance by which faults are drawn.

    finished: digests of the pools that were there at one of the faults.
    """

    def __init__(self, folder, targets, rng, config):
        self.folder, self.targets, self.rng, self.config, self.process = folder, targets, rng, config, None
        self.finished = {}

    def start(self):
        """Start Snakemake; first clear the queue and the lock that a killed one left."""
        for job in output("squeue", "-h", "-o", "%A").split():
            output("scancel", job)
        while output("squeue", "-h", "-o", "%A").split():
            time.sleep(0.5)
        snakemake(self.folder, "--unlock", *self.targets)
        with open(self.folder / "snakemake.log", "a") as log:
            arguments = *SLURM, "--config", *self.config, "--", *self.targets
            self.process = subprocess.Popen(command(*arguments), stdout=log, stderr=log, **place(self.folder))

    def cancelled(self):
        """scancel of a running job."""
        if jobs := running():
            output("scancel", self.rng.choice(jobs))
        return bool(jobs)

    def search_killed(self):
        """SIGKILL of a process of a search."""
        found = processes("bayes_hpo.stages.search", self.folder)
        return bool(found) and kill(self.rng.choice(found), signal.SIGKILL)

    def step_killed(self):
        """SIGKILL of the Snakemake that runs a job on its node, and of all that it has started."""
        found = processes("--mode remote", self.folder)
        return bool(found) and kill(self.rng.choice(found), signal.SIGKILL)

    def node_down(self):
        """A node set down for some seconds: Slurm ends its jobs."""
        node = self.rng.choice(output("sinfo", "-h", "-N", "-o", "%N").split())
        output("scontrol", "update", f"nodename={node}", "state=drain", "reason=fault")
        output("scontrol", "update", f"nodename={node}", "state=down", "reason=fault")
        time.sleep(5)
        output("scontrol", "update", f"nodename={node}", "state=resume")
        return True

    def snakemake_killed(self):
        """SIGKILL of Snakemake itself; its jobs go on until the next start clears the queue."""
        return kill(self.process.pid, signal.SIGKILL)

    def disk_full(self):
        """No byte left on the disk of the results, for some seconds."""
        ballast = self.folder / "results" / "ballast"
        with open(ballast, "wb", buffering=0) as stream:
            try:
                while True:
                    stream.write(bytes(1 << 12))
            except OSError:
                pass
        time.sleep(5)
        ballast.unlink()
        return True

    def time_limit(self):
        """The time limit of a running job set to less than it has taken."""
        jobs = running()
        return bool(jobs) and not subprocess.call(
            ["scontrol", "update", f"jobid={self.rng.choice(jobs)}", "timelimit=0:01"], stderr=subprocess.DEVNULL
        )


FAULTS = ("cancelled", "search_killed", "step_killed", "node_down", "snakemake_killed", "disk_full", "time_limit")


def command(*arguments):
    """A command line of Snakemake."""
    return [sys.executable, "-m", "snakemake", *arguments]


def place(folder):
    """Where a process of the copied checkout runs."""
    return {"cwd": folder, "env": os.environ | {"PYTHONPATH": str(folder / "src")}}


def snakemake(folder, *arguments):
    """Run Snakemake to its end; its exit code."""
    with open(folder / "snakemake.log", "a") as log:
        return subprocess.call(command(*arguments), stdout=log, stderr=log, **place(folder))


def struck(run, faults, pause):
    """Strike until there were so many faults or the targets are made; how often each was, how Snakemake ended."""
    counts, ends = Counter(), Counter()
    while counts.total() < faults:
        time.sleep(run.rng.uniform(pause / 2, 1.5 * pause))
        if run.process.poll() is not None:
            ends[run.process.returncode] += 1
            if run.process.returncode == 0:
                break
            run.start()
            continue
        fault = run.rng.choice(run.faults)
        run.finished |= digests(run.folder)
        if getattr(run, fault)():
            counts[fault] += 1
            print(time.strftime("%H:%M:%S"), fault, flush=True)
    return counts, ends


def ended(run, ends, most):
    """Let the run go on without faults until the targets are made. Raises: SystemExit after `most` starts."""
    while not ends[0]:  # Snakemake ends once with the faults that it has seen
        code = run.process.wait()
        ends[code] += 1
        if ends.total() > most:
            raise SystemExit(f"the run does not end: {run.folder}/snakemake.log")
        if code:
            run.start()


def compared(run, plain):
    """Print how the run differs from one without faults; whether it does."""
    wrong, number = differences(run.folder, plain)
    unequal, scores = unequal_scores(run.folder, plain)
    now = digests(run.folder)
    again = [str(name) for name, digest in run.finished.items() if now.get(name) != digest]
    print(f"  {number} pools, {len(wrong)} unlike those without faults {wrong or ''}")
    print(f"  {scores} score files, {len(unequal)} unlike those without faults {unequal or ''}")
    print(f"  {len(run.finished)} pools were there at a fault, {len(again)} of them made again {again or ''}")
    print(f"  files left behind: {left(run.folder) or 'none'}", flush=True)
    return bool(wrong or unequal or again or left(run.folder)) or not number


def repeated(run, plain, faults, pause):
    """Make the targets again and again, until there were so many faults; whether an end was unlike that of `plain`."""
    total, failed, begin = Counter(), False, time.monotonic()
    while total.total() < faults:
        shutil.rmtree(run.folder / ".snakemake", ignore_errors=True)
        for path in (run.folder / "results").iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        run.finished = {}
        run.start()
        counts, ends = struck(run, faults - total.total(), pause)
        ended(run, ends, most=5 + 2 * faults)
        total += counts
        print(f"{total.total()} faults in {time.monotonic() - begin:.0f} s: {dict(total)}; exit codes {dict(ends)}")
        failed |= compared(run, plain)
    return failed


def main():
    """Print each fault, and after each end the number of faults and the comparison; exit code 1 when one differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="+", default=["smoke_overfitting"])
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--pause", type=float, default=20.0, help="mean seconds between two faults")
    parser.add_argument("--folder", type=Path, required=True, help="a new folder, seen by all nodes")
    parser.add_argument("--results_mb", type=int, default=0, help="results on a tmpfs of this size, for full disks")
    parser.add_argument(
        "--config", nargs="+", default=["least_seconds=0"], help="of Snakemake; as it is, no batches are joined"
    )
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if "ClusterName=test\n" not in Path(os.environ.get("SLURM_CONF", os.devnull)).read_text():
        raise SystemExit("every job in the queue will be cancelled: start a cluster for it, benchmarks/slurm_nodes.sh")
    plain, faulty = checkout(arguments.folder / "undisturbed"), checkout(arguments.folder / "faulty")
    if snakemake(plain, "--cores", "1", "--", *arguments.targets):
        raise SystemExit(f"the undisturbed run failed: {plain}/snakemake.log")
    run = Run(faulty, arguments.targets, random.Random(arguments.seed), arguments.config)
    run.faults = FAULTS if arguments.results_mb else tuple(set(FAULTS) - {"disk_full"})
    (faulty / "results").mkdir()
    if arguments.results_mb:
        size = f"size={arguments.results_mb}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", faulty / "results"], check=True)
    try:
        failed = repeated(run, plain, arguments.faults, arguments.pause)
    finally:
        if arguments.results_mb:
            subprocess.run(["umount", "--lazy", faulty / "results"], check=False)
    sys.exit(failed)


if __name__ == "__main__":
    main()
