"""Generated logs."""

from hypothesis import strategies as st

from actalike import EventLog

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


windows = st.integers(1, 11)
odd_windows = st.sampled_from([1, 3, 5, 7, 9])
