"""Tables of times: methods by logs beside the paper's seconds, or all that was measured on each log."""

from collections.abc import Sequence

import polars as pl

from actalike.benchmark.efficiency.results import EfficiencyResults
from actalike.benchmark.tables import by_stem, csv_table, layout

_COLUMNS = (
    "method", "calls", "median s", "quartiles", "least - most", "CPU s", "as published s", "paper s", "ratio", "parts, ms",
    "rows x dimension", "dense", "stored", "memory",
)  # fmt: skip


def table(results: EfficiencyResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the seconds on all logs, or all that was measured on each log, as Markdown or LaTeX; as CSV always all of it."""
    frame = results.by_log()
    if form == "csv":
        return csv_table(frame)
    return measurement_table(frame, form, results.items) if by_log else runtime_table(frame, form)


def runtime_table(table: pl.DataFrame, form: str) -> str:
    """Return the median seconds of each method on each log, of the wall and of the processor, windows side by side.

    A log of the paper has two more columns: what the authors timed, with our code, and their figure.
    """
    columns = []
    for (log,), part in table.group_by("log", maintain_order=True):
        of_paper = ("as_published", "paper") if part["paper"].drop_nulls().len() else ()
        columns += [(str(log), kind) for kind in ("seconds", "processor", *of_paper)]
    row_of = {(row["log"], row["method"]): row for row in table.iter_rows(named=True)}
    rows = []
    for stem, part in by_stem(table):
        names = part["method"].unique(maintain_order=True).to_list()
        everywhere = part.height == len(names) * part["log"].n_unique()  # else windows side by side would mostly be dashes
        for title, group in [(stem, names)] if everywhere else [(name, [name]) for name in names]:
            cells = [" | ".join(_seconds(row_of.get((log, name)), kind) for name in group) for log, kind in columns]
            rows.append([title, *cells])
    titles = {"seconds": "", "processor": ", CPU", "as_published": ", as published", "paper": ", paper"}
    return layout(["method", *(f"{log}{titles[kind]}" for log, kind in columns)], rows, form)


def _seconds(row: dict[str, object] | None, kind: str) -> str:
    if row is None:
        return "-"
    return f">{row['more_than']:g}" if kind == "seconds" and row["more_than"] is not None else digits(row[kind])


def measurement_table(table: pl.DataFrame, form: str, items: Sequence[str]) -> str:
    """Return all that was measured, a table for each log and a row for each method; ``items`` are the parts of the time."""
    parts = []
    for (log,), part in table.group_by("log", maintain_order=True):
        rows = [_measured(row, items) for row in part.iter_rows(named=True)]
        parts.append(f"{log}:\n\n{layout(list(_COLUMNS), rows, form)}")
    return "\n\n".join(parts)


def _measured(row: dict[str, object], items: Sequence[str]) -> list[str]:
    if row["seconds"] is None:
        time = f">{row['more_than']:g}" if row["more_than"] is not None else "failed"
        return [str(row["method"]), "0", time, *["-"] * 4, digits(row["paper"]), *["-"] * 6]
    return [
        str(row["method"]),
        str(row["repeats"]),
        digits(row["seconds"]),
        f"{digits(row['lower_quartile'])} - {digits(row['upper_quartile'])}",
        f"{digits(row['least'])} - {digits(row['most'])}",
        digits(row["processor"]),
        digits(row["as_published"]),
        digits(row["paper"]),
        digits(row["ratio"]),
        _parts(row, items),
        "-" if row["dimension"] is None else f"{row['rows']:,} x {row['dimension']:,}",
        *(_bytes(row[column]) for column in ("dense_bytes", "stored_bytes", "rise_bytes")),
    ]


def _parts(row: dict[str, object], items: Sequence[str]) -> str:
    """Write out the parts and their sum, in milliseconds."""
    parts = {item: 1000 * value for item in items if isinstance(value := row[item], float)}
    return " + ".join(f"{item} {digits(value)}" for item, value in parts.items()) + f" = {digits(sum(parts.values()))}"


def _bytes(n: object) -> str:
    """Write out a number of bytes, in B, kB, MB or GB."""
    if not isinstance(n, int):
        return "-"
    thousands = min((len(str(n)) - 1) // 3, 3)
    return f"{digits(n / 1000**thousands)} {('B', 'kB', 'MB', 'GB')[thousands]}"


def digits(value: object) -> str:
    """Write out a number with three significant digits; a dash if there is none.

    >>> [digits(value) for value in (0.0053721, 12.345, 1234.6, 0.0, None)]
    ['0.00537', '12.3', '1,235', '0', '-']
    """
    if not isinstance(value, float | int):
        return "-"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{float(f'{value:.3g}'):.10f}".rstrip("0").rstrip(".")
