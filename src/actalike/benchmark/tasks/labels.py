"""The benchmark of labels: are names found that belong to one step?

What is planted is in ``planted_labels`` and ``label_traps``, what real logs tell of their own labels in ``known_labels``, how
answers are scored in ``label_scores``, and who takes part in ``groupers``.
"""

import fnmatch
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import polars as pl

from actalike.benchmark.logs import LogFiles
from actalike.benchmark.pictures import draw_reliability, means_by_method
from actalike.benchmark.results import Column, Results
from actalike.benchmark.scoring import (
    LIKELY,
    Tally,
    add_tallies,
    as_lists,
    calibration_error,
    of_likely,
    reliability,
)
from actalike.benchmark.tables import layout, reliability_table
from actalike.benchmark.task import Source, Task, Unit, option, shares
from actalike.benchmark.tasks.groupers import Grouper, GroupersAndMethods, MethodGrouper, check_result
from actalike.benchmark.tasks.known_labels import CLASSES, NAME_ATTRIBUTE, Synonyms, class_names, natural_synonyms, subprocess_of
from actalike.benchmark.tasks.label_scores import (
    FIGURES,
    Judged,
    judge_classes,
    judge_natural,
    judge_planted,
    judge_trapped,
    judge_unplanted,
)
from actalike.benchmark.tasks.label_traps import TRAPS, set_trap, trap_pairs
from actalike.benchmark.tasks.planted_labels import (
    RECIPES,
    Names,
    Planted,
    eligible_labels,
    plant,
    recipe,
    with_neutral_codes,
)
from actalike.counting import count_windows
from actalike.errors import ActalikeError, LogError, did_you_mean
from actalike.log import EventLog
from actalike.support.figures import new_figure, shown

UNPLANTED = "unplanted"  # what is proposed where nothing is planted
NATURAL = "natural"
CLASS_TASKS = {f"classes-{kind}": kind for kind in CLASSES}
TASKS = (*RECIPES, *TRAPS, UNPLANTED, NATURAL, *CLASS_TASKS)

# --- the columns of the tables ------------------------------------------------------------------------------------------------

NEAREST, GROUPS, PAIRS = "Nearest neighbour, by recipe", "Groups", "Pairs of labels"
ACCEPTED = "Accepted without asking"
ALARMS, CALIBRATION, SYNONYMS, EXPERTS = "What else is proposed", "Calibration", "Natural synonyms", "Expert classes"
CURVES = {  # of probabilities; the columns of their calibration errors, which are computed from the tallies of a log
    "ece": "all pairs with a planted name",
    "ece_likely": f"pairs with a planted name and a probability of {LIKELY} or more",
    "ece_nearest": "nearest partners only",
}
_SPLITS = ("syn-case-*", "syn-event-*", "syn-period-*", "syn-resource-*")
_VOCABULARIES = ("voc-site-*", "voc-period-*", "voc-resource-*")
_UNRANKED = ("trapped", "others", "unplanted", "brier", "gain", *CURVES)  # no merit, or less is better
_ON_PAGE = ("case", "event", "period", "resource", "natural", "natural_apart", "whole_2", "whole_4", "uneven_4", "f", "phase")


def _column(name: str, part: str, tasks: tuple[str, ...], figure: str, about: str) -> Column:
    return Column(name, figure, about, part, {"task": tasks}, ranked=name not in _UNRANKED, on_page=name in _ON_PAGE)


def _mixed(end: str) -> tuple[str, ...]:
    """Return the recipes whose names are in use at the same time."""
    return f"syn-case-{end}", f"syn-event-{end}"


