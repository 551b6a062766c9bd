"""Pages that are one file and need nothing else: style, data and script stand in them.

Labels and other contents of a log are untrusted. They stand in the page as JSON only, and the scripts put them into the document
as text. The policy of a page allows its own script and style, by their hashes, and no request whatsoever.

The bundler makes one script of ES modules. It runs where no node is installed, so it understands little and rejects the rest. A
module may contain

- ``import { a, b as c } from "./other.js";``, at the beginning of a line;
- ``export const a = ...``, ``export function a(...)``, ``export class A ...``, at the beginning of a line.

Each module becomes a function that returns its exports, and stands after the modules that it imports. Exports are constant, and
modules do not import each other in a circle, so the meaning is that of ES modules.
"""

import base64
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError
from actalike.support.figures import PALETTE, PALETTE_ON_DARK
from actalike.support.files import cannot_read

_IMPORT = re.compile(r'^import \{([^{}]*)\} from "(\.[^"\n]*)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const ([\w$]+) =|(?:async )?function ([\w$]+)\(|class ([\w$]+)\b))", re.MULTILINE)
_NAME = re.compile(r"([\w$]+)(?: as ([\w$]+))?")
_UNSUPPORTED = re.compile(r"^\s*(?:import|export)\b.*|\bimport\s*[.(].*|^await\b.*", re.MULTILINE)


class _Module(NamedTuple):
    imports: list[tuple[str, list[tuple[str, str]]]]  # the path of a module; names there and here
    exports: list[str]
    body: str


def single_file(template: str, styles: Sequence[str], script: str, data: Mapping[str, Any], title: str) -> str:
    """Return the page made of a template, style sheets, a script with all that it imports, and the data that it shows.

    All are named as in the folder ``page``; the template has places for ``title``, ``policy``, ``style``, ``data``, ``script``.
    The script finds the title and the palette among the data.
    """
    title = title.encode(errors="replace").decode()  # the name of a file need not be UTF-8
    style = "\n".join(_asset(name) for name in styles)
    code = bundle(script, _asset)
    palette = {"light": PALETTE, "dark": PALETTE_ON_DARK}
    # img-src: the page's own script makes images, the cells of a matrix and what becomes a PNG; nothing can be requested by them
    policy = (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(style)}'; img-src blob: data:; base-uri 'none'; "
        "form-action 'none'"
    )
    parts = {
        "title": html.escape(title),
        "policy": html.escape(policy, quote=True),
        "style": style,
        "data": as_json({"title": title, "palette": palette, **data}),
        "script": code,
    }
    # in one pass: text that is put in is not searched for places again
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], _asset(template))


def keep_other_files(path: str | Path, overwrite: bool) -> None:
    """Raise an error if a page would replace a file that is not a page of actalike, unless ``overwrite`` says so."""
    if overwrite or not Path(path).is_file():
        return
    beginning = _asset("report/page.html").partition("{{")[0].encode()
    try:
        with Path(path).open("rb") as file:
            present = file.read(len(beginning))
    except OSError as error:
        raise ActalikeError(cannot_read(path, error)) from None
    if present not in (b"", beginning):
        raise ActalikeError(
            f"{path} exists already and is not a page of actalike: choose another path, or give overwrite=True to replace it. "
            "Nothing was written."
        )


