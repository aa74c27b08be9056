"""The clocks of the benchmarks."""

import resource
import time
from collections.abc import Callable


def cpu_seconds(act: Callable) -> float:
    """CPU seconds of one call, those of its threads included."""
    begin = time.process_time()
    act()
    return time.process_time() - begin


def used_seconds() -> float:
    """CPU seconds of this process and of its ended children so far."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
