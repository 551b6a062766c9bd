"""One thread for linear algebra on small matrices: more would mostly wait for each other."""

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController  # here: reading a log does not need it

    return ThreadpoolController()  # looking for the libraries takes longer than many a product


def one_thread() -> AbstractContextManager[Any]:
    """A context in which numpy and scipy compute with one thread.

    >>> with one_thread():
    ...     print("quick")
    quick
    """
    return _libraries().limit(limits=1)
