"""XES documents in every legal layout, and a second, independent reader to compare with."""

import io
import itertools
import random
from xml.etree import ElementTree

from hypothesis import strategies as st

# XML cannot hold control characters, and white space in attributes must be written as references
xml_text = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff") | st.sampled_from("\t\n\r&<>'\""),
    max_size=8,
)


def reference_read(document: bytes):
    """Traces as (id, [activity, ...]) by ElementTree; an error or None for what a strict reader must refuse.

    A trace without a name has its number as id, in words if that is the name of another trace.
    """
    traces = []
    root = ElementTree.parse(io.BytesIO(document)).getroot()
    if _name(root) != "log":
        return None
    if sum(1 for element in root.iter() if _name(element) == "event") != sum(
        1 for trace in root if _name(trace) == "trace" for event in trace if _name(event) == "event"
    ):
        return None  # events outside traces
    if sum(1 for element in root.iter() if _name(element) == "trace") != sum(1 for e in root if _name(e) == "trace"):
        return None
    for trace in root:
        if _name(trace) == "trace":
            ids = _values(trace, "concept:name")
            events = [_values(event, "concept:name") for event in trace if _name(event) == "event"]
            if len(ids) > 1 or any(len(names) != 1 for names in events):
                return None
            traces.append((ids[0] if ids else None, [names[0] for names in events]))
    taken = {name for name, _ in traces}
    for i, (name, events) in enumerate(traces):
        if name is None:
            traces[i] = (next(id_ for id_ in _ids_by_number(i + 1) if id_ not in taken), events)
    return traces if any(events for _, events in traces) else None


def _ids_by_number(number):
    yield from (f"{number}", f"trace {number}")
    yield from (f"trace {number} ({i})" for i in itertools.count(2))


def _name(element):
    return element.tag.rpartition("}")[2]


def _values(element, key):
    return [
        child.get("value")
        for child in element
        if child.get("key") == key and child.get("value") is not None and _name(child) not in ("event", "trace")
    ]


def write_freely(
    traces, seed: int, declaration: bytes = b'<?xml version="1.0" encoding="UTF-8"?>', kinds=("string", "id", "int")
) -> bytes:
    """A document with these traces, laid out as freely as XML allows; labels are elements of these kinds."""
    rng = random.Random(seed)

    def gap():
        return rng.choice(
            [
                "",
                "",
                " ",
                "\n\t",
                "<!-- <event> & <trace> -->",
                "<![CDATA[ </trace><event> ]]>",
                "<?note <event>?>",
                "text > text",
            ]
        )

    def quoted(text):
        mark = rng.choice("\"'")
        escapes = {"&": ["&amp;", "&#38;"], "<": ["&lt;", "&#x3c;"], ">": [">", "&gt;"], "\t": ["&#9;"], "\n": ["&#10;"], "\r": ["&#xD;"],
                   '"': ["&quot;"], "'": ["&apos;"], ":": [":", ":", ":", "&#58;"]}  # fmt: skip
        return mark + "".join(rng.choice(escapes.get(c, [c])) for c in text) + mark

    def attribute(key, value, kind="string"):
        parts = [f"key={quoted(key)}", f"value={quoted(value)}"]
        if rng.random() < 0.2:
            parts.append(f"other={quoted('> value=')}")
        if rng.random() < 0.3:
            rng.shuffle(parts)
        if rng.random() < 0.5:
            parts = [f'key="{key}"', "value=" + '"' + quoted(value)[1:-1].replace("'", "&apos;") + '"']
        space = rng.choice([" ", " ", " ", "\n  ", "  "])
        body = f"<{kind}{space}{space.join(parts)}"
        if rng.random() < 0.2:
            nested = attribute("concept:name", "nested") if rng.random() < 0.5 else ""
            return f"{body}{rng.choice(['', ' '])}>{nested}{gap()}</{kind}>"
        return body + rng.choice(["/>", "/>", " />", "\n/>"])

    def element(name, children):
        rng.shuffle(children)
        return f"<{name}{rng.choice(['', ' ', chr(10)])}>{gap()}{gap().join(children)}{gap()}</{name}>"

    def noise():
        return [
            attribute(
                rng.choice(["concept:namey", "concept", "org:resource", "lifecycle:transition"]),
                "noise",
                rng.choice(["string", "int", "date", "weird"]),
            )
            for _ in range(rng.randrange(3))
        ] + (
            ["<list key='l'><values><string key='concept:name' value='in a list'/></values></list>"] if rng.random() < 0.1 else []
        )

    out = []
    for name, events in traces:
        children = [*([] if name is None else [attribute("concept:name", name)]), *noise()]
        rng.shuffle(children)
        children += [element("event", [attribute("concept:name", e, rng.choice(kinds)), *noise()]) for e in events]
        body = gap().join(children)
        out.append(f"<trace>{gap()}{body}{gap()}</trace>")
    header = '<global scope="event"><string key="concept:name" value="UNKNOWN"/></global>' + attribute("concept:name", "the log")
    text = f"{rng.choice(['<log>', '<log xes.version=' + chr(39) + '1.0' + chr(39) + '>'])}{gap()}{header}{gap().join(out)}{gap()}</log>"
    return declaration + text.encode()


EVENT = '<event><string key="concept:name" value="{}"/><string key="lifecycle:transition" value="{}"/><date key="time:timestamp" value="{}"/></event>'


def document(*traces, lifecycle="complete"):
    parts = []
    for name, events in traces:
        body = "".join(EVENT.format(label, lifecycle, time) for label, time in events)
        parts.append(f'<trace><string key="concept:name" value="{name}"/>{body}</trace>')
    return f"<log>{''.join(parts)}</log>".encode()


GOOD = document(("1", [("a", "2024-01-01T00:00:00Z"), ("b", "2024-01-02T00:00:00Z")]), ("2", [("a", "2024-01-01T00:00:00Z")]))


documents = st.lists(st.tuples(xml_text, st.lists(xml_text, max_size=5)), min_size=1, max_size=5).filter(
    lambda traces: any(events for _, events in traces)
)
