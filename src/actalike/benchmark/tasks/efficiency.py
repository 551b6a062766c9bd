"""The efficiency benchmark: seconds from a log to all distances, with their parts, and memory.

Each method on each log runs in a process of its own, one after the other, because work that shares a machine measures each other.
"""

import os
import platform
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import polars as pl

from actalike import datasets
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.logs import LogFiles
from actalike.benchmark.results import Column, PageColumn, Results, not_there_yet
from actalike.benchmark.tables import by_stem, csv_table, layout
from actalike.benchmark.task import Failed, Source, Task, Unit, option, shares
from actalike.benchmark.tasks.measuring import DISTANCES, ITEMS, WITHOUT_DISCOVERY, measure_apart, published_seconds
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method, MethodName, by_number
from actalike.support.figures import new_figure, shown
from actalike.version import __version__

_OF_ROUNDS = ("seconds", "processor", "as_published")
_SINGLE = ("method", "log", "draw", "error")  # the other columns of single results
UNIT = "whole"
_FROM_TO = "from a log in memory to all distances"


@dataclass(frozen=True)
class EfficiencyOptions:
    """How often, how long, and on what methods are measured."""

    repeats: int = option(10, "How often each method is timed on each log.", plan=True, least=1)
    time_limit: float = option(
        600.0, "What a method gets for a log: fewer calls if all would take longer.", least=1, metavar="SECONDS"
    )


class ReadLog(NamedTuple):
    """A log, and the wall seconds that reading its file took."""

    log: EventLog
    seconds: float


class EfficiencyResults(Results):
    """A row of ``singles`` for each round; where a model was discovered, there are also rows of the method without that.

    There are no means over logs: those of seconds on logs of different sizes would mean nothing.
    """

    has_means: ClassVar[bool] = False

    @classmethod
    def read(cls, task: Any, folder: ResultFolder) -> Self:
        """Read all files of a folder."""
        results = super().read(task, folder)
        return replace(results, singles=_with_discovery_apart(results.singles))

    @property
    def items(self) -> tuple[str, ...]:
        """The parts that were timed, in the order of tables."""
        own = [name for name in self.singles.columns if name not in (*_SINGLE, *_OF_ROUNDS, *ITEMS)]
        return (*ITEMS[:-1], *own, DISTANCES)

    def by_log(self) -> pl.DataFrame:
        """Return a row for each method on each log: medians over the rounds, spread, the paper's seconds, sizes and memory.

        ``seconds`` is from a log to all distances, ``processor`` what the process took of them. ``as_published`` is what the
        authors timed, ``paper`` their figure, and ``ratio`` the latter over the former. ``rise_bytes`` is how far the resident
        memory rose during a call. ``reading`` is what reading the log's file took, which is not part of the other seconds;
        ``passes_over`` is what the method's work goes through. Both are null in results that do not say it.
        """
        papers = {log["log"] for log in self.folder.logs.values() if is_the_papers(log)}
        parts = self.singles.partition_by("log", "method", as_dict=True)
        order = sorted(parts, key=lambda key: (by_number(key[0]), by_number(key[1])))
        rows = [self._log_row(log, method, parts[log, method], log in papers) for log, method in order]
        return pl.DataFrame(rows, schema=_by_log_schema(self.items), orient="row")

    def _log_row(self, log: str, method: str, rounds: pl.DataFrame, of_paper: bool) -> dict[str, Any]:
        paper = published_seconds().get((log, method)) if of_paper else None
        found = self.details.get((method, log, UNIT), {})
        row = {
            "log": log,
            "method": method,
            "passes_over": found.get("passes_over") or None,
            "reading": self.folder.logs.get(log, {}).get("reading_seconds"),
            "paper": paper,
        }
        if rounds["error"][0] is not None:
            return {**row, "error": rounds["error"][0], "more_than": found.get("more_than")}
        least, lower, median, upper, most = np.quantile(rounds["seconds"].to_numpy(), [0, 0.25, 0.5, 0.75, 1]).tolist()
        as_published = _median(rounds["as_published"])
        memory = found.get("memory") or {}
        return {
            **row,
            "repeats": rounds.height,
            "seconds": median,
            "least": least,
            "lower_quartile": lower,
            "upper_quartile": upper,
            "most": most,
            "processor": _median(rounds["processor"]),
            "as_published": as_published,
            "ratio": paper / as_published if paper and as_published else None,
            **{item: _median(rounds[item]) for item in self.items if item in rounds.columns},
            **found.get("size", {}),
            "peak_bytes": memory.get("peak_bytes"),
            "rise_bytes": memory["peak_bytes"] - memory["before_bytes"] if memory else None,
        }

    def over_logs(self, resamples: int = 0) -> pl.DataFrame:
        """Raise an error: means of seconds over logs of different sizes would mean nothing."""
        raise ActalikeError(f"{self.folder.path} has times, which have no means over logs.")

    def gaps(self) -> list[str]:
        """Return what a reader of the figures must know: what is not there yet, failures, other versions."""
        missing = self.requested - self.done
        gaps = not_there_yet(len(missing), len(self.requested | self.done), (method for method, *_ in missing))
        failures: dict[tuple[str, str], list[str]] = {}
        for method, log, error in self.failures.select("method", "log", "error").iter_rows():
            failures.setdefault((method, error), []).append(log)
        gaps += [
            f"{method} failed on {', '.join(logs)}: {error.rstrip('.')}" for (method, error), logs in sorted(failures.items())
        ]
        used = sorted(
            {found["versions"]["actalike"] for key, found in self.details.items() if key in self.done and "versions" in found}
        )
        if len(used) > 1:
            gaps.append(f"the figures are of different versions of actalike ({', '.join(used)}), so they do not compare")
        return gaps

    def table(self, *, form: str, by_log: bool, intervals: bool) -> str:
        """Return the seconds on all logs, or all that was measured on each log; as CSV always all of it."""
        frame = self.by_log()
        if form == "csv":
            return csv_table(frame)
        return measurement_table(frame, form, self.items) if by_log else runtime_table(frame, form)

    def pictures(self) -> dict[str, Any]:
        """Draw seconds by method and log; return the picture by its name."""
        table = self.by_log()
        if not table["seconds"].drop_nulls().len():
            raise self.nothing_to_draw()
        return {"seconds_by_method": _seconds_by_method(_with_windows(table))}

    def page_columns(self) -> list[PageColumn]:
        """Return the columns of seconds and of memory."""
        table = self.by_log()
        return [
            PageColumn("seconds", f"median wall seconds {_FROM_TO}", "seconds", table.drop_nulls("seconds"), "seconds"),
            PageColumn(
                "memory", f"rise of the resident memory {_FROM_TO}", "bytes", table.drop_nulls("rise_bytes"), "rise_bytes"
            ),
        ]


