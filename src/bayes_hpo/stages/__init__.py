"""The command line. These lines run before all else that a stage imports: Ctrl-C during that, too, is one line."""

import os
import signal
import sys

STOPPED = "stopped; run the same command to go on"


def stop(*_):
    """End the process as `entry.run` does at Ctrl-C; nothing has begun that must be ended well."""
    os.write(2, f"{STOPPED}\n".encode())
    os._exit(130)


if sys.argv[0] == "-m" and signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # python -m looks for a stage
    signal.signal(signal.SIGINT, stop)
