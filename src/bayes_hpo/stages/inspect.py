"""Print what a results file contains: provenance and trials of a pool, or a description of scores or a measure."""

from pathlib import Path

import yaml

from bayes_hpo.stages.entry import run


def main(cfg: dict) -> None:
    """Print one file. Raises: RunError when it cannot be read."""
    if Path(cfg["pool"]).suffix == ".parquet":
        from bayes_hpo.scores.contents import contents  # pyarrow is loaded only when needed

        print(yaml.safe_dump(contents(cfg["pool"]), sort_keys=False, width=1000), end="")
    else:
        _print_pool(cfg["pool"])


def _print_pool(path):
    """Print the provenance and every trial of a pool."""
    from bayes_hpo.storage.pools import read_pool  # loads numpy, so only after the command is validated

    pool = read_pool(path)
    print(yaml.safe_dump({"fingerprint": pool.fingerprint} | pool.provenance, sort_keys=False))
    print("trial  round  loss    selection  seconds  suggested  configuration")
    for number, trial in enumerate(pool, start=1):
        selection = "" if trial.selection_losses is None else f"{trial.selection_losses.mean():.4f}"
        values = " ".join(f"{name}={_short(value)}" for name, value in trial.proposal.configuration.items())
        print(
            f"{number:5}  {trial.proposal.round:5}  {trial.loss:.4f}  {selection:9}  {trial.seconds:7.3f}"
            f"  {trial.seconds_proposal:9.3f}  {values} {trial.status if trial.reason else ''} {trial.reason}".rstrip()
        )
    unconverged = sum(trial.unconverged for trial in pool)
    seconds = sum(trial.seconds + trial.seconds_proposal for trial in pool)
    print(f"{len(pool)} trials, {unconverged} fits at the solver's iteration cap, {seconds:.1f} s of CPU")


def _short(value):
    """The name of a category, or a number with four digits."""
    return value if isinstance(value, str) else f"{value:.4g}"


if __name__ == "__main__":
    run("inspect", main, positional="pool")
