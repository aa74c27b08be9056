"""How often the rules of the verdicts are wrong: coverage of the intervals, and verdicts where nothing differs.

    python -m benchmarks.coverage                                      (a few minutes; fills docs/statistics.md)
    python -m benchmarks.coverage --tables "coverage of wins"          (this table alone)

Experiments are drawn from the 118 published cells of table B.1 of the thesis, which are the truth. For coverage, data
sets are drawn with replacement. For false verdicts, all methods have the same error on a data set, the mean of the
printed ones, and the noise of the printed deviations, half of whose variance the data sets of a family share; losses
and early errors are like errors. For win frequencies of a single repetition, each data set is won with the same chance,
in all of the last tenth of the trials or in none.
"""

import bayes_hpo  # noqa: F401, I001  before numpy: it pins BLAS to one thread, as in every job

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from bayes_hpo.documents import published
from bayes_hpo.claims import verdict
from bayes_hpo.claims.claim import read
from bayes_hpo.claims.evidence import evaluate
from bayes_hpo.claims.part import parts
from bayes_hpo.claims.runs import Runs
from bayes_hpo.claims.sample import ERROR, Sample
from bayes_hpo.data.registry import registry
from bayes_hpo.report.tables.markdown import markdown, put

PAGE = Path(__file__).parents[1] / "docs/statistics.md"
SIZES, EXPERIMENTS, DRAWS, SEED = (11, 24, 60, 118), 400, 2000, 2018
WRONG = (verdict.REPRODUCED, verdict.NOT_REPRODUCED)
REPETITIONS = 20  # behind a printed cell
PAIR, MANY, PAIRS = "T3-reshuffle-gp-ho", "T3.2-gpr-all13", "T3-sel-cma-ho"  # one pair, one against 13, six pairs
FRIEDMAN, NEMENYI = "Friedman's test", "Nemenyi's test, one alone"  # "not reproduced" is right where nothing differs
CLAIMS = {  # what is tried -> (a claim with such components, its measure)
    "net wins, one pair": (PAIR, "net_wins"),
    "net wins, one against 13": (MANY, "net_wins"),
    "signed ranks, one pair": (PAIR, "signed_ranks"),
    "signed ranks, one against 13": (MANY, "signed_ranks"),
    "Hodges-Lehmann, one pair": (PAIR, "hodges_lehmann"),
    "mean rank, lead over 13": ("T3.1-gpr-best-ho", "rank_lead"),
    "mean rank, gain in six pairs": (PAIRS, "rank_gain"),
    "mean rank, gain in most of six pairs": (PAIRS, "rank_gain_majority"),
    "mean rank, mean gain of six pairs": (PAIRS, "rank_gain_mean"),
    "median, lead over 13": ("T3.1-med-gpr-ho", "median_lead"),
    "rank by size of the data set": ("F3.4-gpr-size", "size_trend"),
}
NO_DIFFERENCE = {  # tried where nothing differs only: their quantities were not printed, or the cells are at no limit
    "median, one pair": ("T3.1-med-gpr-ho", "median_gain"),
    "mean rank, lead that grows": ("F3.3-trend-rank", "lead_growth"),
    "mean rank, growth": ("F5.7-smac-worse", "rank_growth"),
    "mean rank, closer in validation": ("F5.7-maternls-val", "closer_in_validation"),
    "test error minus validation loss": ("T3-overfit-exists", "gap"),
    FRIEDMAN: ("T5.2-friedman", "friedman_excess"),
    NEMENYI: ("T5.6-RS", "separated_alone"),
}
TESTS = (FRIEDMAN, NEMENYI)
WINS, SUITES = ("E-SVR-smbo", "late_wins_over_smbo"), (22, 39)  # data sets of ESMBO's regression and classification
FREQUENCIES = (0.5, 0.64, 0.76, 0.82, 0.91)  # printed ones among them
EQUALITY = "no difference (Hodges-Lehmann), one pair"


def main():
    """Simulate, and put the tables into the page."""
    tables = {
        "coverage": (coverage, 0.05),
        "coverage of wins": (coverage_of_wins, 0.05),
        "false verdicts": (false_verdicts, 0.025),
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__.splitlines()[0])
    parser.add_argument("--experiments", type=int, default=EXPERIMENTS, help="of each kind and size")
    parser.add_argument("--tables", nargs="+", choices=tables, default=[*tables], metavar="NAME", help="all of them")
    options = parser.parse_args()
    for place in options.tables:
        simulate, share = tables[place]
        table, error = simulate(options.experiments), 100 * np.sqrt(share * (1 - share) / options.experiments)
        text = f"{table}\n\n{options.experiments} experiments a cell; standard error at the aim {error:.1f} points."
        put(place, text, PAGE)
        print(table, end="\n\n")


