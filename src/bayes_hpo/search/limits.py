"""The limits of a trial, set in the process that evaluates it and enforced by the system, inside C code too."""

import contextlib
import resource
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bayes_hpo.configuration.study_schema import UNLIMITED

GIB = 2**30  # bytes
ADDRESS_SPACE = Path("/proc/self/statm")  # its first number: pages of this process


@dataclass(frozen=True)
class Limits:
    """What one trial may use.

    time, seconds by the clock: then SIGALRM ends the process.
    cpu, seconds of CPU time of all threads: then SIGPROF ends the process, however busy the machine is.
    memory, GiB of address space beyond what the process has before: then it gets no more (MemoryError, or a crash of C
        code that does not check). Only Linux tells what a process has, so only there the limit holds.
    """

    time: float
    cpu: float = UNLIMITED
    memory: float = UNLIMITED

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """Within the block, the limits hold for what is done."""
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
    """Bytes of address space that this process has."""
    return int(ADDRESS_SPACE.read_text(encoding="ascii").split()[0]) * resource.getpagesize()
