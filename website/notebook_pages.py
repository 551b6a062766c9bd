"""Make the pages of notebooks a part of the site: they fetch nothing, and their links lead to other pages."""

import posixpath
import re
from typing import Any

SCRIPT = re.compile(r"<script\b[^>]*>.*?</script>", re.DOTALL)
FETCHING = re.compile(r"mathjax|mermaid", re.IGNORECASE)  # for formulas and diagrams, which no notebook has
LINK = re.compile(r'(?<=<a href=")(?![a-z]+:|#)([^"#]+)')


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Mend the page of a notebook (an event of mkdocs)."""
    if not page.file.src_uri.endswith(".ipynb"):
        return html

    def target(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[1]))
        if path.startswith("../"):  # it is no part of the site
            return f"{config.extra['repository']}/blob/main/{path[3:]}"
        file = files.get_file_from_path(path)
        return link[0] if file is None else file.url_relative_to(page.file)

    return LINK.sub(target, without_fetching(html))


def without_fetching(html: str) -> str:
    """Return a page without the scripts that load MathJax or Mermaid.

    >>> without_fetching('<p>1</p><script src="https://host/MathJax.js"></script><script>mine()</script>')
    '<p>1</p><script>mine()</script>'
    """
    return SCRIPT.sub(lambda script: "" if FETCHING.search(script[0]) else script[0], html)