def coverage(count):
    """Share of the experiments whose 95 % interval holds the truth, by kind and number of data sets (markdown)."""
    mean, _, rows = _cells()
    population, sizes = mean.to_numpy(), np.array([row.rest for row in rows])
    found = {}
    for kind, part in _parts(CLAIMS).items():
        errors = population[:, _positions(part, mean)]
        truth = part.value(Sample({ERROR: errors}, sizes))
        for n in SIZES:
            rng, held = np.random.default_rng([SEED, n]), []
            for _ in range(count):
                drawn = rng.integers(len(errors), size=n)
                one = _weighed(part, {ERROR: errors[drawn]}, sizes[drawn], np.arange(n))
                held.append(np.abs(one.estimates - truth) <= one.interval.widths(0.95))
            found.setdefault(f"{n}", {})[kind] = f"{100 * np.mean(held):.1f}"
    return markdown("coverage in percent, data sets", pd.DataFrame(found))


def coverage_of_wins(count):
    """Share of the experiments of one repetition whose 95 % interval holds a win frequency, by data sets (markdown)."""
    (part,) = _parts({"": WINS}).values()
    shares = {}
    for n in SUITES:
        for frequency in FREQUENCIES:
            rng, held = np.random.default_rng([SEED, n, round(100 * frequency)]), []
            for _ in range(count):
                wins = {name: (rng.random((n, 1)) < frequency) - 0.5 for name in part.measure.quantities}
                evidence = _weighed(part, wins, np.full(n, 100), np.arange(n))
                held.append(np.abs(evidence.estimates - (frequency - 0.5)) <= evidence.interval.widths(0.95))
            shares.setdefault(f"{n}", {})[f"win frequency {frequency:.2f}"] = f"{100 * np.mean(held):.1f}"
    return markdown("coverage in percent, data sets", pd.DataFrame(shares))


def false_verdicts(count):
    """Share of the experiments in which nothing differs that have a wrong verdict, by kind and size (markdown)."""
    mean, sd, rows = _cells()
    sizes, families = np.array([row.rest for row in rows]), np.array([row.family for row in rows])
    centre, noise = mean.mean(axis=1).to_numpy()[:, None], sd.mean(axis=1).to_numpy()[:, None] / np.sqrt(REPETITIONS)
    found = {}
    for number, (kind, (part, shift)) in enumerate(_tried(_parts(CLAIMS | NO_DIFFERENCE)).items()):
        for n in SIZES[1:]:
            rng, verdicts = np.random.default_rng([SEED, n, number]), []
            for _ in range(count):
                drawn = rng.permutation(len(centre))[:n]
                values = {
                    name: centre[drawn] + noise[drawn] * _shared(rng, families[drawn], len(part.columns))
                    for name in part.measure.quantities
                }
                values[ERROR][:, 0] += shift
                one = _weighed(part, values, sizes[drawn], families[drawn])
                verdicts.append(verdict.of_part(part.claim, one, "paper"))
            wrong = [100 * np.mean([one == name for one in verdicts]) for name in WRONG]
            found.setdefault(f"{n}", {})[kind] = f"{wrong[0]:.1f}, " + (f"{wrong[1]:.1f}" if kind not in TESTS else "-")
    return markdown('percent "reproduced", "not reproduced"; data sets', pd.DataFrame(found))


def _shared(rng, families, columns):
    """Standard normal noise (n, columns), half of whose variance is the same for the data sets (n,) of a family."""
    labels, of = np.unique(families, return_inverse=True)
    return np.sqrt(0.5) * (
        rng.standard_normal((len(labels), columns))[of] + rng.standard_normal((len(families), columns))
    )


def _tried(kinds):
    """(part, points by which its first column is worse) of each kind; equality is tried at its margin too."""
    pair = kinds["Hodges-Lehmann, one pair"]
    margin = replace(pair, claim=replace(pair.claim, kind="equality", limit=0.15))
    tried = {kind: (part, 0.0) for kind, part in kinds.items()}
    return tried | {f"{EQUALITY}, at the margin": (margin, margin.claim.limit)}


def _parts(kinds):
    """The Part of each kind: of its claim, with its measure."""
    claims = {claim.claim: claim for claim in read()}
    return {kind: parts(replace(claims[name], measure=measure))[0] for kind, (name, measure) in kinds.items()}


def _cells():
    """Mean and sd of table B.1 and the rows of the registry of its data sets."""
    mean, sd = published.errors("holdout")
    known = {row.published_name: row for row in registry().values() if "overfitting118" in row.suites}
    return mean, sd, [known[name] for name in mean.index]


def _positions(part, mean):
    return [mean.columns.get_loc(column.method) for column in part.columns]


def _weighed(part, values, sizes, families):
    """The Evidence of a part on values (dict, quantity -> (n, n_columns)) of one repetition."""
    values, n = {name: cells[:, None] for name, cells in values.items()}, len(sizes)
    runs = Runs(values, np.ones(n, int), families, sizes, np.full(n, ""))
    return evaluate([part], runs, draws=DRAWS)[0]


if __name__ == "__main__":
    main()
