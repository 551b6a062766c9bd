"""Limit linear algebra on small matrices to one thread: several would mostly wait for each other."""

import sys
from contextlib import AbstractContextManager
from functools import cache
from typing import Any


@cache
def _libraries(scipy_linalg_is_loaded: bool) -> Any:
    """Return the loaded libraries for linear algebra. scipy.linalg brings one of its own, so they are searched again after it."""
    from threadpoolctl import ThreadpoolController  # here: reading a log does not need it

    return ThreadpoolController()  # cached, because finding the libraries takes longer than many a matrix product


def one_thread() -> AbstractContextManager[Any]:
    """Return a context manager in which numpy and scipy compute with one thread.

    >>> with one_thread():
    ...     print("quick")
    quick
    """
    return _libraries("scipy.linalg" in sys.modules).limit(limits=1)
