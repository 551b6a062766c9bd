"""Relabelled XES by definition: ElementTree renames the labels of the events, and everything else stays."""

from xml.etree import ElementTree

from actalike.labels.relabelling import ORIGINAL


def elements(document, exact=False):
    """All that is in a document, but for how things are written and, unless ``exact``, for white space."""
    return as_lists(parsed(document), exact)


def parsed(document):
    """The root of a document, with its comments and processing instructions."""
    return ElementTree.fromstring(
        document, ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True, insert_pis=True))
    )


def as_lists(element, exact=False):
    content = [shown(element.text, exact)]
    for child in element:
        is_space = child.get("key") == ORIGINAL and not dense(child.tail)  # repeated white space: any is right
        content += [as_lists(child, exact), "" if is_space else shown(child.tail, exact)]
    tag = element.tag if isinstance(element.tag, str) else "not an element"
    return [tag, dict(element.attrib), content]


def shown(text, exact):
    return (text or "") if exact else dense(text)


def dense(text):
    return "".join((text or "").split())


def expected_elements(document, mapping, collapse, exact=False):
    """What :func:`elements` must find in the relabelled document; ``exact`` is not for documents with collapsed events."""
    root = parsed(document)
    for trace in root.iter("trace"):
        before = None
        for event in list(trace.iter("event")):
            place = next(
                i for i, child in enumerate(event) if child.get("key") == "concept:name" and child.get("value") is not None
            )
            label = event[place].get("value")
            name = mapping.get(label, label)
            if collapse and before is not None and before[1] == name and before[0] != label:
                remove(trace, event)
            elif name != label:
                event[place].set("value", name)
                event.insert(place, ElementTree.Element("string", {"key": ORIGINAL, "value": label}))
            before = label, name
    return as_lists(root, exact)


def remove(trace, event):
    """Remove an event, and keep the text after it."""
    place = list(trace).index(event)
    if place:
        trace[place - 1].tail = dense(trace[place - 1].tail) + dense(event.tail)
    else:
        trace.text = dense(trace.text) + dense(event.tail)
    trace.remove(event)
