"""Limit linear algebra on small matrices to one thread: several would mostly wait for each other."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController  # here: reading a log does not need it

    return ThreadpoolController()  # cached, because finding the libraries takes longer than many a matrix product


def one_thread() -> AbstractContextManager[Any]:
    """Return a context manager in which numpy and scipy compute with one thread.

    >>> with one_thread():
    ...     print("quick")
    quick
    """
    return _libraries().limit(limits=1)
