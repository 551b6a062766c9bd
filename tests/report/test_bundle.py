"""The bundler of the pages' scripts: what it makes of modules, and what it refuses."""

from importlib.resources import files
from pathlib import Path

import pytest

from actalike import ActalikeError
from actalike.report.bundle import bundle

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
