"""Define the exceptions of the package. Every message names the position, the cause and the remedy."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST_WORD = 500  # that is compared with others, which takes time
_MOST_CHARACTERS = 2000  # of a message; its beginning says what is wrong, and its end what to do


class ActalikeError(Exception):
    """Report a problem that a user can solve. The command line prints the message and exits with status 1.

    A message may quote what a file holds, which may be of any length: the middle of a long one is left out.
    """

    def __init__(self, *arguments: object) -> None:
        super().__init__(
            *(shortened(argument, _MOST_CHARACTERS) if isinstance(argument, str) else argument for argument in arguments)
        )


class LogError(ActalikeError):
    """Report a log that cannot be read completely. No part of it was read."""


class EngineError(LogError):
    """Report a query that an engine (DuckDB, Spark, ...) did not finish. Nothing was counted.

    The engine's own exception is its cause (``error.__cause__``).
    """


class UnknownActivityError(ActalikeError, KeyError):
    """Report an activity that does not occur in the log or the embedding."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class UnknownMethodError(ActalikeError, ValueError):
    """Report a method name that is not registered."""


class MissingExtraError(ActalikeError, ImportError):
    """Report a package that is needed and not installed."""


class FileFormatError(ActalikeError):
    """Report a saved file that is incomplete, written by another program, or newer than this version."""


def shortened(text: str, most: int = 80) -> str:
    """Return a string without its middle if it has more than ``most`` characters.

    >>> shortened("abcdefghij", 5), shortened("abcde", 5)
    ('ab ... ij', 'abcde')
    """
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-(most // 2) :]}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that offers the closest known words; an empty string if none is close.

    >>> did_you_mean("chek invoice", ["Check invoice", "Pay"])
    " Did you mean 'Check invoice'?"
    """
    if len(word) > _LONGEST_WORD:
        return ""
    by_lower: dict[str, str] = {}
    for candidate in known:
        if len(candidate) <= _LONGEST_WORD:
            by_lower.setdefault(candidate.lower(), candidate)
    close = [by_lower[match] for match in get_close_matches(word.lower(), by_lower, n=3, cutoff=0.6)]
    return f" Did you mean {' or '.join(repr(match) for match in close)}?" if close else ""
