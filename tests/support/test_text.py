"""Texts for people: short labels, cells that no spreadsheet runs, cards in notebooks."""

from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Embedding, EventLog, embed
from actalike.demo.loan_desk import loan_desk
from actalike.support.text import escape_formula, restore_formula, short_labels
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text, logs

alphabet = st.sampled_from("ab ")


@given(st.lists(st.text(alphabet, max_size=30), max_size=8), st.integers(3, 12))
def test_short_labels_fit_and_short_ones_stay(labels, max_length):
    short = short_labels(labels, max_length)
    assert len(short) == len(labels)
    for label, text in zip(labels, short, strict=True):
        assert len(text) <= max_length
        if len(label) <= max_length and labels.count(label) == short.count(label):
            assert text == label


@given(st.text(alphabet, min_size=10, max_size=40), st.text(alphabet, min_size=10, max_size=40))
def test_two_labels_that_differ_in_one_word_never_read_the_same(before, after):
    first, second = short_labels([f"{before} one {after}", f"{before} two {after}"], 16)
    assert first != second


def test_labels_that_differ_at_the_end_keep_it():
    short = short_labels(["Declaration FINAL_APPROVED by SUPERVISOR", "Declaration FINAL_APPROVED by DIRECTOR"], 20)
    assert [text[-5:] for text in short] == ["VISOR", "ECTOR"]


def test_many_labels_that_are_hard_to_tell_apart_take_no_time():
    labels = ["x" * k for k in range(100, 900)]
    assert all(len(text) <= 20 for text in short_labels(labels, 20))


# the examples of tests/report/page/report/mapping.test.js
RUN = ["=1", "+1", "-1", "@x", "\t=", "\r", "\nx", " =1", "\u00a0-", "\ufeff@", "\uff1d1", "'=1", "''\t", "' +"]
TEXTS = ["", "Check", "'quoted'", "a=b", " x", "'", "1-1", "\u2212"]


@pytest.mark.parametrize("text", RUN, ids=ascii)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(text):
    assert escape_formula(text) == f"'{text}"
    assert restore_formula(f"'{text}") == text


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_everything_else_stays_as_it_is(text):
    assert escape_formula(text) == text == restore_formula(text)


@examples(300)
@given(st.one_of(st.text(), st.text(alphabet="'=+-@ \t\r\nx")))
def test_every_text_comes_back_and_no_cell_begins_with_a_sign(text):
    cell = escape_formula(text)
    assert restore_formula(cell) == text
    assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r", "\n")


@examples(100)
@given(st.text().filter(lambda text: not text.startswith("'")))
def test_a_cell_without_the_escape_is_read_as_it_is(text):
    assert restore_formula(text) == text


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "</td></table><h1>",
    "&lt;b&gt;",
    "' onmouseover='x",
    "\"'`",
    "\x00\x1b\x08",
    "\u202ereversed",
    "]]><!--",
]
TAGS = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "bdi", "b", "span"}


def parsed(html):
    """The tree of a piece of HTML, checked twice: as XML, and by Python's reader of HTML."""
    tree = ElementTree.fromstring(html)
    seen = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            seen.append((tag, dict(attrs)))

    Reader().feed(html)
    assert [tag for tag, _ in seen] == [element.tag for element in tree.iter()]
    assert {tag for tag, _ in seen} <= TAGS
    assert {name for _, attributes in seen for name in attributes} <= {"style"}
    assert "color:" not in html.replace("currentColor", "").replace("background:", "")  # the notebook's own, light or dark
    return tree


def texts(tree):
    return [" ".join("".join(row.itertext()).split()) for row in tree.iter("tr")]


def shown_by(log):
    return [log, embed(log), embed(log, "substitution-w3")]


@given(logs(any_text))
def test_every_log_is_shown_well_formed(log):
    for thing in shown_by(log):
        parsed(thing._repr_html_())


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_label_is_text(hostile):
    log = EventLog.from_traces([["x", hostile, "y"], ["x", "other", "y"]])
    for thing in shown_by(log):
        html = thing._repr_html_()
        tree = parsed(html)
        assert "<script" not in html
        assert "<img" not in html
        if hostile.isprintable():
            assert hostile in {"".join(element.itertext()) for element in tree.iter("bdi")}


def test_a_log_shows_its_figures_and_its_most_frequent_activities():
    log = loan_desk()
    rows = texts(parsed(log._repr_html_()))
    assert "cases600" in rows
    assert "events7,785" in rows
    assert "activities30" in rows
    assert any(row.startswith("period2") and " to 2" in row for row in rows) == (log.timestamps is not None)
    top = max(range(30), key=lambda i: log.activity_counts[i])
    assert f"{log.activities[top]}{log.activity_counts[top]:,}" in rows
    assert "and 20 more activities" in log._repr_html_()


def test_the_period_is_shown_where_there_are_timestamps():
    times = np.array(["2024-01-05T10:00", "NaT", "2024-03-01T09:00"], dtype="datetime64[us]")
    log = EventLog(["a"], [0, 0, 0], [0, 3], ["1"], times)
    assert "period2024-01-05 to 2024-03-01" in texts(parsed(log._repr_html_()))
    nothing = EventLog(["a"], [0], [0, 1], ["1"], np.array(["NaT"], dtype="datetime64[us]"))
    assert "period" not in nothing._repr_html_()


def test_bars_are_as_long_as_the_shares():
    log = EventLog.from_traces([["a"] * 8 + ["b"] * 2 + ["c"]])
    widths = [element.get("style").partition("width:")[2].partition("%")[0] for element in parsed(log._repr_html_()).iter("span")]
    assert widths == ["100.0", "25.0", "12.5"]


def test_an_embedding_shows_its_method_and_the_most_similar_pairs():
    embedding = embed(loan_desk())
    rows = texts(parsed(embedding._repr_html_()))
    assert "methodkin-w5" in rows
    for a, b, value in embedding.most_similar_pairs(10):
        assert f"{a} and {b}{value:.3f}" in rows
    assert "and 425 more pairs" in embedding._repr_html_()
    assert "most alike" not in Embedding(["a"], np.ones((1, 1)))._repr_html_()


@pytest.mark.campaign
def test_the_display_of_a_large_log_is_small():
    log = EventLog.from_traces([[f"{'x' * 300}{i}" for i in range(2000)]])
    for thing in shown_by(log)[:2]:
        assert len(thing._repr_html_()) < 10_000
