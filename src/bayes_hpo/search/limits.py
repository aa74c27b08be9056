"""Limits of a trial, set in the process that evaluates it and enforced by the operating system, even within C code."""

import contextlib
import resource
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bayes_hpo.configuration.study_schema import UNLIMITED

GIB = 2**30  # bytes
ADDRESS_SPACE = Path("/proc/self/statm")  # first field: size of this process, in pages


@dataclass(frozen=True)
class Limits:
    """Limits of one trial.

    time, s: wall-clock time, after which SIGALRM ends the process.
    cpu, s: CPU time of all threads, after which SIGPROF ends the process, however busy the machine is.
    memory, GiB: address space beyond what the process already has, after which allocations fail (MemoryError, or a
        crash of C code that does not check them). Enforced on Linux only, where a process can read its size.
    """

    time: float
    cpu: float = UNLIMITED
    memory: float = UNLIMITED

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """Enforce the limits within the block."""
        before = resource.getrlimit(resource.RLIMIT_AS)
        signal.setitimer(signal.ITIMER_REAL, self.time)
        signal.setitimer(signal.ITIMER_PROF, self.cpu)
        if self.limits_memory:
            resource.setrlimit(resource.RLIMIT_AS, (address_space() + int(self.memory * GIB), before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, before)
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)

    @property
    def limits_memory(self) -> bool:
        """Whether memory is limited."""
        return self.memory < UNLIMITED and ADDRESS_SPACE.exists()


def address_space() -> int:
    """Size of this process's address space, in bytes."""
    return int(ADDRESS_SPACE.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
