"""The openml client in a child process, which can be ended at a deadline: downloads one data set into an empty cache.

Run as python -m MODULE ID CACHE TIMEOUT_S [SERVER]; the last line on stderr is the error.
"""

import logging
import sys
from urllib.parse import urlsplit


def fetch(number: str, cache: str, timeout_s: str, server: str = "") -> None:
    """Download data set `number` into folder `cache`. Raises: SystemExit with the error as one line."""
    import openml  # only in the child; the parent imports this module only for its name

    logging.disable(logging.CRITICAL)
    _limit_silence(float(timeout_s))
    openml.config.set_root_cache_directory(cache)
    openml.config.set_retry_policy("human", n_retries=1)
    if server:
        openml.config.server = server
    try:
        openml.datasets.get_dataset(int(number), download_data=True)
    except Exception as problem:  # the client passes on any error of its libraries
        raise SystemExit(described(problem)) from None


def described(problem: Exception) -> str:
    """The error in one line; for errors of requests, whose text nests those of lower layers, the type and the host."""
    from requests import RequestException

    if not isinstance(problem, RequestException):
        return f"{type(problem).__name__}: {' '.join(str(problem).split())}"[:300]
    causes = (getattr(cause, "reason", None) for cause in problem.args)  # that of urllib3 after all its retries
    kinds = [type(one).__name__ for one in (problem, *causes) if isinstance(one, Exception)]
    host = f" at {urlsplit(str(problem.request.url)).hostname}" if problem.request is not None else ""
    return ": ".join(kinds) + host


def _limit_silence(timeout_s):
    """Set a timeout for silent connections, which the client does not offer."""
    from requests import adapters

    send = adapters.HTTPAdapter.send

    def limited(self, request, **options):
        return send(self, request, **options | {"timeout": options.get("timeout") or timeout_s})

    adapters.HTTPAdapter.send = limited


if __name__ == "__main__":
    fetch(*sys.argv[1:])
