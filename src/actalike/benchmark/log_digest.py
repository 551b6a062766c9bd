"""The digest of a log, by which result files tell logs of the same name apart."""

import hashlib

from actalike.log import EventLog


def log_digest(log: EventLog) -> str:
    """Return a fingerprint of a log's control flow: labels, cases and their order.

    >>> log_digest(EventLog.from_traces([["a", "b"]]))[:12]
    '76a17cbf78e4'
    """
    digest = hashlib.sha256()
    for label in log.activities:
        encoded = label.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    digest.update(log.codes.astype("<i4").tobytes())
    digest.update(log.offsets.astype("<i8").tobytes())
    return digest.hexdigest()
