"""Values of one key: which owner has which text."""

from pathlib import Path

import numpy as np
import pytest

from actalike import LogError
from actalike.io.xes_values import Values, refuse_repeats
from actalike.io.xml_tags import find_tags

PATH = Path("log.xes")


def place(owner):
    return f"trace {owner + 1},"


def values_of(texts, known=True):
    """The values of tags, whose places are known or have to be looked for."""
    document = b"".join(b'<s key="k" value="' + text.encode() + b'"/>' for text in texts)
    tags = find_tags(document, 0)
    at = tags.start + len(b'<s key="k" value="') if known else np.full(len(texts), -1)
    values = Values("k")
    values.add(tags, np.arange(len(texts)), np.arange(len(texts)), at)
    return values


@pytest.mark.parametrize("known", [True, False])
def test_equal_texts_have_equal_codes_however_they_are_written(known):
    values = values_of(["b", "a", "b", "&#97;", ""], known)
    codes = values.one_each(PATH, 5, place)
    assert [values.texts[code] for code in codes] == ["b", "a", "b", "a", ""]
    assert len(values.texts) == 3


def test_an_owner_without_a_value_has_none_or_is_an_error():
    values = values_of(["b", "a"])
    assert values.at_most_one_each(PATH, 4, place).tolist() == [0, 1, -1, -1]
    with pytest.raises(LogError, match=r"log\.xes: trace 3 has no 'k' \(2 in all have none\)"):
        values.one_each(PATH, 4, place)
    assert Values("k").at_most_one_each(PATH, 2, place).tolist() == [-1, -1]


def test_two_values_of_an_owner_are_an_error():
    refuse_repeats(PATH, "k", np.array([0, 1, 3]), place)
    with pytest.raises(LogError, match=r"log\.xes: trace 2 has 'k' twice: remove one; nothing was read\."):
        refuse_repeats(PATH, "k", np.array([0, 1, 1, 3]), place)
