from html.parser import HTMLParser

import numpy as np

from actalike import Attribute, EventLog, compare
from actalike.demo.loan_desk import loan_desk

HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"


def test_what_a_log_contains_is_escaped_in_the_card():
    log = EventLog.from_traces([[HOSTILE, "a" + HOSTILE], [HOSTILE, "b" + HOSTILE]])
    users = {"User" + HOSTILE: Attribute.from_texts([HOSTILE] * 4), "User": Attribute.from_texts([HOSTILE, "x", "y", "z"])}
    days = np.arange("2024-01-01", "2024-01-05", dtype="datetime64[D]")
    log = EventLog(log.activities, log.codes, log.offsets, [HOSTILE, HOSTILE + "2"], days, attributes=users)
    html = compare(log, "a" + HOSTILE, "b" + HOSTILE)._repr_html_()
    assert "<img" not in html
    assert "&lt;img src=x" in html
    assert "<bdi>" in html


def test_the_card_has_bars_a_picture_of_time_and_the_sentences():
    html = compare(loan_desk(), "Customer declines", "Offer expires")._repr_html_()
    opened = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag, attributes):
            opened.append(tag)

    Parser().feed(html)
    assert opened.count("rect") > 20
    assert opened.count("tr") > 8
    assert "They are never in the same case." in html
    assert "and 1 more" not in html or "more</td>" in html
