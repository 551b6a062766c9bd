import pytest

from actalike.benchmark.labels import register
from actalike.benchmark.labels.contract import GROUPERS
from actalike.benchmark.labels.participants import choose_participants
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.support.extras import Extra


class Needy:
    needs = (Extra("nothing", "no_such_package_at_all"),)

    def fit(self, log):
        return self


def test_by_default_all_groupers_take_part_and_the_default_method():
    chosen = choose_participants(None)
    assert list(chosen) == [*GROUPERS.names(), "kin-w5"]
    assert {"contrast", "praeclarus", "swiftmend", "zhu", "trigrams"} <= set(chosen)


def test_names_and_wildcards_find_methods_and_groupers():
    assert list(choose_participants(["kin", "zhu"])) == ["kin-w5", "zhu"]
    assert list(choose_participants(["praeclarus*"])) == ["praeclarus", "praeclarus-contextual"]
    assert list(choose_participants(["kin-w[35]", "t*"])) == ["kin-w3", "kin-w5", "trigrams", "tf-idf"]


def test_an_unknown_name_is_refused_with_a_suggestion():
    with pytest.raises(UnknownMethodError, match="mean 'swiftmend'"):
        choose_participants(["swiftment"])


def test_what_needs_a_missing_extra_is_left_out_or_refused():
    register("needy", Needy)
    sentences = []
    assert "needy" not in choose_participants(None, sentences.append)
    assert "needy is left out" in sentences[0]
    with pytest.raises(ActalikeError, match="needy "):
        choose_participants(["needy"])


def test_a_constructor_that_fails_is_named():
    register("explosive", lambda: 1 / 0)
    with pytest.raises(ActalikeError, match="explosive"):
        choose_participants(["explosive"])
