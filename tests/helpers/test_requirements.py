import pytest

from tests.helpers import requirements
from tests.helpers.requirements import NOT_IN_CI, missing, need_postgres


def test_what_is_missing_skips_a_test_and_fails_it_in_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Java"):
        missing("Java", "install it")
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="Java"):
        missing("Java", "install it")


@pytest.mark.parametrize("what", sorted(NOT_IN_CI))
def test_what_ci_cannot_have_skips_a_test_in_ci_too(monkeypatch, what):
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.skip.Exception, match="is missing"):
        missing(what, "")


def test_without_postgres_its_tests_say_how_to_get_it(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(requirements, "find_programs", lambda: None)
    with pytest.raises(pytest.skip.Exception, match="PostgreSQL"):
        need_postgres()
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="PostgreSQL"):
        need_postgres()
