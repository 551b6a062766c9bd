"""One thread for linear algebra."""

import os
import subprocess
import sys

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


def test_a_library_that_is_loaded_later_is_limited_too():
    program = """
import numpy
from threadpoolctl import threadpool_info
from actalike.support.threads import one_thread
with one_thread():
    pass
import scipy.linalg
with one_thread():
    print({library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"})
"""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "{1}\n"
