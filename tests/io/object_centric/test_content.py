"""What a file says is collected in any order, and memory is looked at while it grows."""

import numpy as np
import pytest

from actalike import ActalikeError, LogError
from actalike.io.object_centric import content as module
from actalike.io.object_centric.content import Content, as_array
from actalike.io.object_centric.event_attributes import EventAttributes
from tests.helpers.ocel import purchases, to_json
from tests.helpers.reading import read_bytes


def filled(path, times):
    content = Content(path, EventAttributes(path, None))
    for number, time in enumerate(times):
        content.relate(content.add_event(f"e{number}", "a", time), ["o"])
    content.add_object("o", "order")
    content.add_event_type("a")
    content.add_object_type("order")
    return content


def test_times_are_parsed_in_blocks_and_the_place_of_a_wrong_one_is_right(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_TIMES_AT_A_TIME", 3)
    times = [f"2024-01-01T00:00:{second:02d}Z" for second in range(8)]
    content = filled(tmp_path, times)
    content.check()
    assert np.diff(content.times()).tolist() == [1_000_000] * 7
    with pytest.raises(
        LogError, match=r"event 9 \('e8'\) has the time '9999-.*-11:00', which is outside the years 1 to 9999 in UTC"
    ):
        filled(tmp_path, [*times, "9999-12-31T23:00:00-11:00"]).check()
    with pytest.raises(LogError, match=r"event 8 \('e7'\) has an unreadable time 'later'"):
        filled(tmp_path, [*times[:7], "later"]).check()
    assert content.event_id(3) == "e3"


def test_more_ids_than_fit_into_memory_are_refused(monkeypatch):
    monkeypatch.setattr(module, "_IDS_AT_A_TIME", 5)
    monkeypatch.setattr(module, "_BYTES_AN_ID", 1 << 26)
    monkeypatch.setenv("ACTALIKE_MEMORY", "100MB")
    with pytest.raises(
        ActalikeError, match=r"events and objects already, which needs about .* of memory, and 0.1 GB are allowed"
    ):
        read_bytes(to_json(purchases()), "log.jsonocel", object_type="invoice")


@pytest.mark.parametrize("empty", ["", " ", "\t\u00a0"])
def test_empty_ids_and_types_are_refused(tmp_path, empty):
    content = filled(tmp_path, ["2024-01-01"])
    with pytest.raises(LogError, match=r"event 2 has an empty id '.*': name it; nothing was read"):
        content.add_event(empty, "a", "2024-01-01")
    with pytest.raises(LogError, match=r"the event 'x' has an empty type '.*' \(its activity\): name it"):
        content.add_event("x", empty, "2024-01-01")
    with pytest.raises(LogError, match=r"object 2 has an empty id '.*': name it"):
        content.add_object(empty, "order")
    with pytest.raises(LogError, match=r"the object 'x' has an empty type '.*': name it"):
        content.add_object("x", empty)


def test_no_numbers_are_an_empty_array():
    assert as_array(module.array("i")).tolist() == []
    assert as_array(module.array("i", [3, 1])).tolist() == [3, 1]