class Efficiency(Task):
    """Run the efficiency benchmark: measure seconds from a log to all distances, with their parts, and memory.

    Each method on each log runs in a process of its own, one after the other. Stop it at any time; the same command continues
    where it stopped. Then: actalike benchmark table DIR

    Example: actalike benchmark efficiency --logs orders.xes.gz --methods 'aa-*' kin-w5 --out results
    """

    name = "efficiency"
    title = "Speed"
    metrics: ClassVar[Mapping[str, Any]] = shares(*_OF_ROUNDS, *ITEMS)
    has_own_metrics: ClassVar[bool] = True  # the parts of somebody's method
    details: ClassVar[Sequence[str]] = ("size",)
    columns: ClassVar[Sequence[Column]] = ()
    Options = EfficiencyOptions
    Results = EfficiencyResults
    participants_help: ClassVar[str] = "Methods, e.g. 'aa-*' act2vec-cbow-w3. [all that can run here]"
    default_participants: ClassVar[Sequence[str] | None] = ("*",)
    parallel: ClassVar[bool] = False
    verb: ClassVar[str] = "measured"

    def takes_log(self, entry: PaperLog) -> bool:
        """Return whether a log of the paper takes part."""
        return entry.efficiency

    def read(self, files: LogFiles, name: str) -> ReadLog:
        """Read a log, and note how long that took."""
        started = time.perf_counter()
        log: EventLog = super().read(files, name)
        return ReadLog(log, time.perf_counter() - started)

    def log_of(self, data: ReadLog) -> EventLog:
        """Return the log that was read."""
        return data.log

    def facts_of(self, data: ReadLog) -> dict[str, Any]:
        """Return what a folder notes of a log, with the seconds that reading it took."""
        return {**super().facts_of(data), "reading_seconds": data.seconds}

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Any]) -> EventLog:
        """Return the log."""
        return self.log_of(source.data)

    def evaluate(self, participant: Method, problem: EventLog) -> dict[str, Any]:
        """Measure a method on a log; the figures are of rounds."""
        options = self.options
        found = measure_apart(participant.name, participant, problem, options.repeats, options.time_limit)
        if "error" in found:
            raise Failed(found.pop("error"), **found)
        return found

    def result(self, outcomes: Sequence[Any]) -> dict[str, Any]:
        """Return the figures of each round, and the size and memory of the first call."""
        (found,) = outcomes
        rounds = [{**{name: one[name] for name in _OF_ROUNDS}, **one["items"]} for one in found["rounds"]]
        return {"figures": rounds, "size": found["size"], "memory": found["memory"]}

    def described(self, participant: Method) -> dict[str, Any]:
        """Return what a method is, and with what it was measured: without that, times mean nothing."""
        of_run = {"time_limit": self.options.time_limit, "machine": machine(), "versions": versions(participant)}
        passes = {"passes_over": participant.passes_over} if participant.passes_over else {}
        return {**super().described(participant), **passes, **of_run}

    def plan(self) -> dict[str, Any]:
        """Return what all results of a folder have in common: times of different machines do not compare."""
        return {**super().plan(), "processor": processor()}