COLUMNS = (
    _column("case", NEAREST, ("syn-case-*",), "nn", "nearest label is another name of the step; names by case"),
    _column("event", NEAREST, ("syn-event-*",), "nn", "the same; names by event"),
    _column("period", NEAREST, ("syn-period-*",), "nn", "the same; names by period"),
    _column("resource", NEAREST, ("syn-resource-*",), "nn", "the same; names by resource"),
    _column("part", NEAREST, ("syn-part-*",), "nn", "the same; a small part of the events has the other name"),
    _column("distorted", NEAREST, ("dis-*",), "nn", "the same; slips of the keyboard"),
    _column("polluted", NEAREST, ("pol-*",), "nn", "the same; changing text at the end of the label"),
    _column("whole_2", GROUPS, _mixed("2"), "whole", "both names of a step are in one group; names by case and by event"),
    _column("whole_4", GROUPS, _mixed("4"), "whole", "all four names of a step are in one group"),
    _column("uneven_4", GROUPS, _mixed("4-uneven"), "whole", "the same, of names that are unevenly frequent"),
    _column("whole_period", GROUPS, ("syn-period-*",), "whole", "all names of a step are in one group; names by period"),
    _column("exact", GROUPS, _SPLITS, "exact", "all names of a step are in one group, and nothing else"),
    _column("restored", GROUPS, _SPLITS, "restored", "events that get the most frequent name of their step back"),
    _column("precision", PAIRS, _SPLITS, "precision", "share of the proposed pairs that are one step by the recipe"),
    _column("sure", PAIRS, _SPLITS, "sure_precision", "the same, of pairs with a planted name"),
    _column("recall", PAIRS, _SPLITS, "recall", "share of the pairs of one step that are proposed"),
    _column("f", PAIRS, _SPLITS, "f", "F of precision and recall"),
    _column("ap", PAIRS, _SPLITS, "ap", "average precision of the ranking of pairs with a planted name"),
    _column("voc_site", ACCEPTED, ("voc-site-*",), "accepted", "pairs of one step that are accepted; sites with other words"),
    _column("voc_period", ACCEPTED, ("voc-period-*",), "accepted", "the same; other words from a day on"),
    _column("voc_resource", ACCEPTED, ("voc-resource-*",), "accepted", "the same; people with other words"),
    _column("slips", ACCEPTED, ("slip-*",), "accepted", "the same; one misspelt name"),
    _column(
        "accepted_right",
        ACCEPTED,
        (*_SPLITS, *_VOCABULARIES, "slip-*"),
        "accepted_precision",
        "share of the accepted pairs with a planted name that are one step",
    ),
    _column("trapped", ACCEPTED, ("trap-*",), "trapped", "share of pairs that are certainly two steps and are accepted"),
    _column("others", ALARMS, _SPLITS, "other_labels", "share of the labels in groups without a planted name"),
    _column("unplanted", ALARMS, (UNPLANTED,), "proposed_labels", "share of the labels in groups, where nothing is planted"),
    _column("brier", CALIBRATION, _SPLITS, "brier", "mean squared error of the probabilities"),
    _column("gain", CALIBRATION, _SPLITS, "brier_gain", "share of that error that the base rate would have beyond it"),
    _column("natural", SYNONYMS, (NATURAL,), "nn", "nearest label is the natural synonym"),
    _column("natural_mrr", SYNONYMS, (NATURAL,), "mrr", "mean of 1 / rank of the natural synonym"),
    _column("natural_apart", SYNONYMS, (NATURAL,), "nn_apart", "the nearest, of labels that share few cases with the query"),
    _column("natural_apart_mrr", SYNONYMS, (NATURAL,), "mrr_apart", "mean of 1 / rank, of labels that share few cases"),
    _column("subprocess", EXPERTS, ("classes-subprocess",), "nn", "nearest label is of the same subprocess"),
    _column("subprocess_ari", EXPERTS, ("classes-subprocess",), "ari_average", "clusters against subprocesses, average linkage"),
    _column("phase", EXPERTS, ("classes-phase",), "nn", "nearest label is of the same phase"),
    _column("phase_ari", EXPERTS, ("classes-phase",), "ari_average", "clusters against phases, average linkage"),
    _column("phase_nmi", EXPERTS, ("classes-phase",), "nmi_average", "the same, normalised mutual information"),
    _column("document", EXPERTS, ("classes-document",), "nn", "nearest label is of the same document"),
    _column("document_ari", EXPERTS, ("classes-document",), "ari_average", "clusters against documents, average linkage"),
    _column("verb", EXPERTS, ("classes-verb",), "nn", "nearest label has the same verb"),
    _column("verb_ari", EXPERTS, ("classes-verb",), "ari_average", "clusters against verbs, average linkage"),
    *(_column(name, CALIBRATION, _SPLITS, name, f"probabilities against shares, {of}") for name, of in CURVES.items()),
)

