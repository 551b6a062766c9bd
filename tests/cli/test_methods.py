"""The command methods."""

import json

import actalike
from tests.helpers.commands import ok


def test_all_methods_are_listed():
    assert "kin-w5  (default)" in ok("methods").splitlines()
    facts = json.loads(ok("methods", "--json"))
    assert facts["methods"] == actalike.method_names()
    assert facts["default"] == "kin-w5"


def test_the_help_explains_names_without_a_window():
    assert "kin for kin-w5" in " ".join(ok("methods", "--help").split())
