import pytest

from actalike.benchmark.labels.recipes import RECIPES, find_recipes, recipe
from actalike.errors import ActalikeError


def test_every_listed_recipe_has_a_meaning():
    assert [recipe(name).name for name in RECIPES] == list(RECIPES)
    assert len(set(RECIPES)) == len(RECIPES)


@pytest.mark.parametrize("name", [name for name in RECIPES if name.startswith(("syn-case", "syn-period"))])
def test_the_shares_of_the_names_sum_to_one(name):
    assert sum(recipe(name).shares) == pytest.approx(1)


def test_a_recipe_of_swiftmend_names_the_share_of_labels_and_of_their_events():
    chosen = recipe("swiftmend-20-0.1")
    assert (chosen.kind, chosen.share_of_labels, chosen.share) == ("part", 0.2, pytest.approx(0.001))


@pytest.mark.parametrize("name", ["syn-cases-2", "syn-case-1", "syn-case-5-uneven", "pol-30", "pol-30-hex99", "hom-2", ""])
def test_an_unknown_recipe_is_refused_with_examples(name):
    with pytest.raises(ActalikeError, match="syn-case-2"):
        recipe(name)


@pytest.mark.parametrize("name", ["syn-part-0", "syn-part-101", "dis-0", "swiftmend-0-30"])
def test_a_share_is_above_nothing_and_at_most_everything(name):
    with pytest.raises(ActalikeError, match="not above 0 %"):
        recipe(name)


def test_wildcards_find_listed_recipes():
    assert [found.name for found in find_recipes(["dis-*", "syn-part-1", "dis-1"])] == ["dis-1", "dis-5", "syn-part-1"]
    assert [found.name for found in find_recipes(None)] == list(RECIPES)
    with pytest.raises(ActalikeError, match="recipe"):
        find_recipes(["hom-*"])


def test_recipes_of_one_kind_have_one_heading():
    assert {recipe(name).family for name in RECIPES} == {
        "syn-case", "syn-event", "syn-period", "syn-resource", "syn-part", "dis", "pol",
    }  # fmt: skip
