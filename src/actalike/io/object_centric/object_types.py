"""Say what types of objects an object-centric log has, and choose the one whose objects are the cases."""

from dataclasses import dataclass

import numpy as np

from actalike.errors import LogError, did_you_mean, shortened
from actalike.io.object_centric.content import Content, as_array

_LISTED = 10  # types in an error


@dataclass(frozen=True)
class ObjectTypeFacts:
    """Hold the figures of a type of objects.

    ``with_events`` of its ``objects`` are involved in an event: these would be the cases. ``events`` involve at least one of
    them, ``relations`` counts each event once for each of its objects: these would be the events of the log.

    >>> ObjectTypeFacts("order", objects=3, with_events=2, events=5, relations=6).events_per_object
    3.0
    """

    name: str
    objects: int
    with_events: int
    events: int
    relations: int

    @property
    def events_per_object(self) -> float:
        """Return the mean number of events of an object that has any."""
        return self.relations / self.with_events if self.with_events else 0.0


def facts_of_types(content: Content) -> list[ObjectTypeFacts]:
    """Return the figures of each type, in the order in which the file has them."""
    type_of_object = as_array(content.type_of_object)
    pairs = distinct_relations(content)
    related_event, related_object = (as_array(each)[pairs] for each in (content.related_event, content.related_object))
    types = type_of_object[related_object]
    n_types = len(content.object_types)
    objects = np.bincount(type_of_object, minlength=n_types)
    relations = np.bincount(types, minlength=n_types)
    with_events = np.bincount(type_of_object[np.unique(related_object)], minlength=n_types)
    of_events = np.unique(types.astype(np.int64) * max(len(content.events), 1) + related_event)
    events = np.bincount(of_events // max(len(content.events), 1), minlength=n_types)
    figures = zip(objects.tolist(), with_events.tolist(), events.tolist(), relations.tolist(), strict=True)
    return [ObjectTypeFacts(name, *each) for name, each in zip(content.object_types, figures, strict=True)]


def distinct_relations(content: Content) -> np.ndarray:
    """Return the positions of the relations without repeats, sorted by event, of one event in the order of the file.

    An event may be related to an object twice, with different qualifiers. It happened once.
    """
    related_event, related_object = as_array(content.related_event), as_array(content.related_object)
    keys = related_event.astype(np.int64) * max(len(content.objects), 1) + related_object
    first = np.sort(np.unique(keys, return_index=True)[1])
    return first[np.argsort(related_event[first], kind="stable")]


def choose_type(content: Content, object_type: str | None) -> str:
    """Return the type that was asked for, or the only one; otherwise raise an error that lists them."""
    path, names = content.path, list(content.object_types)
    if object_type is None:
        if len(names) == 1:
            return names[0]
        raise LogError(
            f"{path} is object-centric: its events involve {_listing(content)}. Say which of them are the cases: "
            "object_type='...' (--object-type NAME); nothing was read."
        )
    if not isinstance(object_type, str):  # the type is that of the signature, and people call it with others
        raise LogError(
            f"{path}: object_type is one name, a text, and not {shortened(repr(object_type))}. The file has "
            f"{_listing(content)}; nothing was read."
        )
    if object_type not in content.object_types:
        raise LogError(
            f"{path} has no object type {shortened(object_type)!r} (given as object_type).{did_you_mean(object_type, names)} It "
            f"has {_listing(content)}; nothing was read."
        )
    return object_type


def no_events_of(content: Content, object_type: str) -> LogError:
    """Return the error about a type of which no object has an event."""
    return LogError(
        f"{content.path} has no event that involves an object of the type {shortened(object_type)!r}, so there are no cases. It "
        f"has {_listing(content)}: give another type as object_type=... (--object-type); nothing was read."
    )


def _listing(content: Content) -> str:
    facts = sorted(facts_of_types(content), key=lambda each: -each.relations)
    words = [
        f"{shortened(each.name)!r} ({_counted(each.with_events, 'case')}, {_counted(each.relations, 'event')})" for each in facts
    ]
    more = f" and {len(words) - _LISTED:,} more" if len(words) > _LISTED else ""
    return f"objects of the types {', '.join(words[:_LISTED])}{more}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
