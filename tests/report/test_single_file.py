"""Pages that are one file: what is in them, that nothing can get out of its place, and the bundler of their scripts."""

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError
from actalike.report.single_file import as_json, bundle, single_file

PAGES = {
    "report": ("report/page.html", ["shared/page.css"], "report/main.js"),
    "benchmark": ("benchmark/page.html", ["shared/page.css", "benchmark/page.css"], "benchmark/main.js"),
}
NAMESPACES = {f"http://www.w3.org/{name}" for name in ("2000/svg", "1999/xhtml", "1998/Math/MathML")}  # names, no addresses


@pytest.fixture(scope="module", params=PAGES)
def page(request):
    return single_file(*PAGES[request.param], {"a": 1}, "T")


def test_the_same_data_gives_the_same_page():
    pages = [single_file(*PAGES["report"], {"a": 1}, "T") for _ in range(2)]
    assert pages[0] == pages[1]
    assert '"palette":{"light":["#0072b2"' in pages[0]


def test_the_page_needs_nothing_else(page):
    assert set(re.findall(r"https?://[^\s\"'<>]*", page)) <= NAMESPACES
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


PAGE = Path(str(files("actalike") / "report" / "page"))


def bundled(**modules):
    return bundle("main.js", {f"{name}.js": text for name, text in modules.items()}.__getitem__)


def test_a_module_stands_once_and_after_all_that_it_imports():
    script = bundled(
        main='import { b } from "./b.js";\nimport { c as d } from "./c.js";\nb(d);\n',
        b='import { c } from "./c.js";\nexport function b(x) {\n  return x + c;\n}\n',
        c="export const c = 1;\n",
    )
    assert [line for line in script.splitlines() if line.startswith("//")] == ["// c.js", "// b.js", "// main.js"]
    assert "const { c: d } = $c$;" in script
    assert "export" not in script


def test_imports_over_several_lines_are_understood():
    assert "const { a, b } = $a$;" in bundled(
        main='import {\n  a,\n  b,\n} from "./a.js";\n', a="export const a = 1;\nexport class b {}\n"
    )


@pytest.mark.parametrize(
    ("modules", "message"),
    [
        (
            {
                "main": 'import { a } from "./a.js";\n',
                "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            "in a circle: a.js -> b.js -> a.js",
        ),
        (
            {"main": 'import { x } from "./a.js";\n', "a": "export const a = 1;\n"},
            "imports x from a.js, which does not export it",
        ),
        ({"main": 'import { a } from "./none.js";\n'}, "no module none.js, which main.js imports"),
        ({"main": 'import { a } from "../a.js";\n'}, "outside of the page's folder"),
        ({"main": '\nimport a from "./a.js";\n'}, "line 2: the bundler does not understand 'import a from"),
        ({"main": 'import * as a from "./a.js";\n'}, "does not understand"),
        ({"main": 'import "./a.js";\n'}, "does not understand"),
        (
            {"main": 'import { a } from "./a.js";\n', "a": "export let a = 1;\n"},
            "a.js, line 1: the bundler does not understand 'export let a = 1;'",
        ),
        ({"main": 'import { a } from "./a.js";\n', "a": "export default 1;\n"}, "does not understand"),
        ({"main": 'import { a } from "./a.js";\n', "a": "const a = 1;\nexport { a };\n"}, "does not understand"),
        ({"main": 'const a = await import("./a.js");\n'}, "does not understand"),
        ({"main": "export const a = 1;\n"}, "nothing can import what it exports"),
        ({"main": 'const a = "</script>";\n'}, "cannot stand in a script"),
        (
            {"main": 'import { a } from "./a.js";\nimport { a } from "./a.js";\n', "a": "export const a = 1;\n"},
            "imports a name twice",
        ),
    ],
)
def test_what_it_does_not_understand_is_refused(modules, message):
    with pytest.raises(ActalikeError) as error:
        bundled(**modules)
    assert message in str(error.value)


def test_every_module_of_the_pages_is_in_one_of_them():
    scripts = "".join(
        bundle(f"{page}/main.js", lambda path: (PAGE / path).read_text()) for page in ("report", "benchmark", "two_logs")
    )
    modules = {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*.js")}
    assert modules == {
        line.removeprefix("// ") for line in scripts.splitlines() if line.startswith("// ") and line[3:] in modules
    }
