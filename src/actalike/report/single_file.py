"""Pages that are one file and need nothing else: style, data and script stand in them.

Labels and other contents of a log are untrusted. They stand in the page as JSON only, and the scripts put them into the document
as text. The policy of a page allows its own script and style, by their hashes, and no request whatsoever.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from actalike.errors import ActalikeError
from actalike.report.bundle import bundle
from actalike.support.figures import PALETTE, PALETTE_ON_DARK
from actalike.support.files import cannot_read


def single_file(template: str, styles: Sequence[str], script: str, data: Mapping[str, Any], title: str) -> str:
    """Return the page made of a template, style sheets, a script with all that it imports, and the data that it shows.

    All are named as in the folder ``page``; the template has places for ``title``, ``policy``, ``style``, ``data``, ``script``.
    The script finds the title and the palette among the data.
    """
    title = title.encode(errors="replace").decode()  # the name of a file need not be UTF-8
    style = "\n".join(_asset(name) for name in styles)
    code = bundle(script, _asset)
    palette = {"light": PALETTE, "dark": PALETTE_ON_DARK}
    # img-src blob: a picture becomes a PNG by way of an image that the page's own script has made; nothing can be requested by it
    policy = (
        f"default-src 'none'; script-src '{_hash(code)}'; style-src '{_hash(style)}'; img-src blob:; base-uri 'none'; "
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
    """Raise an error if a page would replace a file that is no page of actalike, unless ``overwrite`` says so."""
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
            f"{path} exists already and is no page of actalike: choose another path, or give overwrite=True to replace it. "
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
