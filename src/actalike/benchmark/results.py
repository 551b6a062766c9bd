"""Results: from a folder of files to tidy frames, means with intervals, tables, pictures, and sentences about what is missing."""

import fnmatch
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple, Protocol, Self

import msgspec
import polars as pl

from actalike.benchmark.folders import COUNT, FIGURES, TEXT, ResultFolder, read_json, unsound
from actalike.benchmark.pictures import means_by_method
from actalike.benchmark.scoring import RESAMPLES, Tally, from_lists, mean_and_interval
from actalike.benchmark.tables import check_layout, csv_table, figure_table
from actalike.errors import ActalikeError, did_you_mean

Key = tuple[str, str, str]  # a participant, a log, the name of a unit


class _Asked(msgspec.Struct):
    participants: list[TEXT]
    units: dict[TEXT, list[TEXT]]


class _Request(msgspec.Struct):
    asked: list[_Asked]


class _Result(msgspec.Struct):
    figures: Annotated[FIGURES, msgspec.Meta(min_length=1)] | None = None
    error: TEXT | None = None
    draw: COUNT = 0


class _File(msgspec.Struct):
    log: TEXT
    log_digest: TEXT
    unit: TEXT
    at: dict[TEXT, Any]
    participants: dict[TEXT, _Result]


class Column(NamedTuple):
    """A column of the tables: the mean of a metric over some units of a log, and over the draws of each.

    ``units`` has values or wildcards of the units that count, by their columns (``{"task": ("syn-case-*",)}``); None: all count.
    """

    name: str
    figure: str  # which metric
    about: str  # what it is, for the benchmark page
    part: str = ""  # over the table that it is in
    units: Mapping[str, Sequence[Any]] | None = None
    kind: str = "share"  # 0 to 1, more is better; ``seconds`` and ``bytes``: less is better
    ranked: bool = True  # whether the best three are marked
    on_page: bool = True

    def takes(self, at: Mapping[str, Any]) -> bool:
        """Return whether a unit counts.

        >>> Column("case", "nn", "", units={"task": ("syn-case-*",)}).takes({"task": "syn-case-2"})
        True
        """
        wanted = (self.units or {}).items()
        return all(any(fnmatch.fnmatchcase(str(at[name]), str(one)) for one in patterns) for name, patterns in wanted)


class PageColumn(NamedTuple):
    """A column of the benchmark page: its heading, and the frame and column where its figures stand."""

    title: str
    about: str
    kind: str
    table: pl.DataFrame
    figure: str
    ranked: bool = True


class TaskLike(Protocol):
    """What results know of their task."""

    name: ClassVar[str]
    metrics: ClassVar[Mapping[str, Any]]
    columns: ClassVar[Sequence[Column]]
    unit_columns: ClassVar[Mapping[str, Any]]
    has_own_metrics: ClassVar[bool]
    details: ClassVar[Sequence[str]]


