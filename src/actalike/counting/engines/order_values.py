"""Turn the texts of a column that orders events into numbers that sort as its values do.

A column of a CSV file has one kind, decided over the whole file: numbers (whole or decimal) or timestamps. Numbers are exact: a
whole part, which rounds down, and the decimals above it.
"""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import LogError, shortened
from actalike.io import NO_TIME, TimestampFormat, check_layouts, layout_advice, parse_series

_NUMBER = r"^(-?)([0-9]{1,18})(?:\.([0-9]{1,18}))?$"
_DECIMALS = 18


class OrderColumn:
    """Read one column of the order, block by block."""

    def __init__(self, source: str, name: str, timestamp_format: TimestampFormat) -> None:
        self.source, self.name = source, name
        self.layouts = check_layouts(timestamp_format)
        self.kind: str | None = None  # "numbers" or "timestamps", as soon as there is a value
        self.has_decimals = False
        self.missing = 0

    def read(self, texts: pl.Series, rows_before: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the whole part and the decimals of each value, of a timestamp its microseconds and the nanoseconds beyond them.

        What they are for a missing value means nothing.
        """
        self.missing += texts.null_count()
        if self.kind is None and texts.null_count() < len(texts):
            self.kind = self._kind_of(texts.drop_nulls().head(1))
        if self.kind is None:
            return np.zeros(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=np.int64)
        if self.kind == "numbers":
            whole, decimals, wrong = _numbers(texts)
        else:
            whole, wrong, nanos = self._times(texts)
            decimals = nanos.astype(np.int64)
        self.has_decimals |= bool(decimals.any())
        if wrong is not None:
            value, row = str(texts[wrong]), rows_before + wrong + 1
            if self.kind == "timestamps" and whole[wrong] != NO_TIME:
                raise LogError(
                    f"{self.source}, row {row:,}: the timestamp {shortened(value)!r} (column {self.name!r}) is outside the years "
                    "1 to 9999 in UTC. Correct it, or name another column; nothing was read."
                )
            raise self._refusal(value, row)
        return whole, decimals

    def _kind_of(self, value: pl.Series) -> str:
        if self.layouts and self._times(value)[1] is None:
            return "timestamps"
        if _numbers(value)[2] is None:
            return "numbers"
        return "timestamps"

    def _times(self, texts: pl.Series) -> tuple[NDArray[np.int64], int | None, NDArray[np.int16]]:
        return parse_series(texts, self.layouts)

    def _refusal(self, value: str, row: int) -> LogError:
        kind = (
            "a number"
            if self.kind == "numbers"
            else f"a timestamp like {' or '.join(self.layouts) or '2024-02-29T12:00:00+01:00'}"
        )
        advice = layout_advice(value, layouts=self.layouts)
        return LogError(
            f"{self.source}, row {row:,}: {value!r} is not {kind}, as the column {self.name!r} must have throughout to order "
            f"events (as texts, 10 comes before 9). {advice}, or name another column; nothing was read."
        )


def _numbers(texts: pl.Series) -> tuple[NDArray[np.int64], NDArray[np.int64], int | None]:
    """Return the whole parts, rounded down, the decimals above them, and the row of the first text that is no number, or None.

    >>> [part.tolist() for part in _numbers(pl.Series(["7", "-0.25", "007.5"]))[:2]]
    [[7, -1, 7], [0, 750000000000000000, 500000000000000000]]
    """
    plain = texts.cast(pl.Int64, strict=False)  # most columns are whole numbers
    if plain.null_count() == texts.null_count() and not texts.str.starts_with("+").any():
        return plain.fill_null(0).to_numpy(), np.zeros(len(texts), dtype=np.int64), None
    parts = texts.str.extract_groups(_NUMBER).struct.unnest()
    whole = parts["2"].cast(pl.Int64)
    wrong = (whole.is_null() & texts.is_not_null()).arg_true()
    decimals = parts["3"].str.pad_end(_DECIMALS, "0").cast(pl.Int64).fill_null(0).to_numpy()
    below_zero = (parts["1"] == "-").fill_null(value=False).to_numpy()
    wholes = whole.fill_null(0).to_numpy()
    wholes = np.where(below_zero, -wholes - (decimals > 0), wholes)
    decimals = np.where(below_zero & (decimals > 0), 10**_DECIMALS - decimals, decimals)
    return wholes, decimals, int(wrong[0]) if len(wrong) else None
