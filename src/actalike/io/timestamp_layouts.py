"""Guess the layout of a timestamp that is not ISO 8601, to name it in an error. A date is never read by a guess."""

import re
from collections.abc import Sequence
from itertools import product

import polars as pl

from actalike.io.timestamps import check_layout, parse_series_as

_DATES = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y.%m.%d", "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d",
    "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%b %d, %Y", "%d-%b-%y",
)  # fmt: skip
_BETWEEN = (" ", "T", ", ", "")
_TIMES = ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%H.%M", "%H.%M.%S", "%H%M", "%H%M%S")
_ZONES = ("", "%z", " %z")
_PARTS = {
    "%d": r"\d\d?", "%m": r"\d\d?", "%Y": r"\d{4}", "%y": r"\d\d", "%H": r"\d\d?", "%I": r"\d\d?", "%M": r"\d\d", "%S": r"\d\d",
    "%f": r"\d{1,9}", "%p": "[AaPp][Mm]", "%b": "[A-Za-z]{3}", "%B": "[A-Za-z]{4,}", "%z": r"[+-]\d\d:?\d\d",
}  # fmt: skip


def likely_layouts(text: str) -> list[str]:
    """Return the layouts by which a text is a timestamp, in the notation of ``timestamp_format``; none if it is something else.

    >>> likely_layouts("31.12.2024 13:45"), likely_layouts("01/02/2024"), likely_layouts("soon")
    (['%d.%m.%Y %H:%M'], ['%d/%m/%Y', '%m/%d/%Y'], [])
    """
    if number := re.fullmatch(r"(?:\d{9,10}|(\d{13}))(?:\.\d+)?", text, re.ASCII):  # seconds or milliseconds since 1970
        return ["%Q" if number[1] else "%s"]
    dates = [date for date in _DATES if re.match(_pattern(date), text, re.ASCII)]
    with_times = ("".join(parts) for parts in product(dates, _BETWEEN, _TIMES, _ZONES))
    return [layout for layout in (*dates, *with_times) if re.fullmatch(_pattern(layout), text, re.ASCII) and _fits(text, layout)]


def fitting_layouts(layouts: Sequence[str], column: pl.Series | None) -> list[str]:
    """Return those of the layouts that read all values of a column; all of them if there is none.

    >>> fitting_layouts(["%d/%m/%Y", "%m/%d/%Y"], pl.Series(["01/02/2024", "01/13/2024"]))
    ['%m/%d/%Y']
    """
    if column is None:
        return list(layouts)
    values = column.drop_nulls().unique()
    return [layout for layout in layouts if parse_series_as(values, check_layout(layout))[1] is None]


def _pattern(layout: str) -> str:
    return re.sub(r"%.", lambda part: _PARTS[part[0]], layout.replace(".", r"\."))


def _fits(text: str, layout: str) -> bool:
    zone = "UTC" if "%z" in layout else None
    times = pl.Series([text]).str.to_datetime(layout.replace(".%f", "%.f"), time_zone=zone, time_unit="us", strict=False)
    return times.null_count() == 0


def layout_advice(text: str, column: pl.Series | None = None) -> str:
    """Return what to do about a timestamp that is not ISO 8601, for an error; the ``column`` that it is from may settle which."""
    likely = likely_layouts(text)
    layouts = [f"'{layout}'" for layout in (fitting_layouts(likely, column) or likely)[:3]]
    if len(layouts) > 1:
        return f"It can be read in several ways: say which with timestamp_format=... (--timestamp-format {' or '.join(layouts)})"
    example = layouts[0] if layouts else "'%d.%m.%Y %H:%M', '%s' for seconds since 1970, '%Q' for milliseconds"
    return f"Give the layout with timestamp_format=... (--timestamp-format {example})"
