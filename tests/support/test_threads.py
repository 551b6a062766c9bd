"""One thread for linear algebra."""

import numpy as np
from threadpoolctl import threadpool_info

from actalike.support.threads import one_thread


def test_inside_there_is_one_thread_and_afterwards_as_many_as_before():
    np.ones((2, 2)) @ np.ones((2, 2))  # so that a library is loaded
    before = [library["num_threads"] for library in threadpool_info()]
    assert before
    with one_thread():
        assert {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"} == {1}
    assert [library["num_threads"] for library in threadpool_info()] == before
