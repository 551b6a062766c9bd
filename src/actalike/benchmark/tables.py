"""Tables of results, laid out as in the paper: windows side by side as 3 | 5 | 9, the best three of a metric marked.

They take frames with a row for each method (and log), and the names of the columns to show.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from actalike.benchmark.scoring import Tally, expected_calibration_error, reliability
from actalike.errors import ActalikeError
from actalike.methods import MethodName
from actalike.support.frames import for_spreadsheets

_MARKS = {"md": ("**{}**¹", "**{}**²", "**{}**³"), "latex": (r"\textbf{{{}}}$^1$", r"\textbf{{{}}}$^2$", r"\textbf{{{}}}$^3$")}


def check_layout(form: str, by: str | None, intervals: bool) -> None:
    """Reject a layout that no table has."""
    if form not in ("md", "latex", "csv"):
        raise ActalikeError(f"A table is written as md, latex or csv, not {form!r}.")
    if by not in (None, "log"):
        raise ActalikeError(f"--by {by!r} is not known: it can be 'log'.")
    if intervals and (by or form == "csv"):
        raise ActalikeError("--intervals goes with the table of means, as Markdown, LaTeX or --json.")


def figure_table(
    frame: pl.DataFrame,
    form: str,
    metrics: Sequence[str],
    *,
    by_log: bool,
    intervals: bool,
    ranked: Sequence[str] | None = None,
) -> str:
    """Return the figures of each log, the means with their intervals, or the means with the best of each ranked metric marked."""
    if by_log:
        return log_table(frame, form, metrics)
    return interval_table(frame, form, metrics) if intervals else method_table(frame, form, metrics, ranked)


def csv_table(frame: pl.DataFrame) -> str:
    """Return a frame as lines of CSV, without the end of the last line."""
    return for_spreadsheets(frame).write_csv().removesuffix("\n")


def method_table(means: pl.DataFrame, form: str, metrics: Sequence[str], ranked: Sequence[str] | None = None) -> str:
    """Return the means of all methods over the logs, as Markdown ("md") or LaTeX ("latex").

    Means over different logs do not compare: a method with fewer logs than others gets a dagger, and no place among the best.
    """
    n_logs = max(means["logs"].to_list())
    marks = _marks(means, form, metrics, metrics if ranked is None else ranked)
    rows = [[stem, *(_side_by_side(part, metric, marks) for metric in metrics)] for stem, part in by_stem(means)]
    fewer = means.filter(pl.col("logs") < n_logs)
    table = layout(["method", *metrics], rows, form)
    if fewer.height:
        counts = ", ".join(f"{row['method']} {row['logs']}" for row in fewer.iter_rows(named=True))
        table += f"\n\n† On fewer logs than the {n_logs} of the others: {counts}."
    return table


def interval_table(means: pl.DataFrame, form: str, metrics: Sequence[str]) -> str:
    """Return the means with their bootstrap intervals over the logs, a row for each method."""
    rows = [
        [row["method"], str(row["logs"]), *(_with_interval(row, metric) for metric in metrics)]
        for row in means.iter_rows(named=True)
    ]
    return layout(["method", "logs", *metrics], rows, form)


def _with_interval(row: dict[str, Any], metric: str) -> str:
    if row[metric] is None:
        return "-"
    if row[f"{metric}_low"] is None:
        return f"{row[metric]:.3f}"
    return f"{row[metric]:.3f} [{row[f'{metric}_low']:.3f}, {row[f'{metric}_high']:.3f}]"


def log_table(by_log: pl.DataFrame, form: str, metrics: Sequence[str]) -> str:
    """Return the figures of every method on every log."""
    marks: Callable[[str, str], str] = lambda metric, method: "{}"  # noqa: E731
    rows = []
    for (log,), part in by_log.group_by("log", maintain_order=False):
        rows += [[str(log), stem, *(_side_by_side(p, metric, marks) for metric in metrics)] for stem, p in by_stem(part)]
    return layout(["log", "method", *metrics], sorted(rows), form)


def _marks(means: pl.DataFrame, form: str, metrics: Sequence[str], ranked: Sequence[str]) -> Callable[[str, str], str]:
    """Return a function from metric and method to the mark of its figure, as a format."""
    marks = {}
    whole, fewer = (
        means.filter(condition) for condition in (pl.col("logs") == pl.col("logs").max(), pl.col("logs") < pl.col("logs").max())
    )
    dagger = "{}†" if form == "md" else r"{}$^\dagger$"
    for metric in metrics:
        marks.update({(metric, method): dagger for method in fewer["method"]})
        if metric not in ranked or means.height == 1:
            continue
        ranks = whole[metric].round(12).rank("min", descending=True)  # equal values share a place
        for method, rank in zip(whole["method"], ranks, strict=True):
            if rank is not None and rank <= 3:
                marks[metric, method] = _MARKS[form][rank - 1]
    return lambda metric, method: marks.get((metric, method), "{}")


def by_stem(table: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    """Put methods together that differ only in their window, smaller windows first, under a title with the windows."""
    stems: dict[str, list[tuple[int, str]]] = {}
    for name in table["method"].unique().sort():
        parsed = MethodName.parse(name)
        shares_row = parsed.marker == "w" and not parsed.refinements
        stems.setdefault(parsed.stem if shares_row else name, []).append(((parsed.window or 0) if shares_row else 0, name))
    order = {name: place for members in stems.values() for place, (_, name) in enumerate(sorted(members))}
    return [
        (
            _title(stem, sorted(members)),
            table.filter(pl.col("method").is_in([name for _, name in members])).sort(
                pl.col("method").replace_strict(order, return_dtype=pl.Int64)
            ),
        )
        for stem, members in stems.items()
    ]


def _title(stem: str, members: list[tuple[int, str]]) -> str:
    windows = [str(window) for window, _ in members if window]
    return f"{stem} w {' | '.join(windows)}" if windows else stem


def _side_by_side(part: pl.DataFrame, metric: str, marks: Callable[[str, str], str]) -> str:
    values = zip(part["method"].to_list(), part[metric].to_list(), strict=True)
    return " | ".join(marks(metric, method).format("-" if value is None else f"{value:.3f}") for method, value in values)


def reliability_table(what: str, tally: Tally, share: str, form: str) -> str:
    """Return the reliability curve of ``what``: the pairs, mean probability and true share of each bin, with its interval."""
    curve = reliability(tally)
    rows = [
        [f"{part.n:,.0f}", f"{part.mean_probability:.3f}", f"{part.share:.3f} [{part.low:.3f}, {part.high:.3f}]"]
        for part in curve
    ]
    title = f"Reliability of {what} (ECE {expected_calibration_error(curve):.3f})"
    return f"{title}:\n\n{layout(['pairs', 'mean probability', share], rows, form)}"


def layout(header: list[str], rows: list[list[str]], form: str) -> str:
    """Lay out cells as a table, as Markdown ("md") or LaTeX ("latex")."""
    if form == "latex":
        lines = [" & ".join(_tex(cell) for cell in row) + r" \\" for row in (header, *rows)]
        return "\n".join(
            [
                rf"\begin{{tabular}}{{l{'c' * (len(header) - 1)}}}",
                r"\hline",
                lines[0],
                r"\hline",
                *lines[1:],
                r"\hline",
                r"\end{tabular}",
            ]
        )
    cells = [[cell.replace("|", r"\|") for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def _tex(cell: str) -> str:
    escaped = cell if "\\" in cell else re.sub(r"([_%&#$])", r"\\\1", cell)
    return escaped.replace("|", "$|$").replace(">", "$>$")
