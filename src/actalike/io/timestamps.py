"""Parse timestamps in ISO 8601, many at a time.

Timestamps become microseconds since 1970 in UTC. One without a zone is taken as UTC. Digits beyond microseconds are cut off.
A zone may move a time out of the years 1 to 9999, where it could not be written again. So it is invalid.
"""

import re

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError

NO_TIME = np.iinfo(np.int64).min  # numpy's own value for "not a time"
FIRST_TIME, LAST_TIME = -62_135_596_800_000_000, 253_402_300_799_999_999  # the years 1 to 9999

EPOCH_LAYOUTS = {"%s": 6, "%Q": 3}  # seconds and milliseconds since 1970, with the digits that make them microseconds
_MOST_DIGITS = 17  # of microseconds since 1970: up to the year 5138

_LAYOUT = re.compile(
    r"(?P<year>\d{4})(?P<dash>[-/])(?P<month>\d\d)(?P=dash)(?P<day>\d\d)"
    r"(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    r" ?(?P<zone>[Zz]|(?P<sign>[+-])(?P<zone_hour>\d\d):?(?P<zone_minute>\d\d)?)?)?"
)


def parse_timestamps(
    buffer: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> tuple[NDArray[np.int64], int | None]:
    """Parse the timestamps at ``buffer[starts[i]:ends[i]]``; also return the index of the first invalid one, or None.

    Of an invalid one, the number says why: NO_TIME if it is no timestamp, else it is outside the years 1 to 9999.

    The timestamps of a log have one layout or a few. Those with the layout of the first are parsed together, column by column,
    then those with the layout of the first that remains, and so on.

    >>> text = np.frombuffer(b"1970-01-01T00:00:01+00:00|1970-01-01 01:00|soon", dtype=np.uint8)
    >>> parse_timestamps(text, np.array([0, 26, 43]), np.array([25, 42, 47]))[0][:2].tolist()
    [1000000, 3600000000]
    >>> parse_timestamps(text, np.array([0, 26, 43]), np.array([25, 42, 47]))[1]
    2
    """
    values = np.full(len(starts), NO_TIME, dtype=np.int64)
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
        values[rows], valid = _read_layout(text, layout)
        if not valid.all():
            wrong.append(int(rows[~valid][0]))
        if len(rows) == len(remaining):
            break
        remaining = remaining[~np.isin(remaining, rows, assume_unique=True)]
    return values, min(wrong, default=None)


def _characters(buffer: NDArray[np.uint8], starts: NDArray[np.int64], length: int) -> NDArray[np.uint8]:
    """Return a row for each place in the texts, which all have one length: a column of numbers is parsed place by place."""
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


def _read_layout(text: NDArray[np.uint8], layout: re.Match[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the timestamps of columns that have a layout, in microseconds, and whether each is a valid date and time.

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
    if layout["fraction"]:
        digits = len(layout["fraction"])
        micros += number("fraction") // 10 ** (digits - 6) if digits > 6 else number("fraction") * 10 ** (6 - digits)
    if not valid.all():
        micros[~valid] = NO_TIME
    return micros, valid & ~outside_years(micros) if layout["sign"] else valid


def outside_years(times: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which timestamps are outside the years 1 to 9999; NO_TIME is not.

    >>> outside_years(np.array([NO_TIME, FIRST_TIME - 1, FIRST_TIME, LAST_TIME, LAST_TIME + 1])).tolist()
    [False, True, False, False, True]
    """
    return ((times < FIRST_TIME) & (times != NO_TIME)) | (times > LAST_TIME)


def parse_series(texts: pl.Series) -> tuple[NDArray[np.int64], int | None]:
    """Parse a column of timestamps, in which null means none; also return the row of the first invalid one, or None.

    >>> parse_series(pl.Series(["1970-01-01T00:00:00.5Z", None]))[0].tolist() == [500000, NO_TIME]
    True
    """
    values = np.full(len(texts), NO_TIME, dtype=np.int64)
    present = np.flatnonzero(texts.is_not_null().to_numpy())
    if not len(present):
        return values, None
    texts = texts.drop_nulls()
    ends = np.cumsum(texts.str.len_bytes().to_numpy(), dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]])
    joined = texts.str.join("").item().encode()
    values[present], wrong = parse_timestamps(np.frombuffer(joined, dtype=np.uint8), starts, ends)
    return values, None if wrong is None else int(present[wrong])


def parse_series_as(texts: pl.Series, layout: str) -> tuple[NDArray[np.int64], int | None]:
    """Parse a column like :func:`parse_series`, but in the layout that the user gives (``%d.%m.%Y %H:%M``).

    >>> parse_series_as(pl.Series(["1704182400.5", "soon"]), "%s")
    (array([ 1704182400500000, -9223372036854775808]), 1)
    """
    if layout in EPOCH_LAYOUTS:
        return _parse_epoch(texts, EPOCH_LAYOUTS[layout])
    times = texts.str.to_datetime(layout, time_unit="us", time_zone=_zone(layout), strict=False, exact=True)
    values = times.dt.epoch("us").fill_null(NO_TIME).to_numpy()
    wrong = np.flatnonzero((times.is_null() & texts.is_not_null()).to_numpy() | outside_years(values))
    return values, int(wrong[0]) if len(wrong) else None


def _parse_epoch(texts: pl.Series, digits: int) -> tuple[NDArray[np.int64], int | None]:
    """Parse numbers since 1970 in a unit of which a microsecond is the digit number ``digits`` after the point."""
    parts = texts.str.extract_groups(rf"^(?<whole>\d{{1,{_MOST_DIGITS - digits}}})(?:\.(?<fraction>\d*))?$").struct
    whole = parts.field("whole").cast(pl.Int64) * 10**digits
    micros = whole + parts.field("fraction").fill_null("").str.pad_end(digits, "0").str.head(digits).cast(pl.Int64)
    wrong = (micros.is_null() & texts.is_not_null()).arg_true()
    return micros.fill_null(NO_TIME).to_numpy(), int(wrong[0]) if len(wrong) else None


def check_layout(layout: str) -> str:
    """Return a timestamp layout in the notation of Polars, or raise an error if timestamps would be read wrongly.

    >>> check_layout("%d.%m.%Y %H:%M:%S.%f")
    '%d.%m.%Y %H:%M:%S%.f'
    """
    if layout in EPOCH_LAYOUTS:
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
