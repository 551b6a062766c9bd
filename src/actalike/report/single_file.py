"""Pages that are one file and need nothing else: style, data and script stand in them.

What they show is untrusted: it stands in the page as JSON only, and the scripts put it into the document as text. The policy of a
page allows its own script and style, by their hashes, and no request whatsoever.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any


def single_file(template: str, styles: Sequence[str], scripts: Sequence[str], data: Any, title: str) -> str:
    """The page made of a template, style sheets, scripts (in this order, as one) and the data that they show.

    All are named as in the folder ``page``; the template has places for ``title``, ``policy``, ``style``, ``data``, ``script``.
    """
    style = "\n".join(_asset(name) for name in styles)
    script = '"use strict";\n(() => {\n' + "\n".join(_asset(name) for name in scripts) + "})();\n"
    policy = f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    parts = {
        "title": html.escape(title),
        "policy": html.escape(policy, quote=True),
        "style": style,
        "data": as_json(data),
        "script": script,
    }
    # in one go: what is put in is not looked at again, whatever it contains
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], _asset(template))


def as_json(data: Any) -> str:
    """JSON that can stand in a script element: nothing in it can end the element, or begin anything.

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