def as_json(data: Any) -> str:
    """Return JSON that can stand in a script element: nothing in it can end the element or begin another one.

    >>> as_json({"label": "</script>&"})
    '{"label":"\\\\u003c/script\\\\u003e\\\\u0026"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _asset(name: str) -> str:
    return (files("actalike") / "report" / "page" / name).read_text(encoding="utf-8")


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """Return one script with the module ``entry`` and all modules that it imports; ``read`` returns the text of a path.

    >>> modules = {"main.js": 'import { a } from "./a.js";\\nalert(a);\\n', "a.js": "export const a = 1;\\n"}
    >>> print(bundle("main.js", modules.__getitem__))
    "use strict";
    // a.js
    const $a$ = (() => {
    const a = 1;
    return { a };
    })();
    // main.js
    (() => {
    const { a } = $a$;
    alert(a);
    })();
    <BLANKLINE>
    """
    modules: dict[str, _Module] = {}
    _collect(entry, read, modules, ())
    if modules[entry].exports:
        raise ActalikeError(f"{entry} begins the page, so nothing can import what it exports.")
    parts = ['"use strict";\n', *(_wrapped(path, module) for path, module in modules.items())]
    return "".join(parts)


def _collect(path: str, read: Callable[[str], str], modules: dict[str, _Module], importers: tuple[str, ...]) -> None:
    """Add a module to ``modules`` after all those that it imports."""
    if path in importers:
        circle = " -> ".join([*importers[importers.index(path) :], path])
        raise ActalikeError(f"Modules import each other in a circle: {circle}.")
    if path in modules:
        return
    try:
        text = read(path)
    except (KeyError, OSError):
        by = f"which {importers[-1]} imports, " if importers else ""
        raise ActalikeError(f"There is no module {path}, {by}".rstrip(", ") + ".") from None
    module = _parsed(path, text)
    for imported, names in module.imports:
        _collect(imported, read, modules, (*importers, path))
        for name, _ in names:
            if name not in modules[imported].exports:
                raise ActalikeError(f"{path} imports {name} from {imported}, which does not export it.")
    modules[path] = module


def _parsed(path: str, text: str) -> _Module:
    """Return the imports, the exports and the rest of a module."""
    imports = [(_resolved(path, match[2]), _names(path, match[1])) for match in _IMPORT.finditer(text)]
    names = [local for _, pairs in imports for _, local in pairs]
    exports = [match[1] or match[2] or match[3] for match in _EXPORT.finditer(text)]
    body = _EXPORT.sub("", _IMPORT.sub(lambda match: "\n" * match[0].count("\n"), text))
    if found := _UNSUPPORTED.search(body):
        line = body.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1
        raise ActalikeError(f"{path}, line {line}: the bundler does not understand {found[0].strip()!r}.")
    if len(set(names)) < len(names):
        raise ActalikeError(f"{path} imports a name twice.")
    if re.search("</script|<!--", text, re.IGNORECASE):
        raise ActalikeError(f"{path} contains '</script' or '<!--', which cannot stand in a script of a page.")
    return _Module(imports, exports, body.lstrip("\n"))


def _names(path: str, text: str) -> list[tuple[str, str]]:
    """Return the names of an import, there and here."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    matches = [_NAME.fullmatch(part) for part in parts]
    if not parts or None in matches:
        raise ActalikeError(f"{path}: the bundler does not understand the import of {text.strip()!r}.")
    return [(match[1], match[2] or match[1]) for match in matches if match]


def _resolved(path: str, relative: str) -> str:
    """Return the path of a module that another one imports."""
    resolved = posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))
    if resolved.startswith(".."):
        raise ActalikeError(f"{path} imports {relative}, which is outside of the page's folder.")
    return resolved


def _wrapped(path: str, module: _Module) -> str:
    """Return a module as a function that is called at once, and that returns the exports."""
    imports = "".join(
        f"const {{ {', '.join(name if name == local else f'{name}: {local}' for name, local in names)} }} = {_variable(other)};\n"
        for other, names in module.imports
    )
    if not module.exports:
        return f"// {path}\n(() => {{\n{imports}{module.body}\n}})();\n"
    exports = f"return {{ {', '.join(module.exports)} }};\n"
    return f"// {path}\nconst {_variable(path)} = (() => {{\n{imports}{module.body}\n{exports}}})();\n"


def _variable(path: str) -> str:
    """Return the name of a module's exports.

    >>> _variable("shared/text_width.js")
    '$shared$text_width$'
    """
    return "$" + re.sub(r"\W", "$", path.removesuffix(".js")) + "$"
