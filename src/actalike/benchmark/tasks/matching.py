"""The benchmark of matching: is it found which activity of one log is which of another?

A pair of logs stands where other benchmarks have a log. Which pairs there are, what is hidden, told and planted is in
``matching_problems``, how answers are scored in ``matching_scores``, and who takes part in ``matchers``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import polars as pl

from actalike.benchmark.logs import LogFiles
from actalike.benchmark.participants import find_tasks
from actalike.benchmark.pictures import draw_reliability, means_by_method
from actalike.benchmark.record import Warn
from actalike.benchmark.results import Column, Results
from actalike.benchmark.scoring import (
    RESAMPLES,
    Tally,
    add_tallies,
    as_lists,
    calibration_error,
    mean_and_interval,
    reliability,
)
from actalike.benchmark.tables import reliability_table
from actalike.benchmark.task import Source, Task, Unit, option, shares
from actalike.benchmark.tasks.matchers import MATCHERS, Answer, Matcher
from actalike.benchmark.tasks.matching_problems import (
    CASES,
    KINDS,
    NOTHING_KNOWN,
    TASKS,
    TIME,
    Kind,
    LogPair,
    NamedLog,
    Names,
    Problem,
    depends_on_chance,
    find_pairs,
    make_problem,
    takes_place,
)
from actalike.benchmark.tasks.matching_scores import FIGURES, Judged, judge
from actalike.benchmark.tasks.measuring import with_cost
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.support.figures import new_figure, shown

# --- the columns of the tables ------------------------------------------------------------------------------------------------

KIND_TITLES: dict[Kind, str] = {
    "codes": "Two logs of BPIC15",
    "vocabulary": "Two logs of BPIC20",
    "time": "Two halves of a log, by time",
    "cases": "Two halves of a log, by cases",
}
_SHORT: dict[Kind, str] = {"codes": "codes", "vocabulary": "words", "time": "time", "cases": "cases"}
_PARTNERS = {
    "hit1": ("hit1", "the partner is the best candidate"),
    "hit5": ("hit5", "the partner is one of the best five"),
    "mrr": ("mrr", "mean of 1 / rank of the partner"),
    "one": ("assigned", "the partner is assigned, if each label gets one partner at most"),
    "events": ("events", "the same, weighted by events"),
    "often": ("hit1_often", "hit1 of labels in 5 or more cases of both logs"),
}
_TOLD = ("known-5", "known-10", "known-20", "frequent-5", "frequent-10", "frequent-20")
PLANTED, NO_PARTNER, PAIRS = "Halves by cases, some labels renamed", "No partner", "Pairs, many to one"
CONFIDENCE, COST = "Confidence", "Cost of two logs of BPIC15 (processor seconds, megabytes)"
ECE: dict[str, Kind] = {f"{_SHORT[kind]}_ece": kind for kind in KINDS}  # computed from tallies of proposed pairs, nothing known
_ON_PAGE = (
    *("codes_hit1", "codes_one", "codes_events", "codes_known10_hit1"),
    *("words_hit1", "words_one", "time_hit1", "time_one", "cases_hit1", "cases_one"),
    *("renamed50_hit1", "deleted10_none_ap", "split_f", "codes_surest25", "seconds"),
)


def _column(name: str, part: str, kind: Kind, task: str, figure: str, about: str) -> Column:
    of = {"seconds": "seconds", "megabytes": "bytes"}.get(name, "share")
    ranked = of == "share" and name not in ECE
    return Column(name, figure, about, part, {"kind": (kind,), "task": (task,)}, of, ranked, name in _ON_PAGE)


def _told(task: str) -> str:
    kind, _, percent = task.partition("-")
    return f"{percent} % of the pairs are known" + (", the most frequent ones" if kind == "frequent" else "")


def _of_kind(kind: Kind) -> list[Column]:
    short, title = _SHORT[kind], KIND_TITLES[kind]
    nothing = [
        _column(f"{short}_{name}", f"{title}, nothing known", kind, NOTHING_KNOWN, figure, about)
        for name, (figure, about) in _PARTNERS.items()
    ]
    if kind == "cases":
        return nothing
    return nothing + [
        _column(
            f"{short}_{task.replace('-', '')}_{name}", f"{title}, {part} known", kind, task, figure, f"{about}; {_told(task)}"
        )
        for part, start in (("some pairs", "known"), ("the most frequent pairs", "frequent"))
        for name, figure, about in (("hit1", *_PARTNERS["hit1"]), ("one", *_PARTNERS["one"]))
        for task in _TOLD
        if task.startswith(start)
    ]


def _planted(percent: int) -> list[Column]:
    about = f"{percent} % of the labels are renamed, the others known"
    return [
        _column(f"renamed{percent}_{name}", PLANTED, "cases", f"renamed-{percent}", figure, f"{about}: {what}")
        for name, (figure, what) in _PARTNERS.items()
        if name in ("hit1", "one")
    ]


_NONE = {
    "ap": ("none_ap", "average precision of telling labels without a partner"),
    "precision": ("none_precision", "share of right ones among the labels that are said to have no partner"),
    "recall": ("none_recall", "share of the labels without a partner that are said to have none"),
    "precision_often": ("none_precision_often", "precision over labels in 5 or more cases of their log"),
    "recall_often": ("none_recall_often", "recall of labels in 5 or more cases of their log"),
}


def _none(prefix: str, kind: Kind, task: str, where: str) -> list[Column]:
    return [
        _column(f"{prefix}_none_{name}", NO_PARTNER, kind, task, figure, f"{about}; {where}")
        for name, (figure, about) in _NONE.items()
    ]


def _pairs(prefix: str, kind: Kind, task: str, where: str) -> list[Column]:
    return [
        _column(f"{prefix}_{figure}", PAIRS, kind, task, figure, f"{about}; {where}")
        for figure, about in (
            ("precision", "share of the proposed pairs that are true"),
            ("recall", "share of the true pairs that are proposed"),
            ("f", "F of both"),
        )
    ]


COLUMNS: tuple[Column, ...] = (
    *(column for kind in KINDS for column in _of_kind(kind)),
    *(column for percent in (50, 30, 10) for column in _planted(percent)),
    *_none("deleted10", "cases", "deleted-10", "10 % of the labels deleted from one half"),
    *_none("deleted30", "cases", "deleted-30", "30 % of the labels deleted from one half"),
    *_none("codes", "codes", NOTHING_KNOWN, "BPIC15"),
    *_pairs("split", "cases", "split", "10 % of the labels of one half split in two"),
    *_pairs("split70", "cases", "split-known-70", "the same, 70 % of the pairs known"),
    *_pairs("codes", "codes", NOTHING_KNOWN, "BPIC15"),
    *_pairs("words", "vocabulary", NOTHING_KNOWN, "BPIC20"),
    *(
        _column(
            f"{_SHORT[kind]}_surest{n}", CONFIDENCE, kind, NOTHING_KNOWN, f"surest{n}", f"right, of the surest {n} % assigned"
        )
        for kind in ("codes", "time", "cases")
        for n in (10, 25, 50)
    ),
    _column("seconds", COST, "codes", NOTHING_KNOWN, "seconds", "processor seconds of one matching"),
    _column("megabytes", COST, "codes", NOTHING_KNOWN, "megabytes", "memory that one matching takes at its highest"),
    *(_column(name, CONFIDENCE, kind, NOTHING_KNOWN, name, "probabilities against shares") for name, kind in ECE.items()),
)


# --- what is asked, and how it is judged --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MatchingOptions:
    """Which pairs of logs, and what is known or planted."""

    kinds: Sequence[str] | None = option(None, "Pairs of logs: codes, vocabulary, time, cases. [all]", metavar="KIND...")
    tasks: Sequence[str] | None = option(None, "What is known or planted, e.g. 'known-*' deleted-10. [all]", metavar="PATTERN...")
    draws: int = option(10, "How often what depends on chance is drawn.", plan=True, least=1)
    seed: int = option(0, "What the draws depend on.", plan=True)

    def __post_init__(self) -> None:
        """Refuse kinds and tasks that are not known."""
        find_tasks(TASKS, self.tasks)
        if unknown := [name for name in self.kinds or () if name not in KINDS]:
            raise ActalikeError(f"No kind of pairs is called {unknown[0]!r}. There are {', '.join(KINDS)}.")


class MatchingResults(Results):
    """A row of the tables is a pair of logs, so it stands in the column ``log``.

    Pairs of one family (a BPI challenge) are much alike. Means are over families, and each family is the mean of its pairs.
    Intervals are over families, or over pairs if there is but one family.
    """

    has_families: ClassVar[bool] = True
    tally_names: ClassVar[Sequence[str]] = ("proposed", "best")  # of proposed pairs, and of best candidates

    def tally(self, method: str, kind: Kind, log: str | None = None) -> tuple[Tally, Tally]:
        """Return the probabilities of a matcher over pairs of a kind, nothing known: proposed pairs, best candidates."""
        logs = set(self.singles.filter(pl.col("kind") == kind)["log"]) & ({log} if log else set(self.singles["log"]))
        chosen = [both for (m, of, task), both in self.tallies.items() if m == method and of in logs and task == NOTHING_KNOWN]
        return add_tallies(pairs for pairs, _ in chosen), add_tallies(best for _, best in chosen)

    def by_unit(self) -> pl.DataFrame:
        """Return all figures of each matcher on each task of each pair, as means over the draws; failures have none.

        Answers "no partner" are few in a draw, so their precision and recall are over those of all draws together.
        """
        sound = self.singles.filter(pl.col("error").is_null())
        keys = ["method", "log", *self.task.unit_columns]
        derived = (
            (pl.col("bytes").mean() / 1e6).alias("megabytes"),
            *(_answered("none_right", "none_said", end).alias(f"none_precision{end}") for end in ("", "_often")),
            *(_answered("none_right", "none_true", end).alias(f"none_recall{end}") for end in ("", "_often")),
            *(pl.lit(None, dtype=pl.Float64).alias(name) for name in ECE),
        )
        return sound.group_by(keys).agg(pl.col(FIGURES).mean(), *derived).sort(keys)

    def by_log(self) -> pl.DataFrame:
        """Return the figures of the tables for each matcher on each pair of logs, with its calibration errors."""
        frame = super().by_log()
        pairs = list(frame["method", "log"].iter_rows())
        errors = [
            pl.Series(name, [calibration_error(self.tally(method, kind, log)[0]) for method, log in pairs], dtype=pl.Float64)
            for name, kind in ECE.items()
        ]
        return frame.with_columns(errors)

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return the mean of each matcher over the families of logs, with a 95 % interval (families or pairs resampled).

        Calibration errors are of the probabilities of all pairs of logs together: one pair has too few.
        """
        table = self.by_log().join(self.singles.select("log", "family").unique(), on="log", how="left")
        failures = self.failures
        rows = []
        for (method,), part in table.group_by("method", maintain_order=True):
            n_failed = failures.filter(pl.col("method") == method)["log"].n_unique()
            counts = {"logs": part.height, "families": part["family"].n_unique(), "failed": n_failed}
            row: dict[str, object] = {"method": method, **counts}
            for column in (one.name for one in COLUMNS):
                if column in ECE:
                    error = calibration_error(self.tally(str(method), ECE[column])[0])
                    row |= {column: error, f"{column}_low": None, f"{column}_high": None}
                else:
                    row |= mean_and_interval(_independent(part.select("family", column).drop_nulls(column), column), resamples)
            rows.append(row)
        schema = dict.fromkeys((f"{one.name}{end}" for one in COLUMNS for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides=schema)

    def rows_of_part(self, part: str, rows: pl.DataFrame, columns: list[str], *, by_log: bool) -> pl.DataFrame:
        """Return the rows with the number of pairs in this part: matchers that read labels take part in fewer kinds."""
        return rows if by_log else self.with_logs_of_part(rows, columns)

    def beside_part(self, part: str, form: str, *, by_log: bool) -> list[str]:
        """Return the reliability curves of the matchers that give probabilities, for each kind of pairs."""
        tables = []
        for method in self.probable if part == CONFIDENCE and not by_log else ():
            for kind in KINDS:
                for tally, title in zip(self.tally(method, kind), ("proposed pairs", "best candidates"), strict=True):
                    if tally.n.sum():
                        what = f"{method}, {title}, {KIND_TITLES[kind]}, nothing known"
                        tables.append(reliability_table(what, tally, "share the same step", form))
        return tables

    def gaps_of_logs(self) -> list[str]:
        """Say nothing of matchers that are not asked everywhere: those that read labels never are."""
        return []

    def place_of(self, row: Mapping[str, Any]) -> str:
        """Return where a failure was."""
        return f"{row['log']} {row['task']}"

    def pictures(self) -> dict[str, Any]:
        """Draw partners found by matcher, what known pairs bring, and reliability."""
        means, pictures = self.over_logs(), {}
        for kind in KINDS:
            part = f"{KIND_TITLES[kind]}, nothing known"
            if drawn := [one.name for one in COLUMNS if one.part == part and means[one.name].drop_nulls().len()]:
                pictures[f"partners_{kind}"] = means_by_method(means, drawn, part)
        told = {0: "codes_hit1", 5: "codes_known5_hit1", 10: "codes_known10_hit1", 20: "codes_known20_hit1"}
        if all(means[column].drop_nulls().len() for column in told.values()):
            pictures["known_pairs"] = _lines(means, told)
        if self.probable:
            pictures["reliability"] = self._reliability_curves()
        return pictures

    def _reliability_curves(self) -> Any:
        """Draw the reliability curves of proposed pairs, a panel for each kind of pairs of logs."""
        kinds = [kind for kind in KINDS if any(self.tally(method, kind)[1].n.sum() for method in self.probable)]
        figure = new_figure(5 * len(kinds), 5)
        for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
            curves = {method: reliability(self.tally(method, kind)[0]) for method in self.probable}
            draw_reliability(axes, {method: curve for method, curve in curves.items() if curve}, "share that is the same step")
            axes.set_title(f"{KIND_TITLES[kind]}, nothing known", fontsize=10)
        return figure


class Matching(Task):
    """Run the benchmark of matching: hide the labels of two logs, and see who finds which activity is which.

    Pairs of logs are those of BPIC15 (the same codes), those of BPIC20 (the same vocabulary), and two halves of each log.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark matching --logs event_logs/ --kinds codes --tasks known-0 --out results

    actalike benchmark matching --logs event_logs/ --methods match profile --draws 3 --out results --jobs 2
    """

    name = "matching"
    title = "Matching"
    metrics: ClassVar[Mapping[str, Any]] = shares(*FIGURES)
    columns = COLUMNS
    details: ClassVar[Sequence[str]] = ("proposed", "best")
    unit_columns: ClassVar[Mapping[str, Any]] = {"kind": pl.String, "family": pl.String, "task": pl.String}
    Options = MatchingOptions
    Results = MatchingResults
    participants = MATCHERS
    participants_help = "Matchers, e.g. match 'procrustes-*'. [all]"

    def read(self, files: LogFiles, name: str) -> NamedLog:
        """Read a log, and what its labels mean."""
        return NamedLog.of_file(files, name)

    def log_of(self, data: NamedLog) -> EventLog:
        """Return the log."""
        return data.log

    def sources(self, read: Mapping[str, NamedLog], warn: Warn) -> dict[str, LogPair]:
        """Return the pairs of logs, by name."""
        kinds = [kind for kind in KINDS if self.options.kinds is None or kind in self.options.kinds]
        return {pair.name: pair for pair in find_pairs(read, kinds, warn)}

    def digest_of(self, data: LogPair) -> str:
        """Return the digest of a pair."""
        return data.digest

    def facts_of(self, data: LogPair) -> dict[str, Any]:
        """Return figures of both logs together."""
        return data.facts()

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield the tasks of each pair; what no chance decides is asked once."""
        for name, source in sources.items():
            pair: LogPair = source.data
            for task in find_tasks(TASKS, self.options.tasks):
                if takes_place(task, pair.kind):
                    draws = self.options.draws if depends_on_chance(task, pair.kind) else 1
                    yield Unit(name, task, {"kind": pair.kind, "family": pair.family, "task": task}, draws)

    def takes(self, name: str, participant: Matcher, unit: Unit) -> bool:
        """Return whether a matcher is asked: halves of one log have the same labels, so those that read them are not."""
        return not (participant.reads_labels and unit.at["kind"] in (TIME, CASES))

    def nothing_to_do(self) -> str:
        """Return the sentence for logs without any pair."""
        return (
            "There is nothing to match: no two logs are in one scheme of labels, no log has 7 labels and two halves, or no "
            "matcher takes part in these tasks. Choose other logs, kinds, tasks or methods."
        )

    def draws(self, unit: Unit, participant: Matcher) -> int:
        """Return how often a matcher is asked: one that is slow, once."""
        return 1 if participant.slow else unit.draws

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Matcher]) -> tuple[Problem, int]:
        """Return a draw of a task, in words for a matcher that reads them, and its number."""
        (matcher,) = participants.values()  # each is a batch of its own
        names: Names = "words" if matcher.reads_labels else "codes"
        return make_problem(source.data, unit.at["task"], self.options.seed, draw, names), draw

    def evaluate(self, participant: Matcher, problem: tuple[Problem, int]) -> Judged:
        """Fit a matcher and judge it; seconds are those of the processor, bytes the growth of the process at its highest."""
        asked, draw = problem
        fitted, cost = with_cost(lambda: participant.fit(asked.log_a, asked.log_b, dict(asked.known)))
        judged = judge(Answer(fitted, asked.log_a, asked.log_b), asked, draw)
        judged.figures.update(cost)
        return judged

    def result(self, outcomes: Sequence[Judged]) -> dict[str, Any]:
        """Return the figures, and the tallies of probabilities."""
        return {
            "figures": [one.figures for one in outcomes],
            "proposed": as_lists(one.proposed for one in outcomes),
            "best": as_lists(one.best for one in outcomes),
        }


TASK = Matching


def _answered(part: str, whole: str, end: str) -> pl.Expr:
    """Return the share of a part over all draws; null if there is nothing, or if nothing was answered."""
    n = pl.col(f"{whole}{end}").sum()
    return pl.when(n > 0).then(pl.col(f"{part}{end}").sum() / n)


def _independent(values: pl.DataFrame, column: str) -> pl.Series:
    """Return what a mean is over: the means of the families, or the pairs if they are of one family."""
    if values["family"].n_unique() < 2:
        return values[column]
    return values.group_by("family", maintain_order=True).agg(pl.col(column).mean())[column]


def _lines(means: pl.DataFrame, told: Mapping[int, str]) -> Any:
    """Draw how many partners are found if a share of the pairs is known, a line for each matcher."""
    figure = new_figure(7, 4.5)
    axes = figure.subplots()
    for row in means.drop_nulls(told[0]).sort(told[0], descending=True).iter_rows(named=True):
        values = [(share, row[column]) for share, column in told.items() if row[column] is not None]
        axes.plot(*zip(*values, strict=True), "o-", ms=4, lw=1, label=shown(row["method"], 40))
    axes.set_ylim(0, 1)
    axes.set_xticks(list(told), [f"{share} %" for share in told])
    axes.set_xlabel("pairs that are known")
    axes.set_ylabel("best candidate is the partner")
    axes.set_title(f"{KIND_TITLES['codes']}: known pairs, drawn at random", fontsize=10)
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    return figure
