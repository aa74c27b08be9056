"""The sha256 of a file of a data set, against the sums that the registry names."""

import hashlib

from bayes_hpo.data.registry import Part
from bayes_hpo.errors import Fault


def checked(part: Part, content: bytes, folder: str) -> str:
    """Return the sha256 of the file `part` in `folder`, given as bytes.

    Raises: Fault when sums are known and this is none of them.
    """
    found = hashlib.sha256(content).hexdigest()
    if part.sha256 and found not in part.sha256:
        raise Fault(
            f"{folder}/{part.name} is cut or altered (sha256 {found}, registered {' or '.join(part.sha256)}); "
            "fetch it again, or add its sum to conf/datasets.csv if you know it to be right"
        )
    return found
