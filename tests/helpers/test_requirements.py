import pytest

from tests.helpers.requirements import NOT_IN_CI, missing


def test_what_is_missing_skips_a_test_and_fails_it_in_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="Java is missing: install it"):
        missing("Java", "install it")
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="Java is missing, and in CI it must be there: install it"):
        missing("Java", "install it")


@pytest.mark.parametrize("what", sorted(NOT_IN_CI))
def test_what_ci_cannot_have_skips_a_test_in_ci_too(monkeypatch, what):
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.skip.Exception, match="is missing"):
        missing(what, "")