TASK = Efficiency


def _with_discovery_apart(singles: pl.DataFrame) -> pl.DataFrame:
    """Add rows of methods that discover a model, without the seconds of that."""
    items = [name for name in singles.columns if name not in (*_SINGLE, *_OF_ROUNDS)]
    without = singles.drop_nulls("discovery").with_columns(
        pl.col("method") + WITHOUT_DISCOVERY,
        pl.lit(None, dtype=pl.Float64).alias("discovery"),
        pl.lit(None, dtype=pl.Float64).alias("processor"),
    )
    seconds = pl.sum_horizontal(items)
    published = pl.when(pl.col("as_published").is_not_null()).then(seconds)
    return pl.concat([singles, without.with_columns(seconds.alias("seconds"), published.alias("as_published"))])


def _by_log_schema(items: Sequence[str]) -> dict[str, Any]:
    return {
        "log": pl.String,
        "method": pl.String,
        "repeats": pl.Int64,
        **dict.fromkeys(("seconds", "least", "lower_quartile", "upper_quartile", "most", "processor", "reading"), pl.Float64),
        **dict.fromkeys(("as_published", "paper", "ratio", *items), pl.Float64),
        **dict.fromkeys(("rows", "dimension", "dense_bytes", "stored_bytes"), pl.Int64),
        "stored": pl.String,
        "passes_over": pl.String,
        "rise_bytes": pl.Int64,
        "peak_bytes": pl.Int64,
        "more_than": pl.Float64,
        "error": pl.String,
    }


def _median(values: pl.Series) -> float | None:
    """Return the median of the values that are known."""
    known = values.drop_nulls()
    return float(np.median(known.to_numpy())) if len(known) else None


def is_the_papers(log: Mapping[str, Any]) -> bool:
    """Return whether a log that a folder has noted is the paper's log of that name, and not another one that is called so."""
    try:
        entry = datasets.paper_log(log["log"])
    except ActalikeError:
        return False
    return (log["cases"], log["activities"]) == (entry.cases, entry.activities)


# --- the machine and the versions with which times were taken ----------------------------------------------------------------


def processor() -> str:
    """Return the processor's name, and how many cores this process may use."""
    return f"{_model()}, {_cores()} cores"


def versions(method: Method) -> dict[str, str]:
    """Return the versions of Python, of what every method uses, and of what this one needs."""
    needed = [extra.package for extra in method.needs]
    numbers = {"actalike": __version__, "python": platform.python_version()}
    for package in ("numpy", "scipy", *needed):
        try:
            numbers[package] = metadata.version(package)
        except metadata.PackageNotFoundError:  # known under another name
            numbers[package] = "unknown"
    return numbers


def machine() -> dict[str, Any]:
    """Return what kind of machine this is."""
    return {"processor": processor(), "system": f"{platform.system()} {platform.machine()}"}


def _model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    named = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return named[1].strip() if named else platform.processor() or platform.machine() or "unknown processor"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# --- tables ------------------------------------------------------------------------------------------------------------------


