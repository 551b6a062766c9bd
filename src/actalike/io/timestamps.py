"""Parse timestamps, many at a time: ISO 8601, or a layout that the user gives.

Timestamps become microseconds since 1970 in UTC. One without a zone is taken as UTC. The nanoseconds left over only decide which
event comes first; further digits are cut off. Leap seconds (23:59:60), and times outside the years 1 to 9999 in UTC, are invalid.
"""

import re
from collections.abc import Sequence
from itertools import product
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError, shortened

TimestampFormat = str | Sequence[str] | None  # one layout or several; None for ISO 8601

NO_TIME = np.iinfo(np.int64).min  # numpy's own value for "not a time"
FIRST_TIME, LAST_TIME = -62_135_596_800_000_000, 253_402_300_799_999_999  # the years 1 to 9999
_YEAR_1000 = -30_610_224_000_000_000

ISO = "iso"  # among several layouts
EPOCH_LAYOUTS = {"%s": 6, "%Q": 3}  # seconds and milliseconds since 1970, with the digits that make them microseconds
_MOST_DIGITS = 17  # of microseconds since 1970: up to the year 5138

_LAYOUT = re.compile(
    r"(?P<year>\d{4})(?P<dash>[-/])(?P<month>\d\d)(?P=dash)(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9})\d*)?)?"
    r" ?(?P<zone>[Zz]|(?P<sign>[+-])(?P<zone_hour>\d\d):?(?P<zone_minute>\d\d)?)?)?"
)
_ISO_SHAPE = "^(?:" + _LAYOUT.pattern.replace("(?P=dash)", "[-/]").replace(r"\d", "[0-9]") + ")$"  # as Polars reads patterns

_DATES = (
    "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y.%m.%d", "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d",
    "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%b %d, %Y", "%d-%b-%y",
)  # fmt: skip
_BETWEEN = (" ", "T", ", ", "")
_TIMES = ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p", "%H.%M", "%H.%M.%S", "%H%M", "%H%M%S")
_ZONES = ("", "%z", " %z")
_PARTS = {
    "%d": r"\d\d?", "%m": r"\d\d?", "%Y": r"\d{4}", "%y": r"\d\d", "%H": r"\d\d?", "%I": r"\d\d?", "%M": r"\d\d", "%S": r"\d\d",
    "%f": r"\d+", "%p": "[AaPp][Mm]", "%b": "[A-Za-z]{3}", "%B": "[A-Za-z]{4,}", "%z": r"[+-]\d\d:?\d\d",
}  # fmt: skip
_KINDS_OF_DATES = 4  # layouts that one column is tried for
_VALUES_TRIED = 30  # that fit no layout, before the search is given up


class DatedRows(NamedTuple):
    """Hold how many rows of a column are timestamps in which layouts; none fits if ``layouts`` is empty."""

    layouts: tuple[str, ...]
    rows: int
    example: str


def parse_timestamps(
    buffer: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int | None, NDArray[np.int16]]:
    """Parse the timestamps at ``buffer[starts[i]:ends[i]]``.

    Return the microseconds, the index of the first invalid one, or None, and the nanoseconds beyond the microseconds.

    An invalid one is NO_TIME if it is not a timestamp at all; otherwise it is outside the years 1 to 9999.

    The timestamps of a log have one layout or a few. Those with the layout of the first are parsed together, column by column,
    then those with the layout of the first that remains, and so on.

    >>> text = np.frombuffer(b"1970-01-01T00:00:01+00:00|1970-01-01 01:00|soon", dtype=np.uint8)
    >>> parse_timestamps(text, np.array([0, 26, 43]), np.array([25, 42, 47]))[0][:2].tolist()
    [1000000, 3600000000]
    >>> parse_timestamps(text, np.array([0, 26, 43]), np.array([25, 42, 47]))[1]
    2
    """
    values = np.full(len(starts), NO_TIME, dtype=np.int64)
    nanos = np.zeros(len(starts), dtype=np.int16)
    remaining = np.arange(len(starts))
    lengths = ends - starts
    wrong: list[int] = []
    while len(remaining):
        first = remaining[0]
        sample = buffer[starts[first] : ends[first]].tobytes()
        layout = _LAYOUT.fullmatch(sample.decode("latin-1")) if sample.isascii() else None
        if layout is None:
            wrong.append(int(first))
            break
        equal_length = remaining[lengths[remaining] == len(sample)]
        text = _characters(buffer, starts[equal_length], len(sample))
        same_layout = _has_layout(text, layout)
        rows = equal_length
        if not same_layout.all():
            rows, text = equal_length[same_layout], text[:, same_layout]
        values[rows], valid, nanos[rows] = _read_layout(text, layout)
        if not valid.all():
            wrong.append(int(rows[~valid][0]))
        if len(rows) == len(remaining):
            break
        remaining = remaining[~np.isin(remaining, rows, assume_unique=True)]
    return values, min(wrong, default=None), nanos


