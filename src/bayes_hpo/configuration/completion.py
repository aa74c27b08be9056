"""Shell completion of `bayes-hpo`: a script for each shell, and the candidates for the word at the cursor.

The scripts call the command itself, so that a new searcher or data set is completed as soon as its file exists.
"""

import csv
from collections.abc import Sequence
from pathlib import Path

from bayes_hpo.configuration.offered import CONF, options, settings

WORDS = "words"  # given instead of a shell: print the candidates for the last of the words that follow
BASH = r"""_bayes_hpo() {
    local words before="${COMP_LINE:0:COMP_POINT}"
    read -ra words <<< "$before"
    [[ $before == *" " ]] && words+=("")
    mapfile -t COMPREPLY < <("$1" completion words "${words[@]:1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
    if [[ ${words[-1]} == *=* && $COMP_WORDBREAKS == *=* ]]; then # bash completes what follows the =
        COMPREPLY=("${COMPREPLY[@]#*=}")
    fi
}
complete -o default -F _bayes_hpo bayes-hpo"""
ZSH = r"""_bayes_hpo() {
    local found=(${(f)"$($words[1] completion words "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    compadd -S '' -- ${(M)found:#*=}
    compadd -- ${found:#*=}
    (( $#found )) || { compset -P '*='; _files }
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _bayes_hpo bayes-hpo"""
FISH = r"""function __bayes_hpo
    set -l before (commandline -opc)
    bayes-hpo completion words $before[2..-1] (commandline -ct) 2>/dev/null
end
complete -c bayes-hpo -a '(__bayes_hpo)'"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}


def candidates(words: Sequence[str], stages: Sequence[str], conf: Path = CONF) -> list[str]:
    """Completions of the last word of a command line.

    words: words after `bayes-hpo` up to the cursor; the last one is incomplete or empty.
    stages: names of the stages.
    """
    *before, current = words or [""]
    name, equals, _ = current.partition("=")
    if not before:
        every = [*stages, "completion", "--help", "--version"]
    elif before[0] not in stages:
        every = list(SCRIPTS)
    elif equals:
        every = [f"{name}={value}" for value in _values(name, before[0], conf)]
    else:
        given = {word.partition("=")[0] for word in before}
        every = [f"{setting.name}=" for setting in settings(before[0], conf) if setting.name not in given] + ["--help"]
    return [word for word in every if word.startswith(current)]


def _values(name, stage, conf):
    """The possible values of a setting of a stage; empty for numbers, texts and files."""
    setting = next((setting for setting in settings(stage, conf) if setting.name == name), None)
    if setting and setting.is_group:
        return options(name, conf)
    if setting and setting.default in ("true", "false"):
        return ["true", "false"]
    return _registered(name, conf) if setting and name in ("dataset", "suite") else []


def _registered(kind, conf):
    """The data sets or suites in the registry, sorted."""
    with open(conf / "datasets.csv", encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = (row["suites"].split(";") if kind == "suite" else [row["name"]] for row in rows)
    return sorted({name for of_row in names for name in of_row if name})
