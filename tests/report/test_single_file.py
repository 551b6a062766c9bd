"""Pages that are one file: what is in them, and that nothing can get out of its place."""

import base64
import hashlib
import html
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.report.single_file import as_json, single_file

PAGES = {
    "report": ("report/page.html", ["shared/page.css"], "report/main.js"),
    "benchmark": ("benchmark/page.html", ["shared/page.css", "benchmark/page.css"], "benchmark/main.js"),
}


@pytest.fixture(scope="module", params=PAGES)
def page(request):
    return single_file(*PAGES[request.param], {"a": 1}, "T")


def test_the_same_data_gives_the_same_page():
    pages = [single_file(*PAGES["report"], {"a": 1}, "T") for _ in range(2)]
    assert pages[0] == pages[1]
    assert '"palette":{"light":["#0072b2"' in pages[0]


def test_the_page_needs_nothing_else(page):
    assert set(re.findall(r"https?://[^\s\"'<>]*", page)) <= {"http://www.w3.org/2000/svg"}  # the name of SVG, no address
    assert not re.search(r"\b(src|srcset)=|@import|url\(", page)
    assert "{{" not in page.partition("<script")[0]


def test_the_policy_allows_the_pages_own_script_and_style_alone(page):
    policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1])
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)[-1]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]
    for content, directive in ((script, "script-src"), (style, "style-src")):
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert directives[directive] == f"'sha256-{digest}'"


def test_a_title_is_text_and_fills_no_place():
    text = single_file(*PAGES["report"], {"labels": ["{{title}}"]}, "<b>{{script}}</b>")
    assert "<title>&lt;b&gt;{{script}}&lt;/b&gt;" in text
    assert '"labels":["{{title}}"]' in text


@given(st.text('<>&/script!-\\"\u2028é'))
def test_no_label_can_end_its_script(label):
    text = as_json({"label": label})
    assert not set("<>&") & set(text)
    assert text.isascii()
    assert json.loads(text) == {"label": label}


def test_what_is_no_number_is_an_error():
    with pytest.raises(ValueError, match="JSON"):
        as_json(float("nan"))
