"""The keys of a piece of XES: each found once, however many tags have it."""

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.io.xes_keys import find_keys
from actalike.io.xml_tags import find_tags
from tests.helpers.xes_documents import xml_text

ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
# long names with the same beginning are told apart only by their last bytes
keys = xml_text | st.sampled_from(
    ["org:resource", "org:resources", "org:reso", "org:resourcE", "concept:name", "concept:instance", "12345678"]
)


@given(st.lists(st.tuples(keys, st.booleans(), st.booleans()), max_size=20))
def test_the_distinct_keys_are_those_of_the_chosen_tags(tags):
    parts = []
    for key, _, usual in tags:
        escaped = "".join(ESCAPES.get(character, character) for character in key)
        parts.append(f'<string key="{escaped}" value="x"/>' if usual else f'<string value="x"   key="{escaped}"/>')
    found = find_tags("".join(parts).encode(), 3)
    keyed = find_keys(found, found.words[found.start], np.zeros(len(tags), dtype=bool))
    chosen = np.array([is_chosen for _, is_chosen, _ in tags], dtype=bool)
    assert keyed.distinct_keys(chosen) == {key for key, is_chosen, _ in tags if is_chosen}
    for key, _, _ in tags:
        hits, _ = keyed.with_key(key)
        assert hits.tolist() == [i for i, (other, _, _) in enumerate(tags) if other == key]


@pytest.mark.parametrize("number", [1, 3000])
def test_many_keys_are_found_as_few_are(number):
    names = [f"attribute number {i:06} of many" for i in range(number)]
    found = find_tags("".join(f'<int key="{name}" value="1"/>' for name in names).encode(), 3)
    keyed = find_keys(found, found.words[found.start], np.zeros(number, dtype=bool))
    assert keyed.distinct_keys(np.ones(number, dtype=bool)) == set(names)


white_keys = st.lists(
    st.sampled_from(["my", "key", " ", "\t", "\n", "\r", "\r\n", "&#10;", "&#32;", ">"]), min_size=1, max_size=4
)


@given(st.lists(st.tuples(white_keys.map("".join), st.sampled_from(["", " ", "\n", "\n  \n\t", "\r\n"])), min_size=1, max_size=8))
def test_white_space_in_a_key_is_read_as_xml_says(parts):
    document = "".join(f'<string key="{key}" value="x"/>{gap}' for key, gap in parts)
    names = [tag.get("key") for tag in ElementTree.fromstring(f"<log>{document}</log>")]
    found = find_tags(document.encode(), 3)
    keyed = find_keys(found, found.words[found.start], np.zeros(len(parts), dtype=bool))
    assert keyed.distinct_keys(np.ones(len(parts), dtype=bool)) == set(names)
    for name in {*names, "my key", "my\nkey"}:
        assert keyed.with_key(name)[0].tolist() == [i for i, other in enumerate(names) if other == name]
