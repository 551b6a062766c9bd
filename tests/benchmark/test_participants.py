"""Methods and other participants: chosen by name and wildcard; what cannot take part is left out with a reason, or an error."""

import pytest

from actalike import method_names
from actalike.benchmark.participants import ParticipantRegistry, choose_names, make_methods
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.methods import make_method
from actalike.support.extras import Extra


class Player:
    def fit(self):
        return self


class Needy(Player):
    needs = (Extra("nothing", "no_such_package_at_all"),)


@pytest.fixture
def registry():
    players = ParticipantRegistry("player", "fit(), which plays", {"needs": (), "loud": False})
    for name, factory in (("one", Player), ("other", Player), ("needy", Needy)):
        players.register(name, factory)
    return players


def test_what_one_does_not_say_of_itself_is_set(registry):
    made = registry.make("one")
    assert (made.name, made.needs, made.loud) == ("one", (), False)


def test_names_and_wildcards_choose_and_by_default_all_that_can(registry):
    sentences = []
    assert list(registry.choose(None, warn=sentences.append)) == ["one", "other"]
    assert sentences[0].startswith("needy is left out: it ")
    assert list(registry.choose(["o*"])) == ["one", "other"]
    with pytest.raises(ActalikeError, match="needy "):
        registry.choose(["needy"])
    with pytest.raises(UnknownMethodError, match="mean 'one'"):
        registry.choose(["ome"])


def test_what_cannot_take_part_is_refused(registry):
    with pytest.raises(ActalikeError, match="lower-case"):
        registry.register("My player", Player)
    with pytest.raises(ActalikeError, match="callable"):
        registry.register("mine", 7)
    registry.register("mine", object)
    with pytest.raises(ActalikeError, match="mine"):
        registry.make("mine")
    registry.register("explosive", lambda: 1 / 0)
    with pytest.raises(ActalikeError, match="explosive"):
        registry.make("explosive")


def without_kin(method):
    return "is kin" if method.family == "kin" else None


def test_without_a_choice_all_methods_that_count_take_part():
    counting = [name for name in method_names() if make_method(name).takes == "counts"]
    assert choose_names(None, lambda method: None) == counting
    assert choose_names(None, without_kin) == [name for name in counting if not name.startswith("kin-")]


def test_a_wildcard_leaves_out_and_names_what_cannot_take_part():
    warnings = []
    chosen = choose_names(["kin-*", "one-hot", "one*", "kin-w7"], without_kin, warnings.append)
    assert chosen == ["one-hot", "kin-w7"]
    assert warnings == [f"kin-w{n} is left out: it is kin." for n in (3, 5, 9)]
    with pytest.raises(ActalikeError, match="kin-w7"):
        make_methods(chosen, without_kin)
    with pytest.raises(ActalikeError, match="match"):
        choose_names(["kin-*"], without_kin)
    with pytest.raises(ActalikeError, match="No method matches 'zz"):
        choose_names(["zz*"], without_kin)


def test_a_name_without_its_window_is_that_of_the_default_window():
    assert choose_names(["kin", "kin-w5", "aa-sequence-pmi+svd8"], lambda method: None) == ["kin-w5", "aa-sequence-pmi-w3+svd8"]
