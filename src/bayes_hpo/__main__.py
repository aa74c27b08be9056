"""The command `bayes-hpo STAGE ...`: equivalent to running the stage with `python -m`, same messages and exit codes."""

import ast
import runpy
import signal
import sys
from pathlib import Path

import bayes_hpo
from bayes_hpo import stages
from bayes_hpo.configuration.completion import SCRIPTS, WORDS, candidates

FOLDER = Path(stages.__path__[0])
NO_STAGE = ("__init__", "entry")


def command() -> None:
    """Run the stage named by the first argument; without one, list the stages. Exit code 2 for an unknown stage."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, bayes_hpo.stop)  # until the stage has begun
    stage, arguments = (sys.argv[1:2] or ["--help"])[0], sys.argv[2:]
    if stage == "--version":
        print(version())
    elif stage in ("-h", "--help"):
        print(listing())
    elif stage == "completion":
        complete(*arguments or [""])
    elif stage in names():
        sys.argv = [sys.argv[0], *arguments]
        runpy.run_module(f"{stages.__name__}.{stage}", run_name="__main__", alter_sys=True)
    else:
        _refuse("stage", stage, names())


def complete(shell: str, *words: str) -> None:
    """Print the completion script of a shell, or the candidates for the last of `words`, one per line."""
    if shell == WORDS:
        sys.stdout.writelines(f"{candidate}\n" for candidate in candidates(words, names()))
    elif shell in SCRIPTS:
        print(SCRIPTS[shell])
    else:
        _refuse("shell", shell, SCRIPTS)


def version() -> str:
    """The version and, when run from a checkout, the code revision."""
    from importlib import metadata  # imported here: it takes as long as everything else together

    from bayes_hpo.campaign.revision import UNKNOWN, revision

    code = revision()
    return f"bayes-hpo {metadata.version('bayes-hpo')}" + (f", revision {code}" if code != UNKNOWN else "")


def _refuse(kind, name, allowed):
    """Exit with code 2 and a message that lists the allowed names."""
    from bayes_hpo.configuration.compose import unknown  # imported here: it loads Hydra

    print(f"error: {unknown(kind, name, allowed)}", file=sys.stderr)
    sys.exit(2)


def names() -> list[str]:
    """Sorted names of the stages."""
    return sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in NO_STAGE)


def listing() -> str:
    """Usage text, and each stage with the first line of its module's docstring."""
    trees = {name: ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8")) for name in names()}
    sentences = {name: (ast.get_docstring(tree) or "").partition("\n")[0] for name, tree in trees.items()}
    lines = [f"  {name:{max(map(len, sentences))}}  {sentence}" for name, sentence in sentences.items()]
    usage = "bayes-hpo STAGE [name=value ...]   in the root of the repository; bayes-hpo STAGE --help lists the names"
    shell = f'bayes-hpo completion {"|".join(SCRIPTS)}   prints a script: eval "$(bayes-hpo completion bash)"'
    return "\n".join([usage, "bayes-hpo --version", shell, "", "stages:", *lines])


if __name__ == "__main__":
    command()
