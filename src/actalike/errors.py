"""The one family of errors: every message names the place, the cause and the remedy."""

from collections.abc import Iterable
from difflib import get_close_matches


class ActalikeError(Exception):
    """Something a user can mend. The command line prints its message and exits with 1."""


class LogError(ActalikeError):
    """A log that cannot be read whole. Nothing of it was read."""


class UnknownActivityError(ActalikeError, KeyError):
    """An activity that does not occur."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class UnknownMethodError(ActalikeError, ValueError):
    """A method name that nobody registered."""


class MissingExtraError(ActalikeError, ImportError):
    """A method that needs a package which is not installed."""


class FileFormatError(ActalikeError):
    """A saved file that is not whole, not ours, or newer than this version."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question that offers the closest known words, or nothing.

    >>> did_you_mean("chek invoice", ["Check invoice", "Pay"])
    " Did you mean 'Check invoice'?"
    """
    by_lower: dict[str, str] = {}
    for candidate in known:
        by_lower.setdefault(candidate.lower(), candidate)
    close = [by_lower[match] for match in get_close_matches(word.lower(), by_lower, n=3, cutoff=0.5)]
    return f" Did you mean {' or '.join(repr(match) for match in close)}?" if close else ""
