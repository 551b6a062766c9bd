"""Let pages be in the site what they are on GitHub: links lead out of docs/ too, and foldable parts hold Markdown."""

import posixpath
import re
from pathlib import Path
from typing import Any

LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|/)([^)#\s]+)(#[^)\s]*)?(?=\))")
BRANCH = "main"


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Rewrite the links and foldable parts of a page (an event of mkdocs)."""
    return with_outward_links(
        with_foldable_markdown(markdown), page.file.src_uri, Path(config.docs_dir), config.extra["repository"]
    )


def with_outward_links(markdown: str, page: str, docs: Path, repository: str) -> str:
    """Return a page with its links to folders, and to files outside ``docs``, leading into the repository.

    >>> docs = Path("docs").absolute()
    >>> with_outward_links("[code](../src/actalike/errors.py)", "kin.md", docs, "https://host/repo")
    '[code](https://host/repo/blob/main/src/actalike/errors.py)'
    >>> with_outward_links("[kin](../kin.md#centred-kin)", "howto/vectors.md", docs, "https://host/repo")
    '[kin](../kin.md#centred-kin)'
    """

    def target(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(docs.name, posixpath.dirname(page), link[1]))
        is_folder = (docs.parent / path).is_dir()
        if path.startswith(f"{docs.name}/") and not is_folder:
            return link[0]
        return f"{repository}/{'tree' if is_folder else 'blob'}/{BRANCH}/{path}{link[2] or ''}"

    return LINK.sub(target, markdown)


def with_foldable_markdown(markdown: str) -> str:
    """Return a page whose foldable parts are read as Markdown, which only GitHub does unasked.

    >>> with_foldable_markdown("<details><summary>All</summary>")
    '<details markdown><summary>All</summary>'
    """
    return markdown.replace("<details>", "<details markdown>")
