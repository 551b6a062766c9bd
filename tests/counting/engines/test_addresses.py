"""Addresses of clusters."""

from socket import socket

import pytest

from actalike import EngineError
from actalike.counting.engines.open import check_reachable


@pytest.fixture
def port():
    """A port where something listens."""
    with socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_a_port_where_something_listens_is_reached(port):
    check_reachable(f"spark://127.0.0.1:{port}")
    with pytest.raises(EngineError, match="reached"):
        check_reachable("spark://127.0.0.1:1")


def test_options_of_an_address_are_no_part_of_it(port):
    check_reachable(f"sc://127.0.0.1:{port}/;user_id=me;token=x")


def test_a_proxy_may_know_more(monkeypatch):
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:1")
    check_reachable("sc://127.0.0.1:1")


@pytest.mark.parametrize("master", ["spark://", "sc://host:x"])
def test_what_is_no_address_is_an_error(master):
    with pytest.raises(EngineError, match="reached"):
        check_reachable(master)


@pytest.mark.parametrize("master", ["local[2]", "yarn", "k8s://https://host:443"])
def test_other_masters_are_left_to_spark(master):
    check_reachable(master)