def _characters(buffer: NDArray[np.uint8], starts: NDArray[np.int64], length: int) -> NDArray[np.uint8]:
    """Return a row for each position in strings of equal length, which are parsed position by position."""
    if len(buffer) == len(starts) * length and (np.diff(starts) == length).all():  # one text after the other
        return np.ascontiguousarray(buffer.reshape(len(starts), length).T)
    return buffer[starts + np.arange(length)[:, np.newaxis]]


def _has_layout(text: NDArray[np.uint8], layout: re.Match[str]) -> NDArray[np.bool_]:
    """Return for each column of ``text`` whether it has digits, signs and other characters where ``layout`` has them."""
    matches = np.ones(text.shape[1], dtype=bool)
    for place, (sample, row) in enumerate(zip(layout.string.encode(), text, strict=True)):
        if layout["sign"] and place == layout.start("sign"):
            matches &= (row == ord("+")) | (row == ord("-"))
        elif ord("0") <= sample <= ord("9"):
            matches &= row - np.uint8(ord("0")) <= 9  # what is smaller than a zero wraps around
        else:
            matches &= row == sample
    return matches


def _read_layout(
    text: NDArray[np.uint8], layout: re.Match[str]
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.int32] | int]:
    """Return the timestamps of columns that have a layout: microseconds, whether each is valid, and the nanoseconds beyond them.

    An invalid one is NO_TIME, unless only its zone makes it invalid.
    """

    def number(field: str) -> NDArray[np.int32]:
        total = np.zeros(text.shape[1], dtype=np.int32)  # nine digits at most
        if layout[field]:
            for place in range(*layout.span(field)):
                total = total * np.int32(10) + (text[place] - np.uint8(ord("0")))
        return total

    year, month, day = number("year"), number("month"), number("day")
    hour, minute, second = number("hour"), number("minute"), number("second")
    zone_hour, zone_minute = number("zone_hour"), number("zone_minute")
    months = (year - 1970) * 12 + month - 1
    earliest = months.min()  # the calendar is asked once for each month between the first and the last
    all_months = np.arange(earliest, months.max() + 2, dtype=np.int64)
    first_days = all_months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    first_day, next_month = first_days[months - earliest], first_days[months - earliest + 1]
    valid = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= next_month - first_day)
    valid &= (hour < 24) & (minute < 60) & (second < 60) & (zone_hour < 24) & (zone_minute < 60)
    seconds = (first_day + day - 1) * 86_400 + ((hour * 60 + minute) * 60 + second)
    if layout["sign"]:
        sign = np.where(text[layout.start("sign")] == ord("+"), np.int32(1), np.int32(-1))
        seconds -= sign * (zone_hour * 60 + zone_minute) * 60
    micros = seconds * 1_000_000
    nanos: NDArray[np.int32] | int = 0
    digits = len(layout["fraction"] or "")
    if digits > 6:
        beyond_seconds = number("fraction") * 10 ** (9 - digits)
        micros += beyond_seconds // 1000
        nanos = beyond_seconds % 1000
    elif digits:
        micros += number("fraction") * 10 ** (6 - digits)
    if not valid.all():
        micros[~valid] = NO_TIME
    return micros, valid & ~outside_years(micros) if layout["sign"] else valid, nanos


