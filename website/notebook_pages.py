"""Keep the pages of notebooks from fetching anything: they hold no formulas and no diagrams, for which scripts would be loaded."""

import re
from typing import Any

SCRIPT = re.compile(r"<script\b[^>]*>.*?</script>", re.DOTALL)
FETCHING = re.compile(r"mathjax|mermaid", re.IGNORECASE)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Take the loading scripts out of a notebook (an event of mkdocs)."""
    return without_fetching(html) if page.file.src_uri.endswith(".ipynb") else html


def without_fetching(html: str) -> str:
    """Return a page without the scripts that load MathJax or Mermaid.

    >>> without_fetching('<p>1</p><script src="https://host/MathJax.js"></script><script>mine()</script>')
    '<p>1</p><script>mine()</script>'
    """
    return SCRIPT.sub(lambda script: "" if FETCHING.search(script[0]) else script[0], html)
