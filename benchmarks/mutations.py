"""What becomes of damaged files: faults of every kind in every kind of stored file, and the stages that read it next.

    python -m benchmarks.mutations                    (a quarter of an hour; writes the counts)
    python -m benchmarks.mutations --numbers 17 203   (these mutations alone, with all that the stages have said)
    python -m benchmarks.mutations --table            (puts what mutations.csv holds into README.md)

A mutation changes one file of a copy of a small campaign (`benchmarks.faults`), finished or killed, and runs the stages
that read it (`benchmarks.stored`) in a process of its own.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
import re
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.campaign.revision import revision
from bayes_hpo.report.tables.markdown import markdown, put
from benchmarks.faults import EVERY, OWN
from benchmarks.page import PAGE
from benchmarks.small_campaign import build, copied, in_child
from benchmarks.stored import FILES, Campaign, paths

RESULTS = Path(__file__).with_name("mutations.csv")
SEED = 2018
TIMES = {"flipped bit": 20, "truncated": 10, "changed value": 20}  # of each kind of file; OTHERWISE of other faults
OTHERWISE = 7
OUTCOMES = ["harmless", "made again", "refused", "accepted wrong", "traceback"]  # from best to worst
FOREIGN = "another kind of file"


@dataclass(frozen=True)
class Mutation:
    """A fault of one file of this kind; the file and where it is hit are drawn by the number."""

    number: int
    kind: str
    fault: str


def main():
    """Make all mutations, or some, or show what was found."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutations", description=__doc__.splitlines()[0])
    parser.add_argument("--numbers", nargs="+", type=int, help="only these mutations; nothing is written")
    parser.add_argument("--table", action="store_true", help="make no mutation, put the tables into README.md")
    options = parser.parse_args()
    if options.table:
        put("mutations", tables(pd.read_csv(RESULTS, dtype={"revision": str})), PAGE)
        return
    made_by, found = revision(), []  # of what is loaded now: files may change while this runs
    with tempfile.TemporaryDirectory() as folder:
        root = build(Path(folder))
        check_whole(root)
        for mutation in mutations(options.numbers):
            ended, code = in_child(partial(undergo, mutation, root))
            path, outcome, said = ended or ("?", "traceback", f"the process ended with code {code}")
            found.append({"revision": made_by, "file": mutation.kind, "mutation": mutation.fault, "outcome": outcome})
            shown = said if options.numbers else said.strip().rpartition("\n")[2][:200]
            print(f"{mutation.number} {path}, {mutation.fault}: {outcome}. {shown}", flush=True)
    if not options.numbers:
        save(pd.DataFrame(found))


def mutations(numbers=None):
    """Every Mutation, or those with these numbers (list)."""
    pairs = [(kind, fault) for kind in FILES for fault in faults(kind) for _ in range(TIMES.get(fault, OTHERWISE))]
    every = [Mutation(number, *pair) for number, pair in enumerate(pairs)]
    return [mutation for mutation in every if numbers is None or mutation.number in numbers]


def faults(kind):
    """Names of the faults of a kind of file, the last ones those of a file under another's name."""
    names = [name for name in re.compile(FILES[kind]).groupindex if name != "study"]
    return [*EVERY, *OWN.get(kind, ()), *(f"another {name.replace('_', ' ')}" for name in names), FOREIGN]


def check_whole(root):
    """Raises: AssertionError when a stage refuses a file that is whole, or does not give the same twice."""
    for kind in FILES:
        for path, where in paths(kind, copied(root, kind)).items():
            copied(root, kind)
            outcome, said = consequence(kind, path, where, root)
            assert outcome in OUTCOMES[:2], f"{path}, which is whole: {outcome}. {said}"


def undergo(mutation, root):
    """(path of the file, outcome, what was said) of one mutation, in a copy of the campaign at root/campaign."""
    made, rng = copied(root, mutation.kind), np.random.default_rng([SEED, mutation.number])
    files = paths(mutation.kind, made)
    if fault := (EVERY | OWN.get(mutation.kind, {})).get(mutation.fault):
        path = str(rng.choice(list(files)))
        content = fault((made / path).read_bytes(), rng)
    else:
        others = {path: found for path in files if (found := _others(mutation, files, path, root))}
        path = str(rng.choice(list(others)))
        other = Path(rng.choice(others[path]))
        content = other.read_bytes()
        if mutation.fault != FOREIGN and rng.random() < 0.5:  # renamed, else copied
            other.unlink()
    (made / path).write_bytes(content)
    return path, *consequence(mutation.kind, path, files[path], root)


def _others(mutation, files, path, root):
    """Files that the fault puts under the name of `path`: of other kinds, or of this kind and different in one name."""
    if mutation.fault == FOREIGN:
        kinds = [kind for kind in FILES if kind != mutation.kind]
        return [str(root / "finished" / other) for kind in kinds for other in paths(kind, root / "finished")]
    name = mutation.fault.removeprefix("another ").replace(" ", "_")
    same = {key: value for key, value in files[path].items() if key != name}
    found = [other for other in files if other != path and same.items() <= files[other].items()]
    return [str(root / "campaign" / other) for other in found]


def consequence(kind, path, where, root):
    """(outcome, what was said) of the stages that read the file: the worst of them."""
    file, found = root / "campaign" / path, []
    before = file.read_bytes()
    finished = Campaign(root / "finished").steps(kind, where)
    for step, right in zip(Campaign(root / "campaign").steps(kind, where), finished, strict=True):
        code, said = step.run()
        if code:
            found.append((_refusal(code, said), said))
        elif step.content and (wrong := _difference(step.content, right.content)):
            found.append(("accepted wrong", f"{step.stage}: {wrong}"))
        else:
            same = file.is_file() and file.read_bytes() == before
            found.append(("harmless" if same else "made again", said))
    return max(found, key=lambda pair: OUTCOMES.index(pair[0]))


def _refusal(code, said):
    """Whether a stage that failed has said one sentence."""
    lines = said.splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    return "refused" if code in (1, 2) and errors and errors == lines[-1:] and "Traceback" not in said else "traceback"


def _difference(content, right):
    """In what the content differs from the right one; empty when in nothing."""
    try:
        return "" if content() == right() else "its result is another one"
    except Exception as problem:  # whatever a reader raises
        return f"its result cannot be read ({problem})"


def save(found):
    """Write the counts of a run (frame, a row per mutation); print them."""
    counts = found.value_counts(sort=False).rename("count").reset_index()
    counts.to_csv(RESULTS, index=False)
    print(tables(counts))


def tables(rows):
    """What became of the files, by revision and kind, and which faults were accepted wrong or ended in a traceback."""
    parts = []
    for name, own in rows.groupby("revision", sort=False):
        cells = own.pivot_table("count", "file", "outcome", "sum", 0).reindex(
            list(FILES), columns=OUTCOMES, fill_value=0
        )
        cells.loc["all"] = cells.sum()
        cells.insert(0, "mutations", cells.sum(axis=1))
        parts.append(markdown(f"revision {name}", cells.astype(int).astype(str)))
    bad = rows[rows["outcome"].isin(OUTCOMES[3:])].pivot_table(
        "count", ["file", "mutation", "outcome"], "revision", "sum", 0, sort=False
    )
    labels = [", ".join(key) for key in bad.index]
    if labels:
        parts.append(markdown("accepted wrong, or a traceback", bad.astype(int).astype(str).set_axis(labels)))
    return "\n\n".join(parts)


if __name__ == "__main__":
    main()