_COLUMNS = (
    "method", "passes over", "calls", "reading s", "median s", "quartiles", "least - most", "CPU s", "as published s", "paper s",
    "ratio", "parts, ms", "rows x dimension", "dense", "stored", "memory",
)  # fmt: skip


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
    passes, reading = str(row["passes_over"] or "-"), digits(row["reading"])
    if row["seconds"] is None:
        time = f">{row['more_than']:g}" if row["more_than"] is not None else "failed"
        return [str(row["method"]), passes, "0", reading, time, *["-"] * 4, digits(row["paper"]), *["-"] * 6]
    return [
        str(row["method"]),
        passes,
        str(row["repeats"]),
        reading,
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


# --- pictures ----------------------------------------------------------------------------------------------------------------


_PAPER_COLOUR, _UNFINISHED_COLOUR = "#d55e00", "#888888"
_SHADES = ("#9ecae1", "#4292c6", "#08306b")  # of a small, a middle and a large window


def _with_windows(table: pl.DataFrame) -> pl.DataFrame:
    """Add the window of each method, and its name without it; a span is not a window."""
    names = {name: MethodName.parse(name) for name in table["method"].unique()}
    windows = {name: parsed.window if parsed.marker == "w" else None for name, parsed in names.items()}
    stems = {name: parsed.without_window if parsed.marker == "w" else name for name, parsed in names.items()}
    return table.with_columns(
        pl.col("method").replace_strict(windows, return_dtype=pl.Int64).alias("window"),
        pl.col("method").replace_strict(stems, return_dtype=pl.String).alias("stem"),
    )


def _seconds_by_method(table: pl.DataFrame) -> Any:
    """Draw a panel for each log, a line for each method; windows as darker dots, the paper's figures as rings."""
    likely = pl.coalesce("seconds", "more_than").log()
    order = (
        table.group_by("stem")
        .agg(likely.mean().alias("at"))
        .drop_nulls("at")
        .sort("at", "stem", descending=True)["stem"]
        .to_list()
    )
    place = {stem: y for y, stem in enumerate(order)}
    logs = table["log"].unique(maintain_order=True).to_list()
    windows = table["window"].drop_nulls().unique().sort().to_list()
    figure = new_figure(2.6 + 2.7 * len(logs), 2.2 + 0.24 * len(order))
    panels = figure.subplots(1, len(logs), sharey=True, squeeze=False)[0]
    for axes, log in zip(panels, logs, strict=True):
        for row in table.filter((pl.col("log") == log) & pl.col("stem").is_in(order)).iter_rows(named=True):
            colour = _SHADES[1] if row["window"] is None else _shade(row["window"], windows)
            y = place[row["stem"]]
            if row["seconds"] is not None:
                axes.plot([row["least"], row["most"]], [y, y], "-", color=colour, lw=1, alpha=0.6)
                axes.plot(row["seconds"], y, "o", color=colour, markersize=4.5)
            elif row["more_than"] is not None:
                axes.plot(row["more_than"], y, ">", color=_UNFINISHED_COLOUR, markersize=5)
            if row["paper"]:
                axes.plot(row["paper"], y, "o", mfc="none", mec=_PAPER_COLOUR, markersize=5, mew=1)
        axes.set_xscale("log")
        axes.set_title(shown(log), fontsize=9)
        axes.set_yticks(range(len(order)), order, fontsize=8)
        axes.set_ylim(-0.7, len(order) - 0.3)
        axes.grid(alpha=0.25)
        axes.tick_params(axis="x", labelsize=8)
        axes.set_xlabel("seconds", fontsize=9)
    keys = [("o", _shade(window, windows), _shade(window, windows), f"window {window}") for window in windows]
    if table["paper"].drop_nulls().len():
        keys.append(("o", "none", _PAPER_COLOUR, "the paper's figure"))
    if table["more_than"].drop_nulls().len():
        keys.append((">", _UNFINISHED_COLOUR, _UNFINISHED_COLOUR, "not finished in this time"))
    handles = [panels[0].plot([], [], mark, mfc=face, mec=edge, label=label)[0] for mark, face, edge, label in keys]
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)
    figure.suptitle("Median seconds from a log to all distances; lines: least to most", fontsize=10)
    return figure


def _shade(window: int, windows: list[int]) -> str:
    return _SHADES[windows.index(window) * len(_SHADES) // len(windows)]