# Published: mean F over pairs of labels, five runs each, on Hospital_Billing with labels split as in SwiftMend's logs.
# Source: the repository Savandi/SwiftMend, comparison with its baseline (Sadeghianasl et al. 2019, control flow,
# threshold 0.7). Each figure is the mean of the five F; the repository itself gives F of mean precision and mean recall,
# higher by up to 0.04. Its runs split other labels than ours, so only means of many draws compare.
PUBLISHED_LOG = "Hospital_Billing"
PUBLISHED_SETTINGS = ("20-0.1", "20-10", "20-30", "40-30", "40-50", "60-50", "80-50", "100-50")  # % of labels, % of their events
PUBLISHED_F = {
    "SwiftMend, published": (0.0, 0.3733, 0.7467, 0.8014, 0.9209, 0.8772, 0.8393, 0.8381),
    "SynonymousLabelRepair, published": (0.0, 0.16, 0.5667, 0.5667, 0.7695, 0.7029, 0.7632, 0.7530),
}


# --- what is asked, and how it is judged --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LabelOptions:
    """Which defects are planted, and how often."""

    recipes: Sequence[str] | None = option(
        None, "Recipes and other tasks, e.g. 'syn-period-*' natural. [all]", metavar="PATTERN..."
    )
    draws: int = option(25, "How often each recipe is planted.", plan=True, least=1)
    seed: int = option(0, "What the draws depend on.", plan=True)

    def __post_init__(self) -> None:
        """Refuse recipes that are not known."""
        find_tasks(self.recipes)