def outside_years(times: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which timestamps are outside the years 1 to 9999; NO_TIME is not.

    >>> outside_years(np.array([NO_TIME, FIRST_TIME - 1, FIRST_TIME, LAST_TIME, LAST_TIME + 1])).tolist()
    [False, True, False, False, True]
    """
    return ((times < FIRST_TIME) & (times != NO_TIME)) | (times > LAST_TIME)


def parse_series(texts: pl.Series, layouts: Sequence[str] = ()) -> tuple[NDArray[np.int64], int | None, NDArray[np.int16]]:
    """Parse a column of timestamps, in which null means none: in ISO 8601, or in the layouts of :func:`check_layouts`.

    Return the microseconds, the row of the first invalid one, or None, and the nanoseconds beyond the microseconds. Of several
    layouts, each value must fit one; a value that is different times by two of them is invalid.

    >>> parse_series(pl.Series(["1970-01-01T00:00:00.5Z", None]))[0].tolist() == [500000, NO_TIME]
    True
    >>> parse_series(pl.Series(["31/12/1969", "01/13/1970", "01/02/1970"]), ["%d/%m/%Y", "%m/%d/%Y"])[1]
    2
    """
    if len(layouts) == 1:
        micros, nanos = _parse_layout(texts, layouts[0])
    elif layouts:
        micros, nanos = _parse_any(texts, layouts)
    else:
        return _parse_iso(texts)
    wrong = np.flatnonzero(((micros == NO_TIME) & texts.is_not_null().to_numpy()) | outside_years(micros))
    return micros, int(wrong[0]) if len(wrong) else None, nanos


def _parse_any(texts: pl.Series, layouts: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Parse each value in the layout that fits it; it is NO_TIME if none does, or if two give different times."""
    micros, nanos = _parse_layout(texts, layouts[0])
    differs = np.zeros(len(texts), dtype=bool)
    for layout in layouts[1:]:
        others, other_nanos = _parse_layout(texts, layout)
        fits, known = others != NO_TIME, micros != NO_TIME
        differs |= fits & known & ((others != micros) | (other_nanos != nanos))
        micros, nanos = np.where(known, micros, others), np.where(known, nanos, other_nanos)
    micros[differs] = NO_TIME
    return micros, nanos


def _parse_layout(texts: pl.Series, layout: str) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Return the microseconds of a column in one layout, NO_TIME for other values, and the nanoseconds beyond them."""
    if layout == ISO:
        # parsing stops at the first string that is not a timestamp, so these are taken out first
        is_iso = texts.str.contains(_ISO_SHAPE) & ~texts.str.contains(r"^\d{4}(?:-\d\d/|/\d\d-)")
        micros, _, nanos = _parse_iso(pl.select(pl.when(is_iso).then(texts)).to_series())
        return micros, nanos
    if layout in EPOCH_LAYOUTS:
        return _parse_epoch(texts, EPOCH_LAYOUTS[layout])
    times = _parse_as(texts, layout, "us")
    micros = times.fill_null(NO_TIME).to_numpy(writable=True)
    # Polars takes second 60 for the next minute, and 31.12.24 with %Y for a day of the year 24
    is_short_year = (micros < _YEAR_1000) & ~texts.str.contains(r"\d{4}").fill_null(value=True).to_numpy()
    micros[is_short_year | texts.str.contains(r":60(?:\D|$)").fill_null(value=False).to_numpy()] = NO_TIME
    nanos = np.zeros(len(micros), dtype=np.int16)
    if ("f" in layout or "%+" in layout) and texts.str.contains(r"\d{7}").any():
        # in nanoseconds, years far from 1970 wrap around, and so does the product: the difference is right nevertheless
        nanos = (_parse_as(texts, layout, "ns").fill_null(0).to_numpy() - times.fill_null(0).to_numpy() * 1000).astype(np.int16)
    return micros, nanos


def _parse_iso(texts: pl.Series) -> tuple[NDArray[np.int64], int | None, NDArray[np.int16]]:
    values = np.full(len(texts), NO_TIME, dtype=np.int64)
    nanos = np.zeros(len(texts), dtype=np.int16)
    present = np.flatnonzero(texts.is_not_null().to_numpy())
    if not len(present):
        return values, None, nanos
    texts = texts.drop_nulls()
    ends = np.cumsum(texts.str.len_bytes().to_numpy(), dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]])
    joined = texts.str.join("").item().encode()
    values[present], wrong, nanos[present] = parse_timestamps(np.frombuffer(joined, dtype=np.uint8), starts, ends)
    return values, None if wrong is None else int(present[wrong]), nanos


def _parse_as(texts: pl.Series, layout: str, unit: Literal["us", "ns"]) -> pl.Series:
    times = texts.str.to_datetime(layout, time_unit=unit, time_zone=_zone(layout), strict=False, exact=True)
    return times.dt.epoch(unit)


def _parse_epoch(texts: pl.Series, digits: int) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
    """Parse numbers since 1970 in a unit of which a microsecond is the digit number ``digits`` after the point."""
    parts = texts.str.extract_groups(rf"^(?<whole>\d{{1,{_MOST_DIGITS - digits}}})(?:\.(?<fraction>\d*))?$").struct
    whole = parts.field("whole").cast(pl.Int64) * 10**digits
    nanos = parts.field("fraction").fill_null("").str.pad_end(digits + 3, "0").str.head(digits + 3).cast(pl.Int64)
    micros = whole + nanos // 1000
    return micros.fill_null(NO_TIME).to_numpy(writable=True), (nanos % 1000).to_numpy().astype(np.int16)


def check_layouts(timestamp_format: TimestampFormat) -> tuple[str, ...]:
    """Return the layouts that the user gave, each once and in the notation of Polars; none for ISO 8601.

    >>> check_layouts(None), check_layouts("iso"), check_layouts(["%d.%m.%Y", "iso"])
    ((), (), ('%d.%m.%Y', 'iso'))
    """
    given = [timestamp_format] if isinstance(timestamp_format, str) else timestamp_format or ()
    layouts = tuple(dict.fromkeys(map(check_layout, given)))
    return () if layouts == (ISO,) else layouts


def check_layout(layout: str) -> str:
    """Return a timestamp layout in the notation of Polars, or raise an error if timestamps would be read wrongly.

    >>> check_layout("%d.%m.%Y %H:%M:%S.%f")
    '%d.%m.%Y %H:%M:%S%.f'
    """
    if layout in (ISO, *EPOCH_LAYOUTS):
        return layout
    layout = layout.replace(".%f", "%.f")  # Python's spelling of fractions
    if "%f" in layout:
        raise ActalikeError(f"In the timestamp format {layout!r}, %f must follow a dot (%S.%f).")
    if "%Z" in layout:
        raise ActalikeError(
            f"In the timestamp format {layout!r}, %Z is the name of a zone, which can be ambiguous: use %z (+0100)."
        )
    if "%s" not in layout and not any(mark in layout for mark in ("%Y", "%y", "%D", "%F", "%c", "%x", "%+", "%G", "%C")):
        raise ActalikeError(f"The timestamp format {layout!r} has no year.")
    try:
        pl.Series(["2024"]).str.to_datetime(layout, time_zone=_zone(layout), strict=False)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0].removeprefix("Invalid format string: ").rstrip(".")
        raise ActalikeError(
            f"The timestamp format {layout!r} is not complete ({reason}): a time has hours and minutes, such as %H:%M or "
            "%I:%M %p, or it is left out."
        ) from None
    return layout


def _zone(layout: str) -> str | None:
    return "UTC" if any(mark in layout for mark in ("%z", "%:z", "%#z")) else None


def likely_layouts(text: str) -> list[str]:
    """Return the layouts in which a string is a timestamp, in the notation of ``timestamp_format``.

    >>> likely_layouts("31.12.2024 13:45"), likely_layouts("01/02/2024"), likely_layouts("soon")
    (['%d.%m.%Y %H:%M'], ['%d/%m/%Y', '%m/%d/%Y'], [])
    """
    if number := re.fullmatch(r"(?:\d{9,10}|(\d{13}))(?:\.\d+)?", text, re.ASCII):  # seconds or milliseconds since 1970
        return ["%Q" if number[1] else "%s"]
    dates = [date for date in _DATES if re.match(_pattern(date), text, re.ASCII)]
    with_times = ("".join(parts) for parts in product(dates, _BETWEEN, _TIMES, _ZONES))
    similar = [layout for layout in (*dates, *with_times) if re.fullmatch(_pattern(layout), text, re.ASCII)]
    return fitting_layouts(similar, pl.Series([text]))


def fitting_layouts(layouts: Sequence[str], column: pl.Series | None) -> list[str]:
    """Return those of the layouts that fit all values of a column; all of them without a column.

    >>> fitting_layouts(["%d/%m/%Y", "%m/%d/%Y"], pl.Series(["01/02/2024", "01/13/2024"]))
    ['%m/%d/%Y']
    """
    if column is None:
        return list(layouts)
    values = column.drop_nulls().unique()
    return [layout for layout in layouts if parse_series(values, check_layouts(layout))[1] is None]


def layout_groups(column: pl.Series, known: Sequence[str] = ()) -> list[DatedRows]:
    """Return in which layouts the timestamps of a column are written, and how many rows have each; those in none come last.

    ``known`` are layouts that the user has given, in the notation of Polars.

    >>> layout_groups(pl.Series(["2024-01-31", "31.01.2024", "1.2.2024", "soon"]))
    [DatedRows(layouts=('%d.%m.%Y',), rows=2, example='31.01.2024'), DatedRows(layouts=('iso',), rows=1, example='2024-01-31'),
     DatedRows(layouts=(), rows=1, example='soon')]
    """
    table = column.drop_nulls().alias("text").to_frame().group_by("text", maintain_order=True).len("rows")
    groups: list[DatedRows] = []
    others: list[pl.DataFrame] = []  # values in no layout
    while len(table) and len(groups) < _KINDS_OF_DATES and len(others) < _VALUES_TRIED:
        text = str(table["text"][0])
        fits = {layout: _fits(table["text"], layout) for layout in dict.fromkeys((*known, ISO, *likely_layouts(text)))}
        fits = {layout: rows for layout, rows in fits.items() if rows[0]}
        if not fits:
            others.append(table[:1])
            table = table[1:]
            continue
        most = max(int(rows.sum()) for rows in fits.values())
        best = {layout: rows for layout, rows in fits.items() if rows.sum() == most}
        layouts = tuple(best)[:1] if ISO in best or set(known) & set(best) else tuple(best)
        groups.append(DatedRows(layouts, int(table.filter(best[layouts[0]])["rows"].sum()), text))
        table = table.filter(~best[layouts[0]])
    groups.sort(key=lambda group: -group.rows)
    rest = pl.concat([*others, table])
    return groups if rest.is_empty() else [*groups, DatedRows((), int(rest["rows"].sum()), str(rest["text"][0]))]


def _fits(texts: pl.Series, layout: str) -> pl.Series:
    micros, _ = _parse_layout(texts, check_layout(layout))
    return pl.Series((micros != NO_TIME) & ~outside_years(micros))


def _pattern(layout: str) -> str:
    return re.sub(r"%.", lambda part: _PARTS[part[0]], layout.replace(".", r"\."))


def layout_advice(text: str, column: pl.Series, layouts: Sequence[str] = ()) -> str:
    """Return what to do about a timestamp that cannot be read, for an error. ``layouts`` are those that were given."""
    if sum(bool(_fits(pl.Series([text]), layout)[0]) for layout in layouts) > 1:
        return "It fits several of the given layouts, which are different times: write it in one way"
    if re.fullmatch(r"\d{1,2}:\d\d(?::\d\d)?", text):
        return "It is a time of day without a day: name the column with the day as timestamp=... (--timestamp)"
    if re.fullmatch(r"[34]\d{4}(?:[.,]\d+)?", text):  # of the years 1982 to 2036
        return "It looks like an Excel date number: format the column as a date and export it again"
    likely = likely_layouts(text)
    if not likely:
        examples = "'%d.%m.%Y %H:%M', '%s' for seconds since 1970, '%Q' for milliseconds"
        return f"Correct it, or give the layout with timestamp_format=... (--timestamp-format {examples})"
    likely = fitting_layouts(likely, column.head(_VALUES_TRIED)) or likely
    others = list(layouts) or ([ISO] if _fits(column.drop_nulls(), ISO).any() else [])
    choices = [[*others, layout] if others else layout for layout in likely]
    options = [" ".join(f"--timestamp-format '{layout}'" for layout in [*others, layout]) for layout in likely]
    ways = " or ".join(f"timestamp_format={choice!r} ({option})" for choice, option in zip(choices, options, strict=True))
    several = "It can be read in several ways, and only you know which is right: give" if len(likely) > 1 else "Give"
    return f"{several} {ways}"


def rows_by_layout(groups: Sequence[DatedRows]) -> str:
    """Return how many rows have which layout.

    >>> print(rows_by_layout([DatedRows(("iso",), 1200, "2024-01-31"), DatedRows((), 1, "soon")]))
    Of 1,201 rows, 1,200 are like '2024-01-31' (iso) and 1 is not a timestamp, like 'soon'
    """
    parts = []
    for group in groups:
        verb = "is" if group.rows == 1 else "are"
        kind = f"like {shortened(group.example)!r} ({' or '.join(group.layouts)})"
        parts.append(f"{group.rows:,} {verb} {kind if group.layouts else f'not a timestamp, like {shortened(group.example)!r}'}")
    listed = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
    return f"Of {sum(group.rows for group in groups):,} rows, {listed}"
