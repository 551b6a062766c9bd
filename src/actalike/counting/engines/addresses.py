"""Check that a cluster answers before its client tries to connect: Spark's clients try for minutes without a word."""

import os
import socket
from urllib.parse import urlsplit

from actalike.errors import EngineError

_CONNECT_PORT = 15002  # of Spark Connect, where an address names none
_PATIENCE = 10.0  # seconds
_PROXIES = ("grpc_proxy", "https_proxy", "http_proxy")  # with one of them, Spark Connect asks the proxy


def check_reachable(master: str) -> None:
    """Raise an error unless something listens at the address of a Spark master or server; others (``yarn``) are not checked.

    >>> check_reachable("yarn")
    >>> check_reachable("spark://localhost:1")
    Traceback (most recent call last):
    actalike.errors.EngineError: Spark (spark://localhost:1) cannot be reached (localhost:1: Connection refused). Check
    that it runs, and its address (--master); nothing was counted.
    """
    if any(name in os.environ for name in _PROXIES) and master.startswith("sc://"):
        return
    causes = []
    for host, port in _places(master):
        try:
            socket.create_connection((host, port), _PATIENCE).close()
        except OSError as error:
            causes.append((f"{host}:{port}: {error.strerror or error}", error))
        else:
            return
    if causes:
        reasons = "; ".join(reason for reason, _ in causes)
        raise EngineError(
            f"Spark ({master}) cannot be reached ({reasons}). Check that it runs, and its address (--master); nothing was "
            "counted."
        ) from causes[-1][1]


def _places(master: str) -> list[tuple[str, int]]:
    """Return the host and port of each server that an address names; a standby master is one more.

    >>> _places("spark://a:7077,b:7078"), _places("sc://[::1]/;user_id=me"), _places("local[2]")
    ([('a', 7077), ('b', 7078)], [('::1', 15002)], [])
    """
    kind, _, rest = master.partition("://")
    if kind not in ("spark", "sc"):
        return []
    addresses = rest.split(",") if kind == "spark" else [rest]
    try:
        parts = [urlsplit(f"//{address}") for address in addresses]
        found = [(part.hostname, part.port or (_CONNECT_PORT if kind == "sc" else None)) for part in parts]
    except ValueError:  # a port that is no number
        found = [(None, None)]
    places = [(host, port) for host, port in found if host and port]
    if len(places) < len(found):
        raise EngineError(f"{master!r} is not an address of Spark, such as spark://host:7077 or sc://host:15002 (--master).")
    return places
