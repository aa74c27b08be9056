"""The entry point of every stage: Hydra's grammar, errors as one sentence, exit codes."""

import logging
import os
import sys
from collections.abc import Callable, Sequence

import hydra
import yaml
from hydra.core.global_hydra import GlobalHydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from omegaconf.errors import OmegaConfBaseException

import bayes_hpo
from bayes_hpo.campaign import listed
from bayes_hpo.campaign.chosen import check_names
from bayes_hpo.campaign.jobs import ScoreJob, SearchJob
from bayes_hpo.campaign.revision import check_checkout
from bayes_hpo.configuration.compose import configure, sentence
from bayes_hpo.configuration.options import CONF
from bayes_hpo.configuration.usage import usage
from bayes_hpo.errors import RunError, UserError, system_error

HYDRA_FLAGS = ("--info", "--multirun", "-m")
CFG_FORMS = {"--cfg=job": ("--cfg", "job"), "-c": ("--cfg",)}
HYDRA_FOLDERS = (
    "hydra.run.dir=${results_dir}/hydra",
    "hydra.sweep.dir=${results_dir}/multirun",
    "hydra.sweep.subdir=${hydra.job.num}",
    "hydra.output_subdir=null",
    "hydra/job_logging=none",
    "hydra/hydra_logging=none",
)


def run(
    stage: str,
    main: Callable[[dict], None],
    *,
    positional: str | None = None,
    groups: Sequence[str] = (),
    job_of: Callable[[dict], SearchJob | ScoreJob] | None = None,
    enter: Callable[[], None] = check_checkout,
) -> None:
    """Run `main(cfg)` with the command line's configuration and end the process.

    Exit codes: 0; 1 for a RunError, too little memory or a file-system error; 2 for a UserError; 130 for Ctrl-C. Any
        other error keeps its traceback.
    positional: name of the setting that a first argument without = sets.
    groups: as in `configure`.
    job_of: function, configuration -> its job, for a stage that accepts a list of pools.
    enter: function that checks the working folder, or changes to another one; not called for --help.
    """
    arguments = [part for argument in sys.argv[1:] for part in CFG_FORMS.get(argument, (argument,))]
    if positional and arguments and "=" not in arguments[0] and not arguments[0].startswith("-"):
        arguments[0] = f"{positional}={arguments[0]}"
    if "--info" not in arguments:  # Hydra logs it itself
        logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        bayes_hpo.raise_at_interrupts()
        if set(arguments) & {"-h", "--help"}:
            print(usage(stage, main.__globals__["__doc__"].partition("\n")[0]))
        else:
            enter()
            _dispatch(stage, main, arguments, groups, job_of)
        sys.stdout.flush()
    except (UserError, RunError) as problem:
        sys.exit(_print_error(problem))
    except KeyboardInterrupt:
        print(bayes_hpo.STOPPED, file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:  # the reader of the output, such as `head`, has exited
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (MemoryError, OSError) as problem:  # such as a missing permission
        sys.exit(_print_error(system_error(problem)))


def _dispatch(stage, main, arguments, groups, job_of):
    check_names(arguments)
    if any(argument.split("=")[0] in HYDRA_FLAGS for argument in arguments):
        _run_by_hydra(stage, main, arguments, groups)
    elif "--cfg" in arguments:
        at = arguments.index("--cfg")
        if arguments[at + 1 : at + 2] != ["job"]:
            raise UserError("--cfg prints the job's configuration: write --cfg job")
        print(yaml.safe_dump(configure(stage, arguments[:at] + arguments[at + 2 :]), sort_keys=False), end="")
    elif job_of and listed.is_given(arguments):
        listed.do_each(main, job_of, listed.configurations(stage, arguments, groups))
    else:
        main(configure(stage, arguments, groups))


def _run_by_hydra(stage, main, arguments, groups):
    """Pass --info and --multirun (a small sweep by hand) to Hydra, with its folders in results_dir."""
    overrides = [argument for argument in arguments if "=" in argument and not argument.startswith("-")]
    flags = [argument for argument in arguments if argument not in overrides]
    sys.argv[1:] = [*HYDRA_FOLDERS, *overrides, *flags]  # Hydra's parser wants the flags last
    os.environ["HYDRA_FULL_ERROR"] = "1"  # makes Hydra raise errors instead of printing them on several lines

    def task(_):
        GlobalHydra.instance().clear()  # from here on the stage composes itself
        try:
            main(configure(stage, HydraConfig.get().overrides.task, groups))
        except (UserError, RunError) as problem:
            sys.exit(_print_error(problem))

    try:
        hydra.main(config_path=str(CONF.resolve()), config_name=stage, version_base="1.3")(task)()
    except (HydraException, OmegaConfBaseException) as problem:
        raise UserError(sentence(problem)) from problem


def _print_error(problem):
    print(f"error: {problem}", file=sys.stderr)
    return 2 if isinstance(problem, UserError) else 1
