import pytest
from actalike.benchmark.participants import ParticipantRegistry

from actalike.errors import ActalikeError, UnknownMethodError
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
    assert list(registry.choose(None, sentences.append)) == ["one", "other"]
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
