"""The steps of the Dockerfile in a fresh root folder, for machines without docker.

    python -m benchmarks.container --root NEW_FOLDER -- snakemake --cores 2 smoke_svm_width    # needs root, debootstrap

In place of the image python:X-slim-RELEASE stands Debian's RELEASE with its own Python, whose version has to be X. The
folder gets this machine's resolver, certificates and settings of pip, as a container gets the network of its host.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[1]
IMAGE = re.compile(r"python:(?P<version>[\d.]+)-slim-(?P<release>\w+)")
OF_HOST = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt", "/etc/pip.conf")
PASSED = ("PIP_", "SSL_CERT_", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")  # how names of variables begin
INSIDE = 'mount --bind /dev "$0/dev" && mount -t proc proc "$0/proc" && exec chroot "$0" /bin/sh -c "$1"'


def steps(text: str) -> Iterator[tuple[str, str]]:
    """(instruction, argument) of each step of a Dockerfile; comments are left out, continued lines are one."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        instruction, _, argument = line.strip().partition(" ")
        yield instruction, argument.strip()


@dataclass
class Container:
    """A root folder, and what the steps so far have set: the working folder, variables, the command."""

    root: Path
    folder: str = "/"
    variables: dict[str, str] = field(
        default_factory=lambda: {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    )
    command: str = ""

    def step(self, instruction: str, argument: str) -> None:
        """Do one step. Raises: SystemExit for an instruction that is not known here, or when the step fails."""
        known = {"FROM": self.start, "RUN": self.run, "WORKDIR": self.workdir, "COPY": self.copy, "ENV": self.env}
        known |= {"ARG": self.arg, "CMD": self.cmd}
        if instruction not in known:
            raise SystemExit(f"the Dockerfile has {instruction}, which benchmarks/container.py cannot do; add it there")
        print(f"{instruction} {argument}", flush=True)
        known[instruction](argument)

    def start(self, image: str) -> None:
        """Debian's release of the image in the root folder, which must not exist."""
        found = IMAGE.fullmatch(image)
        if found is None:
            raise SystemExit(f"FROM {image} is not of the form python:VERSION-slim-RELEASE")
        packages = "--include=python3,python3-venv,ca-certificates"
        call("debootstrap", "--variant=minbase", packages, found["release"], str(self.root))
        for path in filter(os.path.isfile, OF_HOST):
            (self.root / path[1:]).unlink(missing_ok=True)
            shutil.copy(path, self.root / path[1:])
        self.run(f"python3 --version | grep -F 'Python {found['version']}.'")

    def run(self, words: str) -> None:
        """A line of the shell in the working folder."""
        host = {name: value for name, value in os.environ.items() if name.startswith(PASSED)}
        line = f"cd {self.folder} && {words}"
        call("unshare", "--mount", "sh", "-c", INSIDE, str(self.root), line, env=host | self.variables)

    def workdir(self, folder: str) -> None:
        """Make the working folder and enter it."""
        self.folder = folder
        (self.root / folder[1:]).mkdir(parents=True, exist_ok=True)

    def copy(self, paths: str) -> None:
        """The checkout, without what .dockerignore names."""
        if paths != ". .":
            raise SystemExit(f"COPY {paths} is not COPY . ., the one form that benchmarks/container.py knows")
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
        target = self.root / self.folder[1:]
        shutil.copytree(ROOT, target, symlinks=True, ignore=top_level(ROOT, ignored), dirs_exist_ok=True)

    def arg(self, assignment: str) -> None:
        """A variable of later steps: that of this process (as by --build-arg), or else the value given."""
        name, _, value = assignment.partition("=")
        self.variables[name] = os.environ.get(name, value)

    def env(self, assignments: str) -> None:
        """Variables of all later steps; $NAME stands for what it was."""
        for assignment in assignments.split():
            name, _, value = assignment.partition("=")
            self.variables[name] = re.sub(r"\$(\w+)", lambda match: self.variables.get(match[1], ""), value)

    def cmd(self, words: str) -> None:
        """What is run where no command is given."""
        self.command = " ".join(json.loads(words))


def top_level(folder, names):
    """For copytree: leave out the entries of `folder` itself that bear one of the names, as .dockerignore does."""
    return lambda inside, entries: set(entries) & set(names) if Path(inside) == folder else set()


def call(*words, **settings):
    """Run a command. Raises: SystemExit when it fails."""
    if code := subprocess.call(words, **settings):
        raise SystemExit(f"{' '.join(words[:2])} ... failed with exit code {code}")


def main() -> None:
    """Do all steps, then the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, required=True, help="a new folder")
    parser.add_argument("command", nargs="*", help="in place of the Dockerfile's own")
    arguments = parser.parse_args()
    if arguments.root.exists():
        sys.exit(f"{arguments.root} exists; give a new folder")
    container = Container(arguments.root.absolute())
    for instruction, argument in steps((ROOT / "Dockerfile").read_text(encoding="utf-8")):
        container.step(instruction, argument)
    container.run(" ".join(arguments.command) or container.command)


if __name__ == "__main__":
    main()
