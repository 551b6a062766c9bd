"""The same results, however many processes compute them."""

import signal

import pytest

from actalike import ActalikeError
from actalike.benchmark.processes import check_backend, in_processes


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "threading")])
def test_every_call_is_computed_once(jobs, backend):
    assert sorted(in_processes(pow, [(2, n) for n in range(6)], jobs, backend)) == [1, 2, 4, 8, 16, 32]


def test_a_backend_that_joblib_does_not_know_is_refused():
    check_backend("loky")
    with pytest.raises(ActalikeError, match="--backend 'nonsense' cannot be used"):
        check_backend("nonsense")


def test_a_backend_that_computes_in_the_call_can_be_stopped_meanwhile():
    """Signals of a terminal wait only while the processes of joblib's own backend start."""
    blocked = []

    def calls():
        blocked.append(signal.pthread_sigmask(signal.SIG_BLOCK, []))
        yield 2, 3

    assert list(in_processes(pow, calls(), 2, "threading")) == [8]
    assert signal.SIGINT not in blocked[0]
