"""Show the examples of docstrings as code: Markdown would take ``>>>`` for a quotation in a quotation in a quotation."""

import re
from typing import Any

from griffe import Extension

EXAMPLE = re.compile(r"^( *)>>> .*\n?(?:^[ ]*\S.*\n?)*", re.MULTILINE)
ROLE = re.compile(r":(?:class|func|meth|mod|attr|data):`~?([^`]+)`")


class DocstringExamples(Extension):
    """Fence the examples of every docstring that is read."""

    def on_object(self, *, obj: Any, **kwargs: Any) -> None:
        """Rewrite the docstring of a function, class, attribute or module."""
        if obj.docstring:
            obj.docstring.value = with_fences(obj.docstring.value)


def with_fences(docstring: str) -> str:
    """Return a docstring in Markdown: its examples are blocks of code, its references to names are code.

    >>> with_fences("See :func:`sum`.\\n\\n>>> 1 + 1\\n2")
    'See `sum`.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n'
    """

    def fenced(example: re.Match[str]) -> str:
        text = example[0].rstrip("\n").replace("\n<BLANKLINE>", "\n")
        return f"{example[1]}```pycon\n{text}\n{example[1]}```\n"

    return ROLE.sub(r"`\1`", EXAMPLE.sub(fenced, docstring))
