"""Check what the columns of an SQLite table hold: SQLite stores any value in any column, and times as texts or numbers."""

import re
from collections.abc import Collection, Sequence

import polars as pl

from actalike.counting.engines.databases import quoted
from actalike.counting.engines.event_columns import EventColumns
from actalike.errors import LogError

_LAYOUT = re.compile(r"(?P<day>0000-00-00)((?P<gap>[ T])00:00(?P<seconds>:00)?(?P<decimals>\.0+)?)?(?P<zone>Z|[+-]00:00)?")
_MOST_ROWS = 1000  # of the answer: columns with more than a few kinds of values are refused anyway


def time_order(column: str) -> str:
    """Return the SQL that sorts times. Texts lose the zeros at the end of their decimals, because .5 and .50 are one time."""
    has_decimals = f"typeof({column}) = 'text' AND instr({column}, '.') > 0"
    return f"CASE WHEN {has_decimals} THEN rtrim(rtrim({column}, '0'), '.') ELSE {column} END"


def kinds_query(names: Sequence[str], times: Collection[str], table: str) -> str:
    """Return the query for the kinds of values in columns: SQLite's type, and of texts in ``times`` the layout and the zone."""
    chosen = []
    for place, name in enumerate(names):
        column = quoted(name)
        chosen.append(f"typeof({column}) AS kind{place}")
        layout, zone = "NULL", "NULL"
        if name in times:
            layout = column
            for digit in "123456789":
                layout = f"replace({layout}, '{digit}', '0')"
            layout = f"CASE WHEN typeof({column}) = 'text' THEN {layout} END"
            zone = f"CASE WHEN {column} GLOB '*[+-][0-9][0-9]:[0-9][0-9]' THEN substr({column}, -6) END"
        chosen += [f"{layout} AS layout{place}", f"{zone} AS zone{place}"]
    return f"SELECT DISTINCT {', '.join(chosen)} FROM {quoted(table)} LIMIT {_MOST_ROWS}"


def check_kinds(kinds: pl.DataFrame, columns: EventColumns, times: Collection[str]) -> None:
    """Raise an error if columns hold values that are no labels or that do not sort; ``kinds`` answers :func:`kinds_query`."""
    for place, name in enumerate(columns.names):
        here = set(kinds[f"kind{place}"].to_list()) - {"null"}
        if name in (columns.case, columns.activity) and (wrong := here - {"integer", "text"}):
            role = "case" if name == columns.case else "activity"
            raise LogError(
                f"{columns.source}: the {role} (column {name!r}) holds values of type {wrong.pop()}, which cannot be labels: "
                "convert them to texts."
            )
        if name not in columns.order:
            continue
        if name in times and here == {"text"}:
            layouts = kinds.select(layout=f"layout{place}", zone=f"zone{place}").drop_nulls("layout").unique(maintain_order=True)
            _check_layouts(layouts, columns.source, name)
        elif not here <= {"integer", "real"}:
            raise LogError(
                f"{columns.source}: the column {name!r} holds values of type {' and '.join(sorted(here))}, which do not order "
                "events reliably: convert them to times or numbers (as texts, 10 comes before 9)."
            )


def _check_layouts(layouts: pl.DataFrame, source: str, name: str) -> None:
    """Raise an error unless times sort as texts: one layout and zone; decimals may differ if nothing comes after them."""
    texts = layouts["layout"].to_list()
    matches = [_LAYOUT.fullmatch(text) for text in texts]
    unlike = next((text for text, match in zip(texts, matches, strict=True) if match is None), None)
    ways = {
        (match["gap"], match["seconds"], match["decimals"] if match["zone"] else None, match["zone"])
        for match in matches
        if match
    }
    if unlike is not None or len(ways) > 1 or layouts["zone"].n_unique() > 1:
        example = unlike if unlike is not None else " and ".join(sorted(map(repr, texts))[:2])
        raise LogError(
            f"{source}: the times in the column {name!r} are texts that do not sort by time ({example}, 0 for any digit): store "
            "all of them in one layout, such as 2024-02-29 23:59:59, in one time zone; nothing was counted."
        )
