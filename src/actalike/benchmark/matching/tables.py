"""Tables of the benchmark of matching: a part for each question."""

import polars as pl

from actalike.benchmark.matching.results import MatchingResults
from actalike.benchmark.matching.summary import CONFIDENCE, KIND_TITLES, PARTS, columns_of
from actalike.benchmark.scoring import expected_calibration_error, reliability
from actalike.benchmark.tables import csv_table, figure_table, reliability_table
from actalike.benchmark.tasks.matching_problems import KINDS


def table(results: MatchingResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV. Columns and matchers without any figure are left out of a part."""
    frame, of_pairs = results.frame(by_log=by_log), results.by_log()
    if form == "csv":
        return csv_table(frame)
    parts = []
    for title in PARTS:
        shown = [column for column in columns_of(title) if frame[column].null_count() < frame.height]
        rows = frame.filter(pl.any_horizontal(pl.col(column).is_not_null() for column in shown)) if shown else frame.clear()
        if rows.height:
            if not by_log:
                rows = _with_pairs_of_part(rows, of_pairs, shown)
            parts.append(f"{title}:\n\n{figure_table(rows, form, shown, by_log=by_log, intervals=intervals)}")
        if title == CONFIDENCE and not by_log:
            parts += _curves(results, form)
    return "\n\n".join(parts)


def _with_pairs_of_part(rows: pl.DataFrame, of_pairs: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Set ``logs`` to the number of pairs with a figure in a part: matchers that read labels take part in fewer kinds."""
    some = of_pairs.filter(pl.any_horizontal(pl.col(column).is_not_null() for column in columns))
    return rows.drop("logs").join(some.group_by("method").agg(pl.len().alias("logs")), on="method", how="left")


def _curves(results: MatchingResults, form: str) -> list[str]:
    """Return the reliability curves of the matchers that give probabilities, for each kind of pairs."""
    tables = []
    for method in results.probable:
        for kind in KINDS:
            for tally, title in zip(results.tally(method, kind), ("proposed pairs", "best candidates"), strict=True):
                if tally.n.sum():
                    curve = reliability(tally)
                    error = expected_calibration_error(curve)
                    head = f"Reliability of {method}, {title}, {KIND_TITLES[kind]}, nothing known (ECE {error:.3f}):"
                    tables.append(f"{head}\n\n{reliability_table(curve, 'share the same step', form)}")
    return tables