@dataclass(frozen=True)
class Results:
    """The results of a folder, in memory: everything else is derived from them without reading a file again.

    ``singles`` has a row for each draw of each participant on each unit, or for its failure. Its columns are ``method``, ``log``,
    those of units, ``draw``, the metrics, ``error``. ``details`` has what a task keeps besides figures, and ``requested`` what
    was asked for, both by participant, log and name of the unit.
    """

    has_means: ClassVar[bool] = True  # whether there are means over logs, with intervals
    has_families: ClassVar[bool] = False  # whether means over logs are over families of logs, which then count as one
    tally_names: ClassVar[Sequence[str]] = ()  # the details that are tallies of probabilities
    fails_whole_logs: ClassVar[bool] = False  # whether a participant that failed on a unit has no figure of the whole log

    folder: ResultFolder
    singles: pl.DataFrame
    task: Any
    details: Mapping[Key, Mapping[str, Any]]
    requested: frozenset[Key]

    @property
    def benchmark(self) -> str:
        """The name of the benchmark."""
        return self.folder.benchmark

    @property
    def failures(self) -> pl.DataFrame:
        """The single results that are failures."""
        return self.singles.filter(pl.col("error").is_not_null())

    def of_logs(self, logs: Collection[str] | None) -> Self:
        """Return the results of these logs alone; of all, if none are named."""
        if logs is None:
            return self
        known = set(self.singles["log"])
        for log in logs:
            if log not in known:
                raise ActalikeError(
                    f"{self.folder.path} has no results of a log called {log!r}.{did_you_mean(log, sorted(known))}"
                )
        return replace(self, singles=self.singles.filter(pl.col("log").is_in(list(logs))))

    def frame(self, *, by_log: bool) -> pl.DataFrame:
        """Return the figures of each log, or their means over the logs."""
        return self.by_log() if by_log or not self.has_means else self.over_logs()

    def check_layout(self, *, form: str = "md", by: str | None = None, intervals: bool = False) -> None:
        """Reject a table that these results cannot have."""
        check_layout(form, by, intervals)
        if intervals and not self.has_means:
            raise ActalikeError(
                f"--intervals is for means over logs, and {self.folder.path} has times: --by log has their spread."
            )

    @classmethod
    def read(cls, task: Any, folder: ResultFolder) -> Self:
        """Read all files of a folder."""
        rows: list[dict[str, object]] = []
        details: dict[Key, Mapping[str, Any]] = {}
        plan = {key: value for key, value in folder.description.items() if key not in ("benchmark", "format")}
        own: dict[str, None] = {}
        for path in sorted(folder.path.glob("*/*/*.json")):
            content = read_file(path, task, plan, folder.digest(path.parents[1].name))
            at = {name: content["at"].get(name) for name in task.unit_columns}
            for method, result in content["participants"].items():
                details[method, content["log"], content["unit"]] = result
                where = {"method": method, "log": content["log"], **at}
                if "error" in result:
                    rows.append({**where, "draw": result.get("draw", 0), "error": result["error"]})
                for draw, figures in enumerate(result.get("figures", [])):
                    rows.append({**where, "draw": draw, **figures})
                    own |= dict.fromkeys(name for name in figures if name not in task.metrics)
        if not rows:
            raise ActalikeError(f"{folder.path} has no results yet.")
        units, metrics = dict(task.unit_columns), {**task.metrics, **dict.fromkeys(own, pl.Float64)}
        schema = {"method": pl.String, "log": pl.String, **units, "draw": pl.Int64, **metrics, "error": pl.String}
        singles = pl.DataFrame(rows, schema=schema).sort("method", "log", *units, "draw")
        return cls(folder, singles, task, details, requested(folder))

    @cached_property
    def tallies(self) -> dict[Key, tuple[Tally, ...]]:
        """The probabilities of each participant, log and unit, as ``tally_names`` says; of those that give some."""
        logs = set(self.singles["log"])
        return {
            key: tuple(from_lists(kept[name]) for name in self.tally_names)
            for key, kept in self.details.items()
            if key[1] in logs and any(kept.get(name) for name in self.tally_names)
        }

    @property
    def probable(self) -> list[str]:
        """The participants that give probabilities."""
        return sorted({method for method, _, _ in self.tallies} & set(self.singles["method"]))

    @property
    def done(self) -> set[Key]:
        """What has a result: participant, log and unit."""
        logs = set(self.singles["log"])
        return {key for key in self.details if key[1] in logs}

    def by_unit(self) -> pl.DataFrame:
        """Return all figures of each participant on each unit, as means over the draws; failures have none."""
        sound = self.singles.filter(pl.col("error").is_null())
        keys = ["method", "log", *self.task.unit_columns]
        return sound.group_by(keys).agg(pl.col(*self.task.metrics).mean()).sort(keys)

    def by_log(self) -> pl.DataFrame:
        """Return the columns of the tables for each participant on each log: means over the units that count."""
        by_unit = self.by_unit()
        frame = self.singles.select("method", "log").unique().sort("method", "log")
        if self.fails_whole_logs:
            by_unit = by_unit.join(self.failures.select("method", "log"), on=["method", "log"], how="anti")
        at = by_unit.select(*self.task.unit_columns, pl.lit(0).alias("_")).unique()
        for units, columns in _by_units(self.task.columns):
            taken = at.filter(pl.Series([columns[0].takes(row) for row in at.iter_rows(named=True)], dtype=pl.Boolean))
            part = by_unit if units is None else by_unit.join(taken, on=list(self.task.unit_columns), how="semi")
            means = part.group_by("method", "log").agg(pl.col(one.figure).mean().alias(one.name) for one in columns)
            frame = frame.join(means, on=["method", "log"], how="left")
        return frame.select("method", "log", *(column.name for column in self.task.columns)).sort("method", "log")

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return the mean of each participant over the logs, or over their families, with a 95 % interval (these resampled)."""
        names = [column.name for column in self.task.columns]
        failures = self.failures
        rows = []
        for (method,), part in self.by_log().group_by("method", maintain_order=True):
            row: dict[str, object] = {"method": method, "logs": self.count_logs(part)}
            if self.has_families:
                families = pl.Series("family", [self.family_of(log) for log in part["log"]])
                part = part.with_columns(families).group_by("family", maintain_order=True).agg(pl.col(names).mean())
                row["families"] = part.height
            row["failed"] = failures.filter(pl.col("method") == method)["log"].n_unique()
            for name in names:
                row |= mean_and_interval(part[name], resamples)
            rows.append(row)
        schema = dict.fromkeys((f"{name}{end}" for name in names for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=schema)

    def count_logs(self, part: pl.DataFrame) -> int:
        """Return the number of logs in a participant's means, given its figures of each log."""
        return part.filter(pl.any_horizontal(pl.col(column.name).is_not_null() for column in self.task.columns)).height

    def family_of(self, log: str) -> str:
        """Return the family of a log: logs of one BPI challenge are much alike, any other log is its own."""
        return log_family(log)

    def gaps(self) -> list[str]:
        """Return what a reader must know: what is not there yet, methods that were not run everywhere, failures."""
        done = self.done
        wanted = self.requested | done
        missing = wanted - done
        gaps = [
            f"{gap}: means are over the others"
            for gap in not_there_yet(len(missing), len(wanted), (method for method, *_ in missing))
        ]
        return gaps + self.gaps_of_logs() + self.gaps_of_failures()

    def gaps_of_logs(self) -> list[str]:
        """Say which participants were not run on all logs."""
        everywhere = self.singles["log"].n_unique()
        logs = self.singles.group_by("method").agg(pl.col("log").n_unique()).sort("method")
        return [f"{method} was run on {n} of {everywhere} logs" for method, n in logs.iter_rows() if n < everywhere]

    def gaps_of_failures(self) -> list[str]:
        """Say who failed, where, and how."""
        gaps = []
        for (method,), part in self.failures.group_by("method", maintain_order=True):
            where = list(dict.fromkeys(sorted(self.place_of(row) for row in part.iter_rows(named=True))))
            some = where if self.fails_whole_logs else [*where[:3], *(["..."] if len(where) > 3 else [])]
            gaps.append(f"{method} failed on {', '.join(some)} (not in its means): {part['error'][0].rstrip('.')}")
        return gaps

    def place_of(self, row: Mapping[str, Any]) -> str:
        """Return where a failure was, as sentences name it."""
        units = "" if self.fails_whole_logs else " ".join(str(row[name]) for name in self.task.unit_columns)
        return f"{row['log']} {units}".strip()

    def table(self, *, form: str, by_log: bool, intervals: bool) -> str:
        """Return the results as Markdown, LaTeX or CSV: a table for each part of the columns.

        Columns and participants without any figure are left out of a part; if there is one part without a title, none is.
        """
        frame = self.frame(by_log=by_log)
        if form == "csv":
            return csv_table(self.for_csv(frame, by_log=by_log))
        tables = []
        for part in dict.fromkeys(column.part for column in self.task.columns):
            columns = [column for column in self.task.columns if column.part == part]
            shown = [column.name for column in columns if not part or frame[column.name].null_count() < frame.height]
            rows = frame.filter(pl.any_horizontal(pl.col(name).is_not_null() for name in shown)) if part and shown else frame
            if shown and rows.height:
                rows = self.rows_of_part(part, rows, shown, by_log=by_log)
                ranked = [column.name for column in columns if column.ranked]
                text = figure_table(rows, form, shown, by_log=by_log, intervals=intervals, ranked=ranked)
                tables.append(f"{part}:\n\n{text}" if part else text)
            tables += self.beside_part(part, form, by_log=by_log)
        return "\n\n".join(tables)

    def for_csv(self, frame: pl.DataFrame, *, by_log: bool) -> pl.DataFrame:
        """Return the frame that is written as CSV."""
        return frame

    def rows_of_part(self, part: str, rows: pl.DataFrame, columns: list[str], *, by_log: bool) -> pl.DataFrame:
        """Return the rows of a table: those of others may be added, such as published figures."""
        return rows

    def with_logs_of_part(self, rows: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
        """Set ``logs`` to the number of logs with a figure in a part: not every participant is asked everywhere."""
        some = self.by_log().filter(pl.any_horizontal(pl.col(column).is_not_null() for column in columns))
        return rows.drop("logs").join(some.group_by("method").agg(pl.len().alias("logs")), on="method", how="left")

    def beside_part(self, part: str, form: str, *, by_log: bool) -> list[str]:
        """Return what stands below a table, as tables with a title."""
        return []

    def pictures(self) -> dict[str, Any]:
        """Draw all pictures that these results have; return them by name."""
        means, pictures = self.over_logs(), {}
        columns = {part: [one.name for one in self.task.columns if one.part == part] for part in _parts(self.task.columns)}
        for part, names in columns.items():
            drawn = [name for name in names if means[name].drop_nulls().len()]
            if drawn:
                name = re.sub("[^a-z0-9]+", "_", part.lower()).strip("_") or "by_method"
                pictures[name] = means_by_method(means, drawn, part or self.task.name)
        return pictures

    def nothing_to_draw(self) -> ActalikeError:
        """Return the error about results without any figure."""
        return ActalikeError(f"No method of {self.folder.path} has a value, so there is nothing to draw.")

    def page_columns(self) -> list[PageColumn]:
        """Return the columns of the benchmark page: those that some participant has a figure of."""
        table = self.by_log()
        return [  # the page knows that fewer seconds and bytes are better, which tables do not
            PageColumn(one.name, one.about, one.kind, table.drop_nulls(one.name), one.name, one.ranked or one.kind != "share")
            for one in self.task.columns
            if one.on_page and table[one.name].drop_nulls().len()
        ]


def _parts(columns: Iterable[Column]) -> list[str]:
    return list(dict.fromkeys(column.part for column in columns))


def _by_units(columns: Iterable[Column]) -> list[tuple[Any, list[Column]]]:
    """Return the columns that are over the same units, together."""
    together: dict[str, list[Column]] = {}
    for column in columns:
        together.setdefault(repr(column.units), []).append(column)
    return [(part[0].units, part) for part in together.values()]


def log_family(log: str) -> str:
    """Return the family of a log: logs of one BPI challenge are one family, any other log is its own.

    >>> log_family("BPIC15_4"), log_family("BPIC12_W_Complete"), log_family("Helpdesk")
    ('BPIC15', 'BPIC12', 'Helpdesk')
    """
    found = re.match(r"BPIC\d\d", log)
    return found[0] if found else log


def requested(folder: ResultFolder) -> frozenset[Key]:
    """Return what was asked for so far: participant, log, unit."""
    return frozenset(
        (participant, log, unit)
        for request in folder.requests(_Request)
        for asked in request["asked"]
        for log, units in asked["units"].items()
        for unit in units
        for participant in asked["participants"]
    )


def read_file(path: Path, task: TaskLike, plan: Mapping[str, Any], digest: str) -> dict[str, Any]:
    """Read a file of results; one from another run (folders may have been copied together) is an error."""
    content = read_json(path, _File)
    check_same_run(path, content, {**plan, "log_digest": digest, "unit": path.parent.name})
    for result in content["participants"].values():
        if "error" in result:
            continue
        if missing := [name for name in ("figures", *task.details) if name not in result or result[name] is None]:
            raise unsound(path, f"it has no {missing[0]!r}")
        unknown = [name for one in result["figures"] for name in one if name not in task.metrics]
        if unknown and not task.has_own_metrics:
            raise unsound(path, f"it has a figure {unknown[0]!r}, which this version does not know")
    return content


def check_same_run(path: Path, result: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Reject a result file of another run: folders may have been copied together."""
    differing = [f"{key} {result.get(key)!r}, not {value!r}" for key, value in expected.items() if result.get(key) != value]
    if differing:
        raise ActalikeError(
            f"{path} is of another run than its folder ({'; '.join(differing)}): results of different runs do not mix. Remove it."
        )


def not_there_yet(missing: int, wanted: int, names: Iterable[str]) -> list[str]:
    """Say how many results are missing, and of what.

    >>> not_there_yet(2, 8, ["kin-w5", "one-hot"]), not_there_yet(0, 8, [])
    (['2 of 8 results are not there yet, of kin-w5, one-hot'], [])
    """
    if not missing:
        return []
    ordered = sorted(set(names))
    return [
        f"{missing:,} of {wanted:,} results are not there yet, of {', '.join(ordered[:3])}{', ...' if len(ordered) > 3 else ''}"
    ]
