"""The clock of the benchmarks."""

import time
from collections.abc import Callable


def cpu_seconds(act: Callable) -> float:
    """CPU seconds of one call, those of its threads included."""
    begin = time.process_time()
    act()
    return time.process_time() - begin
