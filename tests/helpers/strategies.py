"""Generated logs."""

from hypothesis import strategies as st

from actalike import Attribute, EventLog

ODD_LABELS = [
    "a",
    "b",
    "c",
    "d",
    ".",
    "",
    "NA",
    "null",
    " ",
    "Check invoice",
    "📄",
    "a,b;c\td",
    'say "x" & <y>',
    "-1",
    "(start)",
]

labels = st.sampled_from(ODD_LABELS)
any_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


def traces(label=labels, max_cases=8, max_length=12):
    one = st.lists(label, max_size=max_length)
    return st.lists(one, min_size=1, max_size=max_cases).filter(any)


def logs(label=labels):
    return traces(label).map(EventLog.from_traces)


attribute_names = st.sampled_from(["org:resource", "User", "x y"])


@st.composite
def logs_with_attributes(draw, label=labels, name=attribute_names):
    """Logs whose cases have events, with up to two attributes, each of which at least one event has."""
    log = EventLog.from_traces([trace for trace in draw(traces(label, max_cases=4, max_length=5)) if trace])
    column = st.lists(st.none() | label, min_size=log.n_events, max_size=log.n_events).filter(any_value)
    columns = draw(st.dictionaries(name, column, max_size=2))
    attributes = {key: Attribute.from_texts(texts) for key, texts in columns.items()}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)


@st.composite
def logs_with_equal_cases(draw, max_attributes=2):
    """Logs of few labels whose variants have several cases, with up to two attributes that some events lack."""
    variants = draw(st.lists(st.text("abcd", max_size=7), min_size=1, max_size=4).filter(any))
    cases = draw(st.permutations([variant for variant in variants for _ in range(draw(st.sampled_from([1, 1, 2, 5])))]))
    log = EventLog.from_traces([list(case) for case in cases])
    attributes = {}
    for name in ["User", "x y"][: draw(st.integers(0, max_attributes))]:
        column = st.lists(st.sampled_from([None, "x", "y"]), min_size=log.n_events, max_size=log.n_events)
        attributes[name] = Attribute.from_texts(draw(column.filter(any_value)))
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)


def any_value(texts):
    return any(text is not None for text in texts)


windows = st.integers(1, 11)
odd_windows = st.sampled_from([1, 3, 5, 7, 9])