class LabelResults(Results):
    """Means over draws and over the tasks of a column. Logs of one family (a BPI challenge) count as one."""

    has_families: ClassVar[bool] = True
    tally_names: ClassVar[Sequence[str]] = ("pairs", "nearest")  # of all sure pairs, and of nearest ones

    def curves(self, method: str, log: str | None = None) -> dict[str, Tally]:
        """Return the probabilities of a participant over all splits, of all logs or of one, by the names of ``CURVES``."""
        chosen = [
            both
            for (m, of, task), both in self.tallies.items()
            if m == method and log in (None, of) and counts_for_calibration(task)
        ]
        pairs = add_tallies(pairs for pairs, _ in chosen)
        nearest = add_tallies(nearest for _, nearest in chosen)
        return dict(zip(CURVES, (pairs, of_likely(pairs), nearest), strict=True))

    def by_unit(self) -> pl.DataFrame:
        """Return all figures on each task of each log; calibration errors are of a log, not of a task."""
        return super().by_unit().with_columns(pl.lit(None, dtype=pl.Float64).alias(name) for name in CURVES)

    def by_log(self) -> pl.DataFrame:
        """Return the figures of the tables for each participant on each log, with its calibration errors."""
        frame = super().by_log()
        curves = [self.curves(method, log) for method, log in frame["method", "log"].iter_rows()]
        return frame.with_columns(
            pl.Series(name, [calibration_error(of_log[name]) for of_log in curves], dtype=pl.Float64) for name in CURVES
        )

    def beside_part(self, part: str, form: str, *, by_log: bool) -> list[str]:
        """Return reliability curves below calibration, and published figures below everything."""
        if by_log:
            return []
        if part == CALIBRATION:
            return self._curves(form)
        return self._beside_published(form) if part == EXPERTS else []

    def _curves(self, form: str) -> list[str]:
        """Return the reliability curves of those who give probabilities, over all logs."""
        return [
            reliability_table(f"{method}, {CURVES[name]}, all logs together", tally, "share one step", form)
            for method in self.probable
            for name, tally in self.curves(method).items()
        ]

    def _beside_published(self, form: str) -> list[str]:
        """Return mean F on labels that are split as in SwiftMend's logs, beside the published figures, if there are some."""
        ours = self.by_unit().filter((pl.col("log") == PUBLISHED_LOG) & pl.col("task").str.starts_with("swiftmend-"))
        places = [i for i, setting in enumerate(PUBLISHED_SETTINGS) if f"swiftmend-{setting}" in ours["task"]]
        if not places:
            return []
        settings = [PUBLISHED_SETTINGS[i] for i in places]
        values = {(method, task): f for method, task, f in ours.select("method", "task", "f").iter_rows()}
        rows = [
            [method, *(_three_digits(values.get((method, f"swiftmend-{setting}"))) for setting in settings)]
            for method in dict.fromkeys(ours["method"])
        ]
        rows += [[name, *(_three_digits(figures[i]) for i in places)] for name, figures in PUBLISHED_F.items()]
        header = ["method", *(f"{setting.replace('-', ' %, ')} %" for setting in settings)]
        title = f"{PUBLISHED_LOG}, labels split as in SwiftMend's logs (share of labels, of their events), mean F"
        return [f"{title}:\n\n{layout(header, rows, form)}"]

    def by_recipe(self, figure: str = "nn") -> pl.DataFrame:
        """Return the mean of a figure over the families of logs, for each participant and task."""
        family = pl.col("log").map_elements(self.family_of, return_dtype=pl.String).alias("family")
        means = self.by_unit().with_columns(family).group_by("method", "task", "family").agg(pl.col(figure).mean())
        return means.group_by("method", "task").agg(pl.col(figure).mean()).sort("method", "task")

    def pictures(self) -> dict[str, Any]:
        """Draw nearest neighbours and groups by participant, every recipe, and reliability."""
        means, pictures = self.over_logs(), {}
        for name, part in (("nearest_neighbour", NEAREST), ("groups", GROUPS)):
            if drawn := [one.name for one in COLUMNS if one.part == part and means[one.name].drop_nulls().len()]:
                pictures[name] = means_by_method(means, drawn, f"{part}, families of logs")
        if self.by_recipe()["nn"].drop_nulls().len():
            pictures["nearest_neighbour_by_recipe"] = self._recipe_map()
        if self.probable:
            pictures["reliability"] = self._reliability_curves()
        return pictures

    def _recipe_map(self) -> Any:
        """Draw a heat map: the nearest neighbour of each participant on each task, as the mean over families of logs."""
        table = self.by_recipe().drop_nulls("nn")
        methods = sorted(set(table["method"]))
        tasks = sorted(set(table["task"]), key=lambda task: (TASKS.index(task) if task in TASKS else len(TASKS), task))
        values = {(method, task): value for method, task, value in table.iter_rows()}
        figure = new_figure(3 + 0.4 * len(tasks), 2 + 0.3 * len(methods))
        axes = figure.subplots()
        grid = [[values.get((method, task), float("nan")) for task in tasks] for method in methods]
        axes.imshow(grid, aspect="auto", cmap="viridis", vmin=0, vmax=1)
        for y, row in enumerate(grid):
            for x, value in enumerate(row):
                if value == value:
                    colour = "black" if value > 0.6 else "white"
                    axes.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=6, color=colour)
        axes.set_xticks(range(len(tasks)), tasks, rotation=90, fontsize=7)
        axes.set_yticks(range(len(methods)), [shown(method, 60) for method in methods], fontsize=8)
        axes.set_title("Nearest neighbour is right: mean over families of logs", fontsize=10)
        return figure

    def _reliability_curves(self) -> Any:
        figure = new_figure(15, 5)
        titles = ("All pairs with a planted name", f"Those with a probability of {LIKELY} or more", "Nearest partners")
        for axes, name, title in zip(figure.subplots(1, 3), CURVES, titles, strict=True):
            curves = {method: reliability(self.curves(method)[name]) for method in self.probable}
            draw_reliability(axes, curves, "share that is one step")
            axes.set_title(title, fontsize=10)
        return figure


