"""Describe the columns of a sample, and propose which of them may be the case, the activity or a second name.

What is proposed here is never used by itself: a person has to say so.
"""

import re
from dataclasses import dataclass

import numpy as np
import polars as pl

from actalike.errors import shortened
from actalike.io.unused_columns import looks_like_time

_EXAMPLES = 3
_LOOKED_AT = 200  # values, to see of which type they are
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_TRUTH = {"true", "false", "yes", "no", "ja", "nein", "nee"}
_MOST_LABELS = 2000  # values of a column that may be the activity
_ONE_NAME = 1.1  # second names for each label, at most


@dataclass(frozen=True)
class ColumnFacts:
    """Hold what a column, or an attribute of XES, is like in the sample, and for what it is taken.

    ``filled`` is the share of rows with a value, ``values`` the number of different ones. ``role`` is None if it has none.
    """

    name: str
    scope: str  # "column", or of XES "case" or "event"
    type: str
    filled: float
    values: int
    examples: tuple[str, ...]
    role: str | None = None
    why: str | None = None


def describe_column(column: pl.Series, scope: str, role: str | None, why: str | None) -> ColumnFacts:
    """Return what the values of a column are like."""
    texts = as_texts(column).drop_nulls()
    first = texts.head(_LOOKED_AT).unique(maintain_order=True)
    examples = tuple(shortened(text, 40) for text in first.head(_EXAMPLES).to_list())
    filled = len(texts) / max(len(column), 1)
    return ColumnFacts(column.name, scope, _type(column, first), filled, texts.n_unique(), examples, role, why)


def as_texts(column: pl.Series) -> pl.Series:
    """Return a column as texts; what has no text is shown as Polars shows it."""
    if column.dtype == pl.String:
        return column
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        return pl.Series(column.name, [None if value is None else str(value) for value in column.to_list()], dtype=pl.String)
    return column.cast(pl.String, strict=False)


def _type(column: pl.Series, texts: pl.Series) -> str:
    """Return in a word of which type a column is, by its own type or by the texts in it."""
    kind = column.dtype
    if not len(texts):
        return "empty"
    if looks_like_time(column):
        return "time"
    if kind != pl.String:
        return "whole number" if kind.is_integer() else "number" if kind.is_numeric() else str(kind).lower()
    values = texts.to_list()
    for name, pattern in (("whole number", _WHOLE), ("number", _NUMBER)):
        if all(pattern.fullmatch(value) for value in values):
            return name
    return "truth value" if {value.lower() for value in values} <= _TRUTH else "text"


def propose_case(events: pl.DataFrame, facts: list[ColumnFacts]) -> str | None:
    """Return the column that is most likely the case: it is always filled, and its values repeat; of several, the most values."""
    rows = len(events)
    fit = [c for c in facts if c.filled == 1 and c.type in ("text", "whole number") and 1 < c.values <= 0.7 * rows and not c.role]
    return max(fit, key=lambda c: c.values).name if fit else None


def propose_activity(events: pl.DataFrame, facts: list[ColumnFacts], case: str) -> str | None:
    """Return the column that is most likely the activity: few values, which change within a case. Texts come before numbers."""
    rows = len(events)
    fit = [
        c
        for c in facts
        if c.filled == 1 and c.type in ("text", "whole number") and c.name != case and not c.role
        and 1 < c.values <= min(_MOST_LABELS, max(rows // 2, 2))
    ]  # fmt: skip
    changes = {c.name: _changes_in_cases(events, c.name, case) for c in fit}
    fit = [c for c in fit if changes[c.name] > 0]
    return max(fit, key=lambda c: (c.type == "text", changes[c.name])).name if fit else None


def _changes_in_cases(events: pl.DataFrame, name: str, case: str) -> float:
    """Return how many different values a column has in a case, on average."""
    distinct = events.group_by(case).agg(pl.col(name).n_unique())[name].to_numpy()
    return float(np.mean(distinct)) - 1


def propose_second_name(events: pl.DataFrame, facts: list[ColumnFacts], activity: str) -> str | None:
    """Return a column that names each activity in other words: nearly one text for each label, and nearly as many as labels.

    Of several, the one whose texts have the most words.
    """
    labels = events[activity].n_unique()
    best: tuple[float, str] | None = None
    for column in facts:
        is_text = column.type == "text" and column.scope != "case" and not column.role and column.name != activity
        if not is_text or labels < 3 or not 0.6 * labels <= column.values <= labels:
            continue
        pairs = events.select(activity, column.name).drop_nulls()
        if pairs.n_unique() > _ONE_NAME * labels or (pairs[activity] == pairs[column.name]).all():
            continue
        words = pairs[column.name].unique().str.count_matches(r"\S+").mean() or 0
        if isinstance(words, int | float) and words > 1.5 and (best is None or words > best[0]):
            best = (words, column.name)
    return None if best is None else best[1]
