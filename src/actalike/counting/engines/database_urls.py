"""Understand the address of a database, and show it without what is secret in it."""

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from actalike.errors import ActalikeError

FILES = ("duckdb", "sqlite")  # databases that are a file of this machine
_SCHEMES = {"postgresql": "postgres"}
_SHORT = 3
_EXAMPLE = "postgres://user@host:5432/database"


class DatabaseUrl(NamedTuple):
    """Hold an address: ``url`` as it was given, the ``kind`` of database, ``shown`` for messages, and its secrets."""

    url: str
    kind: str
    shown: str
    secrets: tuple[str, ...]

    @property
    def path(self) -> Path | None:
        """Return the file of a database of this machine, None for a server."""
        if self.kind not in FILES:
            return None
        parts = urlsplit(self.url)
        return Path(unquote(parts.netloc + parts.path))

    def hide(self, text: str) -> str:
        """Return a text, such as a driver's message, with three stars in place of each secret.

        A secret of up to three letters is hidden only where an address or an option has one: it is also a part of many words.
        """
        for secret in sorted(self.secrets, key=len, reverse=True):  # one may be a part of another
            if len(secret) > _SHORT:
                text = text.replace(secret, "***")
            else:
                text = re.sub(rf"([:=]['\"]?){re.escape(secret)}(?![^@&\s'\",;)])", r"\1***", text)
        return text


def read_url(url: str) -> DatabaseUrl:
    """Take an address apart. What is shown of it has neither the password nor the options after the question mark.

    >>> read_url("postgres://me:secret@db.example/shop?sslmode=require").shown
    'postgres://me@db.example/shop'

    A password with a slash, say, would be taken for something else and shown, so nothing of such an address is:

    >>> read_url("postgres://me:se/cret@db.example/shop")
    Traceback (most recent call last):
    actalike.errors.ActalikeError: The address of the database (--url) is not like postgres://user@host:5432/database. Write
    special characters of a user or password as percent codes, such as %40 for @ and %2F for /; it is not shown here, because it
    may hold a password.
    """
    try:
        parts = urlsplit(url)
        is_clear = bool(parts.scheme and url[len(parts.scheme) :].startswith("://")) and (parts.port is None or parts.port > 0)
    except ValueError:
        is_clear = False
    if (
        not is_clear
        or parts.fragment
        or "@" in parts.path + parts.query
        or parts.netloc.count("@") > 1
        or not (parts.netloc or parts.path.strip("/"))
    ):
        raise ActalikeError(
            f"The address of the database (--url) is not like {_EXAMPLE}. Write special characters of a user or password as "
            "percent codes, such as %40 for @ and %2F for /; it is not shown here, because it may hold a password."
        )
    kind = _SCHEMES.get(parts.scheme, parts.scheme)
    if kind in FILES and ("@" in parts.netloc or parts.query):
        raise ActalikeError(f"The address of a file (--url) is {kind}:///folder/file, with no user and no options after it.")
    return DatabaseUrl(url, kind, _shown(parts), _secrets(parts))


def _shown(parts: SplitResult) -> str:
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{parts.netloc.rpartition('@')[2]}{parts.path}"


def _secrets(parts: SplitResult) -> tuple[str, ...]:
    """Return the password and the values of options, as written and as meant, unless they are names that are shown anyway."""
    given = [parts.password or "", *(value for _, value in parse_qsl(parts.query))]
    public = {parts.username, parts.hostname, parts.path.strip("/"), "", *("require", "disable", "prefer", "allow")}
    return tuple({text for value in given for text in (value, unquote(value)) if text not in public})
