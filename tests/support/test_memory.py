"""What does not fit into memory is refused before it is computed."""

import pytest

from actalike import ActalikeError
from actalike.support import memory
from actalike.support.memory import free_memory, require_memory


def test_what_fits_is_let_through():
    require_memory(1e9, "this", "do that")


def test_what_does_not_fit_is_refused_with_the_figures_and_the_remedy(monkeypatch):
    monkeypatch.setattr(memory, "free_memory", lambda: 20 * 10**9)
    with pytest.raises(ActalikeError) as error:
        require_memory(28.8e9, "kin-w5 on 60,000 activities", "choose another method")
    words = "kin-w5 on 60,000 activities needs about 28.8 GB of memory, and 20.0 GB are free: choose another method."
    assert str(error.value) == words
    monkeypatch.setattr(memory, "free_memory", lambda: None)
    require_memory(28.8e9, "kin-w5", "choose another method")  # where nobody knows, nothing is refused


@pytest.mark.parametrize(("text", "allowed"), [("8GB", 8e9), ("500 mb", 5e8), ("1.5G", 1.5e9), ("100000000", 1e8)])
def test_the_limit_can_be_set(monkeypatch, text, allowed):
    monkeypatch.setenv("ACTALIKE_MEMORY", text)
    require_memory(allowed, "this", "do that")
    with pytest.raises(ActalikeError, match="are allowed"):
        require_memory(allowed * 1.1, "this", "do that")


def test_a_limit_that_is_no_size_is_refused(monkeypatch):
    monkeypatch.setenv("ACTALIKE_MEMORY", "much")
    with pytest.raises(ActalikeError, match="much"):
        require_memory(1e9, "this", "do that")


def test_a_control_group_limits_what_is_free(monkeypatch, tmp_path):
    machine = free_memory()
    limit, used, details = (tmp_path / name for name in ("max", "current", "stat"))
    monkeypatch.setattr(memory, "_CONTROL_GROUPS", [(str(limit), str(used), str(details))])
    used.write_text("700\n")
    details.write_text("anon 1\ninactive_file 50\n")
    for text, free in (("1000\n", 350), ("600\n", 0), ("max\n", None), (f"{2**62}\n", None)):
        limit.write_text(text)
        assert machine is None or free is None or free_memory() == free
        assert free is not None or free_memory() != 350
