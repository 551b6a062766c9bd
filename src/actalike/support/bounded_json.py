"""Parse JSON that may have been written to do harm: within bounds of depth, count and size, and strictly.

Python's own parser takes ``NaN`` and ``Infinity``, whole numbers of any length, a key twice and halves of characters; each of
them can make trouble far away from where it was read.
"""

import json
import math
import re
from typing import Any, NoReturn

import numpy as np

MOST_LEVELS = 16  # lists and objects inside each other
MOST_CONTAINERS = 250_000  # lists and objects in all: each needs 20 times the memory that it takes in the file

HALF_CHARACTER = re.compile("[\ud800-\udfff]")


def parse_json(text: str) -> Any:
    """Return what a JSON text says, or raise a ValueError that says which bound it breaks.

    >>> parse_json('{"format": 1}')
    {'format': 1}
    >>> parse_json('{"format": Infinity}')
    Traceback (most recent call last):
    ValueError: Infinity is no number of JSON
    """
    check_nesting(text)
    try:
        value = json.loads(text, cls=StrictDecoder)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON at character {error.pos + 1:,}") from None
    if "\\ud" in text or "\\uD" in text:  # only an escape can stand for half a character
        check_characters(value)
    return value


class StrictDecoder(json.JSONDecoder):
    """Decode JSON as the standard library does, but refuse constants, large numbers and repeated keys with a ValueError.

    >>> StrictDecoder().raw_decode('{"a": 1} and more')
    ({'a': 1}, 8)
    """

    def __init__(self) -> None:
        super().__init__(
            parse_int=_whole_number, parse_float=_number, parse_constant=_refuse_constant, object_pairs_hook=_distinct_keys
        )


def check_nesting(text: str, first_only: bool = False) -> None:
    """Raise an error if there are too many lists and objects, or too many inside each other.

    With ``first_only``, the text begins with a list or an object, and what follows its last bracket does not count.

    >>> check_nesting("[]" + "[" * 17, first_only=True)

    Without escaped characters, every other quote ends a text. This holds up to the first mistake in the JSON, where the parser
    stops. It takes a few bytes for each character, whatever they are.
    """
    codes = np.frombuffer(text.encode("utf-8").replace(rb"\\", b"").replace(rb"\"", b""), dtype=np.uint8)
    outside = np.cumsum(codes == ord('"'), dtype=np.uint8) % 2 == 0  # the sums overflow, and stay even or odd
    braces = codes | 0x20  # the code of [ becomes that of {, and of ] that of }
    opens, closes = outside & (braces == ord("{")), outside & (braces == ord("}"))
    steps = np.where(opens[opens | closes][: 2 * MOST_CONTAINERS + 1], 1, -1)  # as many brackets as are allowed, and one more
    depth = np.cumsum(steps)
    if first_only:
        ends = np.flatnonzero(depth <= 0)
        steps, depth = (each[: ends[0] + 1] if len(ends) else each for each in (steps, depth))
    if max((steps > 0).sum(), (steps < 0).sum()) > MOST_CONTAINERS:
        raise ValueError(f"it has more than {MOST_CONTAINERS:,} lists and objects")
    if depth.max(initial=0) > MOST_LEVELS:
        raise ValueError(f"its lists and objects are nested more than {MOST_LEVELS} deep")


def _whole_number(text: str) -> int:
    """Return a whole number of up to 64 bits."""
    if len(text) > 20 or not -(2**63) <= int(text) < 2**63:
        raise ValueError(f"the whole number {text[:20]} has more than 64 bits")
    return int(text)


def _number(text: str) -> float:
    """Return a finite number."""
    if len(text) > 100 or not math.isfinite(float(text)):
        raise ValueError(f"the number {text[:20]} is too long or too large")
    return float(text)


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _distinct_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or raise an error if it has a key twice."""
    distinct = dict(pairs)
    if len(distinct) < len(pairs):
        raise ValueError("an object has a key twice")
    return distinct


def check_characters(value: Any) -> None:
    """Raise an error if a text holds half a character (a lone surrogate), which no file and no terminal can show."""
    if isinstance(value, str):
        if not value.isascii() and HALF_CHARACTER.search(value):
            raise ValueError(f"{value[:40]!r} contains half a character (a lone surrogate)")
    elif isinstance(value, dict):
        check_characters([*value, *value.values()])
    elif isinstance(value, list):
        for item in value:
            check_characters(item)