class Labels(Task):
    """Run the benchmark of labels: give one step several names, and see who finds that they belong together.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark labels --logs orders.xes.gz --methods kin-w5 contrast --recipes 'syn-case-*' --draws 5 --out results

    actalike benchmark labels --logs event_logs/ --recipes natural 'classes-*' --methods '*' --out results --jobs 2
    """

    name = "labels"
    title = "Labels"
    metrics: ClassVar[Mapping[str, Any]] = shares(*FIGURES)
    columns = COLUMNS
    details: ClassVar[Sequence[str]] = ("pairs", "nearest")
    unit_columns: ClassVar[Mapping[str, Any]] = {"task": pl.String}
    Options = LabelOptions
    Results = LabelResults
    participants = GroupersAndMethods()
    participants_help = "Methods and groupers. [all groupers, and the default method]"

    def read(self, files: LogFiles, name: str) -> "Prepared":
        """Read a log and what the tasks need of it."""
        return Prepared.of_file(files, name)

    def log_of(self, data: "Prepared") -> EventLog:
        """Return the log."""
        return data.log

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield the tasks of each log that it has what is needed for; what is not planted is asked once."""
        for log, source in sources.items():
            for task in find_tasks(self.options.recipes):
                if takes_place(task, source.data):
                    yield Unit(log, task, {"task": task}, self.options.draws if has_draws(task) else 1)

    def nothing_to_do(self) -> str:
        """Return the sentence for logs without any task."""
        tasks = ", ".join(find_tasks(self.options.recipes))
        return f"No log has what {tasks} need: timestamps, resources, or labels in enough cases."

    def batch(self, name: str, participant: Grouper) -> str:
        """Let all participants share the planted logs."""
        return "_all"

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Grouper]) -> "Problem":
        """Plant a draw of a task, when the first participant needs it."""
        return Problem(unit.at["task"], source, self.options.seed, draw, participants)

    def evaluate(self, participant: Grouper, problem: "Problem") -> Judged:
        """Fit a participant and judge it."""
        return problem.judge(participant)

    def result(self, outcomes: Sequence[Judged]) -> dict[str, Any]:
        """Return the figures, and the tallies of probabilities."""
        return {
            "figures": [one.figures for one in outcomes],
            "pairs": as_lists(one.pairs for one in outcomes),
            "nearest": as_lists(one.nearest for one in outcomes),
        }


TASK = Labels


def find_tasks(patterns: Sequence[str] | None) -> list[str]:
    """Return the tasks that some names and wildcards stand for; without any, all that are listed.

    >>> find_tasks(["classes-*", "syn-case-2", "swiftmend-40-30"])[-3:]
    ['classes-verb', 'syn-case-2', 'swiftmend-40-30']
    """
    tasks: dict[str, None] = dict.fromkeys(TASKS if patterns is None else ())
    for pattern in patterns or ():
        matches = fnmatch.filter(TASKS, pattern) if any(sign in pattern for sign in "*?[") else [pattern]
        if not matches:
            raise ActalikeError(f"No task matches {pattern!r}. There are {', '.join(TASKS)}.")
        tasks |= dict.fromkeys(matches)
    for task in tasks:
        if task not in TASKS:
            _check_recipe(task)
    return list(tasks)


def _check_recipe(name: str) -> None:
    try:
        recipe(name)
    except ActalikeError as error:
        if suggestion := did_you_mean(name, TASKS):
            raise ActalikeError(f"No task is called {name!r}.{suggestion}") from None
        raise error from None


def is_planted(task: str) -> bool:
    """Return whether a task is a recipe."""
    return task not in (*TRAPS, UNPLANTED, NATURAL, *CLASS_TASKS)


def has_draws(task: str) -> bool:
    """Return whether a task depends on chance, and so is set several times."""
    return is_planted(task) or task in ("trap-order", "trap-slips")


def takes_place(task: str, prepared: "Prepared") -> bool:
    """Return whether a log has what a task needs."""
    if is_planted(task):
        return len(eligible_labels(prepared.log, recipe(task))) > 0
    if task in TRAPS:
        return bool(trap_pairs(prepared.log, task))
    if task == NATURAL:
        return prepared.synonyms is not None
    return task == UNPLANTED or CLASS_TASKS[task] in class_names(prepared.log.activities)


def counts_for_calibration(task: str) -> bool:
    """Return whether the probabilities of a task count for calibration: splits of all kinds."""
    return any(fnmatch.fnmatchcase(task, pattern) for pattern in (*_SPLITS, "syn-part-*"))


def _three_digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


@dataclass(frozen=True)
class Prepared:
    """Hold a log as the tasks need it: with timestamps, with the attributes that say who did it, and its natural synonyms.

    The English names of natural synonyms are taken out of the log, because they are the answer.
    """

    log: EventLog
    synonyms: Synonyms | None = None

    @classmethod
    def of_file(cls, files: LogFiles, name: str) -> "Prepared":
        """Read a log and what the tasks need of it."""
        log = files(name, "people")
        return cls(_without_case_ids(log), _synonyms(files, name, log))


def _without_case_ids(log: EventLog) -> EventLog:
    """Return the log without case ids, which would travel with every batch for nothing."""
    return EventLog(
        log.activities, log.codes, log.offsets, [""] * log.n_cases, log.timestamps, log.reading, attributes=log.attributes
    )


def _synonyms(files: LogFiles, name: str, log: EventLog) -> Synonyms | None:
    if not any(subprocess_of(label) for label in log.activities):  # only BPIC15 has codes, and English names for them
        return None
    try:
        return natural_synonyms(files(name, [NAME_ATTRIBUTE]))
    except LogError:
        return None


class Problem:
    """Hold one draw of a task: its logs, planted and counted once for all participants."""

    def __init__(self, task: str, source: Source, seed: int, draw: int, participants: Mapping[str, Grouper]) -> None:
        self.task = task
        self.prepared: Prepared = source.data
        methods = [one.method for one in participants.values() if isinstance(one, MethodGrouper)]
        window = max((method.window or 1 for method in methods if method.takes == "counts"), default=1)

        @cache
        def planted(names: Names) -> Planted:
            if task in CLASS_TASKS:  # the classes are in the labels
                return with_neutral_codes(self.prepared.log, seed, source.digest)
            if task in TRAPS:
                trapped = set_trap(self.prepared.log, task, seed, draw, source.digest)
                return Planted(trapped.log, trapped.pairs, {})
            if not is_planted(task):
                return Planted(self.prepared.log, (), {})
            return plant(self.prepared.log, recipe(task), seed, draw, names, source.digest)

        self._planted = planted
        self._counted = cache(lambda names: count_windows(planted(names).log, window))

    def judge(self, participant: Grouper) -> Judged:
        """Fit a participant and judge it."""
        names: Names = "words" if participant.reads_labels and self.task not in TRAPS else "codes"
        planted = self._planted(names)
        fitted: Grouper
        if isinstance(participant, MethodGrouper) and participant.method.takes == "counts":
            fitted = participant.fit(planted.log, self._counted(names))
        else:
            fitted = participant.fit(planted.log)
        check_result(fitted, planted.log)
        if is_planted(self.task):
            return judge_planted(fitted, planted)
        if self.task in TRAPS:
            return judge_trapped(fitted, planted.truth)
        if self.task == UNPLANTED:
            return judge_unplanted(fitted, planted.log)
        if self.task == NATURAL and self.prepared.synonyms is not None:
            return judge_natural(fitted, self.prepared.synonyms)
        return judge_classes(fitted, planted, CLASS_TASKS[self.task])
