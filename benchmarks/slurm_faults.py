"""Faults on a real Slurm while a grid runs, and whether its end is that of an undisturbed run, bit for bit.

    eval "$(bash benchmarks/slurm_nodes.sh up SLURM_FOLDER 2)"
    python -m benchmarks.slurm_faults --folder NEW_FOLDER --results_mb 200 --faults 200      # hours on two cores

Snakemake runs the target in a copy of this checkout, once without faults on this machine alone, once on Slurm, where a
fault strikes every few seconds: a job cancelled, a search or its Slurm step killed, a node drained and set down,
Snakemake killed, a full disk, a time limit met. After each end of Snakemake the same command is given again.
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

import numpy as np

ROOT = Path(__file__).parents[1]
PARTS = ("Snakefile", "workflow", "profiles", "conf", "published", "src")
SLURM = (
    "--profile",
    "profiles/slurm",
    "--slurm-no-account",
    "--slurm-status-command",
    "squeue",
    "--latency-wait",
    "10",
)
SLURM += ("--slurm-init-seconds-before-status-checks", "3", "--retries", "5")
UNEQUAL = ("seconds", "provenance", "digest")  # arrays of a pool that no two runs share


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
    """A grid on Slurm in `folder`, its Snakemake process, and the chance by which faults are drawn."""

    def __init__(self, folder, target, rng):
        self.folder, self.target, self.rng, self.process = folder, target, rng, None

    def start(self):
        """Start Snakemake; first clear the queue and the lock that a killed one left."""
        for job in output("squeue", "-h", "-o", "%A").split():
            output("scancel", job)
        while output("squeue", "-h", "-o", "%A").split():
            time.sleep(0.5)
        snakemake(self.folder, "--unlock", self.target)
        with open(self.folder / "snakemake.log", "a") as log:
            arguments = *SLURM, "--config", "least_seconds=0", "--", self.target  # several jobs, not one
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


def checkout(folder):
    """A copy of this checkout, without results."""
    folder.mkdir(parents=True)
    for part in PARTS:
        source = ROOT / part
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / part, **links(source))
    return folder


def links(source):
    """Links are copied as such."""
    return {"symlinks": True} if source.is_dir() else {}


def differences(folder, other):
    """Pools of one run that the other lacks, or whose arrays differ; and the number of pools."""
    pools = {path.relative_to(folder): path for path in (folder / "results").rglob("rep_???.npz")}
    wrong = set(pools) ^ {path.relative_to(other) for path in (other / "results").rglob("rep_???.npz")}
    for name in set(pools) - wrong:
        with np.load(pools[name]) as ours, np.load(other / name) as theirs:
            names = [array for array in ours.files if not array.startswith(UNEQUAL)]
            if ours.files != theirs.files or any(ours[array].tobytes() != theirs[array].tobytes() for array in names):
                wrong.add(name)
    return sorted(map(str, wrong)), len(pools)


def struck(run, faults, pause):
    """Strike until so many faults have happened or the grid has ended; how often each did, and how often it ended."""
    counts, ends, grid_ended = Counter(), Counter(), False
    while counts.total() < faults and not grid_ended:
        time.sleep(run.rng.uniform(pause / 2, 1.5 * pause))
        if run.process.poll() is not None:
            ends[run.process.returncode] += 1
            grid_ended = run.process.returncode == 0
            if not grid_ended:
                run.start()
            continue
        fault = run.rng.choice(run.faults)
        if getattr(run, fault)():
            counts[fault] += 1
            print(time.strftime("%H:%M:%S"), counts.total(), fault, flush=True)
    return counts, ends


def main():
    """Print each fault, then their number and the comparison; exit code 1 when a pool differs or the run fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="smoke_overfitting")
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--pause", type=float, default=20.0, help="mean seconds between two faults")
    parser.add_argument("--folder", type=Path, required=True, help="a new folder, seen by all nodes")
    parser.add_argument(
        "--results_mb", type=int, default=0, help="results on a small tmpfs of this size: needed for full disks"
    )
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    plain, faulty = checkout(arguments.folder / "undisturbed"), checkout(arguments.folder / "faulty")
    if snakemake(plain, "--cores", "1", arguments.target):
        raise SystemExit(f"the undisturbed run failed: {plain}/snakemake.log")
    run = Run(faulty, arguments.target, random.Random(arguments.seed))
    run.faults = FAULTS if arguments.results_mb else tuple(set(FAULTS) - {"disk_full"})
    (faulty / "results").mkdir()
    if arguments.results_mb:
        size = f"size={arguments.results_mb}m"
        subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", faulty / "results"], check=True)
    try:
        begin = time.monotonic()
        run.start()
        counts, ends = struck(run, arguments.faults, arguments.pause)
        while run.process.wait() != 0:  # without faults now: Snakemake ends once with those that it has seen
            ends[run.process.returncode] += 1
            if ends.total() > 5 + 2 * arguments.faults:
                raise SystemExit(f"the run does not end: {faulty}/snakemake.log")
            run.start()
        wrong, number = differences(faulty, plain)
        print(f"{counts.total()} faults in {time.monotonic() - begin:.0f} s: {dict(counts)}")
        print(f"Snakemake was started {ends.total() + 1} times; ended with {dict(ends)}, then 0")
        print(f"{number} pools, {len(wrong)} of them unlike those of the undisturbed run {' '.join(wrong)}")
    finally:
        if arguments.results_mb:
            subprocess.run(["umount", "--lazy", faulty / "results"], check=False)
    sys.exit(bool(wrong) or not number)


if __name__ == "__main__":
    main()
