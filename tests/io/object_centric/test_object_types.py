"""The figures of each type of objects are those that a loop counts."""

from pathlib import Path

from hypothesis import given

from actalike.io.object_centric.content import Content
from actalike.io.object_centric.event_attributes import EventAttributes
from actalike.io.object_centric.object_types import ObjectTypeFacts, facts_of_types
from tests.helpers.ocel import naive_flattening, object_logs


@given(object_logs())
def test_the_figures_are_those_of_the_flattened_log(log):
    content = Content(Path("log"), EventAttributes(Path("log"), None))
    for name in log.object_types:
        content.add_object_type(name)
    for event in log.events:
        content.relate(
            content.add_event(event.id, event.type, event.time.isoformat()), [object_id for object_id, _ in event.objects]
        )
    for object_id, type_ in log.objects:
        content.add_object(object_id, type_)
    expected = []
    for name in log.object_types:
        cases = naive_flattening(log, name)
        rows = [event for events in cases.values() for event in events]
        objects = sum(type_ == name for _, type_ in log.objects)
        expected.append(ObjectTypeFacts(name, objects, len(cases), len({event[0] for event in rows}), len(rows)))
    assert facts_of_types(content) == expected
