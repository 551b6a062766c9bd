"""The intrinsic benchmark: are activities alike that are known to be one activity?

In a *ground-truth log*, each of r chosen activities is split into w replacements: every case that contains the activity uses one
of them throughout. The replacements of one activity form a *class*, and a good method puts each class together. Such a log is
described by a *recipe* of a few bytes and made when it is needed.

Four metrics work on any square array of distances with a class for each row (-1: no class). Classes of one member have no pairs:
they are left out, and ``singletons`` says how many. Equal distances (to 12 decimals) are ties; the value is the expectation over
all orders of the tied. Of two averagings, ``paper`` takes the mean of each class, then of the classes; ``authors`` does what the
paper's code did (over all members for I_nn and I_prec, k = w - 1 for all classes, singletons counted in).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import comb
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.pictures import draw_bars, draw_spread
from actalike.benchmark.results import Column, Results
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.benchmark.task import Source, Task, Unit, option, shares
from actalike.counting import count_windows
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import Method
from actalike.support.figures import finish, new_figure, shown

Mode = Literal["paper", "authors"]
Floats = NDArray[np.float64]
METRICS = ("I_comp", "I_nn", "I_prec", "I_tri")
_COUNTS = "_counts"  # the batch of the methods that take window counts
_ABOUT = {
    "I_comp": "1 minus the mean distance within a class of look-alikes, distances scaled to 0..1",
    "I_nn": "how often the nearest other activity is a look-alike",
    "I_prec": "the share of look-alikes among the nearest, as many as there are",
    "I_tri": "how often a look-alike is nearer than an activity that is none",
}


@dataclass(frozen=True)
class IntrinsicOptions:
    """The grid of numbers of activities and replacements, and how ground-truth logs are drawn."""

    r: Sequence[int] = option(range(1, 11), "How many activities are split: a number or a range.", least=1)
    w: Sequence[int] = option(range(2, 6), "Into how many replacements each: a number or a range.", least=2)
    samples: int = option(5, "Ground-truth logs for each r and w.", plan=True, least=1)
    seed: int = option(0, "What the draws depend on.", plan=True)
    mode: Mode = option("paper", "Draws and averaging as in the paper, or as in its authors' code.", plan=True)


class IntrinsicResults(Results):
    """In mode ``paper`` the mean over all ground-truth logs of a log; in mode ``authors`` the mean of each (r, w), then of these.

    A ground-truth log without a class of two members has no value and is left out.
    """

    fails_whole_logs: ClassVar[bool] = True

    @classmethod
    def of(cls, results: "str | Path | IntrinsicResults") -> "IntrinsicResults":
        """Read the results of a folder, if they are not read yet."""
        if isinstance(results, IntrinsicResults):
            return results
        folder = ResultFolder.open(results)
        return cls.read(Intrinsic.of_folder(folder), folder)

    def by_unit(self) -> pl.DataFrame:
        """Return the figures that a mean of a log is over."""
        if self.task.options.mode == "authors":
            return super().by_unit()
        return self.singles.filter(pl.col("error").is_null())

    def for_csv(self, frame: pl.DataFrame, *, by_log: bool) -> pl.DataFrame:
        """Return means in the columns that the figures of the logs have."""
        return frame if by_log else frame.select("method", pl.lit("mean").alias("log"), *METRICS)

    def pictures(self) -> dict[str, Any]:
        """Draw all pictures; return them by name."""
        return {
            "metric_by_method": metric_by_method(self),
            "metric_over_r_and_w": metric_over_r_and_w(self),
            "spread_over_logs": spread_over_logs(self),
        }


class Intrinsic(Task):
    """Run the intrinsic benchmark: split activities into replacements, and see whether a method finds them again.

    Stop it at any time; the same command continues where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark intrinsic --logs orders.xes.gz --methods 'aa-*' --out results

    actalike benchmark intrinsic --logs event_logs/ --out results --jobs 2
    """

    name = "intrinsic"
    title = "Intrinsic"
    metrics: ClassVar[Mapping[str, Any]] = {**shares(*METRICS), "singletons": pl.Int64, "all_equal": pl.Boolean}
    columns = tuple(Column(metric, metric, about) for metric, about in _ABOUT.items())
    unit_columns: ClassVar[Mapping[str, Any]] = {"r": pl.Int64, "w": pl.Int64}
    Options = IntrinsicOptions
    Results = IntrinsicResults

    def why_not(self, participant: Method) -> str | None:
        """Return why a method cannot take part, if it cannot."""
        if participant.reads_labels:
            return "reads the labels, and ground-truth logs have new ones for old activities"
        return super().why_not(participant)

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield each r and w for each log; r goes no further than the activities do."""
        r, w = self.options.r, self.options.w
        activities = {name: len(source.data.activities) for name, source in sources.items()}
        if min(r) > max(activities.values()):
            shown_range = str(min(r)) if len(r) == 1 else f"{min(r)}-{max(r)}"
            raise ActalikeError(f"--r {shown_range}: no log has so many activities; the most are {max(activities.values())}.")
        for log, n in activities.items():
            for of_r in (one for one in r if one <= n):
                draws = min(self.options.samples, comb(n, of_r))
                yield from (Unit(log, f"r{of_r:02}-w{of_w}", {"r": of_r, "w": of_w}, draws) for of_w in w)

    def batch(self, name: str, participant: Method) -> str:
        """Let the methods that start from window counts share them."""
        return _COUNTS if participant.takes == "counts" else name

    def notes(self, source: Source, unit: Unit) -> dict[str, Any]:
        """Return the activities that were chosen for each ground-truth log."""
        return {"chosen": [recipe.chosen for recipe in self._recipes(source, unit)]}

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Method]) -> "Problem":
        """Make a ground-truth log, and count its windows for the methods that take counts."""
        truth = make_log(source.data, self._recipes(source, unit)[draw])
        windows = [method.window or 1 for method in participants.values() if method.takes == "counts"]
        return Problem(truth, count_windows(truth.log, max(windows)) if windows else truth.log, unit.at["w"])

    def evaluate(self, participant: Method, problem: "Problem") -> dict[str, Any]:
        """Embed the ground-truth log and return the metrics."""
        embedding = participant.fit(problem.source).embedding_
        if embedding.activities != problem.truth.log.activities:
            raise ActalikeError("its activities are not those of the log")
        return scores(embedding.distances(), problem.truth.classes, self.options.mode, problem.w)._asdict()

    def _recipes(self, source: Source, unit: Unit) -> "list[Recipe]":
        options = self.options
        return make_recipes(source.data, unit.at["r"], unit.at["w"], options.samples, options.seed, options.mode, source.digest)


TASK = Intrinsic


# --- ground-truth logs --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Recipe:
    """All that it takes to make a ground-truth log from its original."""

    log_digest: str
    r: int
    w: int
    sample: int
    seed: int
    mode: Mode
    chosen: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the recipe as plain data."""
        return asdict(self)


class GroundTruth(NamedTuple):
    """A ground-truth log and the class of each of its activities: a number, or -1 for those that were not split."""

    log: EventLog
    classes: NDArray[np.int64]


class Problem(NamedTuple):
    """A ground-truth log, what methods are given (the log, or its windows), and the number of replacements."""

    truth: GroundTruth
    source: Any
    w: int


def make_recipes(log: EventLog, r: int, w: int, samples: int, seed: int, mode: Mode, digest: str | None = None) -> list[Recipe]:
    """Return the recipes of one cell of the grid: distinct sets of r activities, at most as many as there are.

    >>> log = EventLog.from_traces([["a", "b", "c"]])
    >>> [recipe.chosen for recipe in make_recipes(log, r=3, w=2, samples=5, seed=0, mode="paper")]
    [('a', 'b', 'c')]
    """
    n = len(log.activities)
    if not 1 <= r <= n:
        raise ActalikeError(f"{r} activities cannot be chosen from {n}.")
    if w < 2:
        raise ActalikeError(f"An activity is split into 2 or more replacements, not {w}.")
    digest = digest or log.digest
    subsets: dict[tuple[int, ...], None] = {}
    attempt = 0
    while len(subsets) < min(samples, comb(n, r)):
        subsets.setdefault(tuple(random_subset(seed_of(seed, digest, r, w, attempt), n, r)))
        attempt += 1
    return [
        Recipe(digest, r, w, sample, seed, mode, tuple(log.activities[a] for a in subset))
        for sample, subset in enumerate(subsets)
    ]


def make_log(log: EventLog, recipe: Recipe) -> GroundTruth:
    """Make the ground-truth log of a recipe.

    The cases that contain a chosen activity take its replacements from a pool that is refilled when it is empty: in mode
    ``paper`` at random, in mode ``authors`` (as in their code) 0, 1, ..., w - 1 in the order of the log.

    >>> log = EventLog.from_traces([list("abcded"), list("acde"), list("ade"), list("ade")])
    >>> recipe = Recipe(log.digest, 2, 3, 0, 0, "authors", ("c", "d"))
    >>> make_log(log, recipe).log.traces()
    [['a', 'b', 'c:0', 'd:0', 'e', 'd:0'], ['a', 'c:1', 'd:1', 'e'], ['a', 'd:2', 'e'], ['a', 'd:0', 'e']]
    """
    n, w = len(log.activities), recipe.w
    case_of_event = np.repeat(np.arange(log.n_cases), log.lengths)
    codes = log.codes.astype(np.int32)
    labels, class_of_label = list(log.activities), [-1] * n
    for number, activity in enumerate(recipe.chosen):
        events = np.flatnonzero(log.codes == log.activities.index(activity))
        case = case_of_event[events]
        is_new_case = np.diff(case, prepend=-1) > 0
        turn = np.cumsum(is_new_case) - 1  # of each event: how many cases before its own contain the activity
        drawn = _draws(recipe, activity, int(turn[-1]) + 1)
        codes[events] = len(labels) + drawn[turn]
        labels += [f"{activity}:{k}" for k in range(w)]
        class_of_label += [number] * w
    labels = _distinct(labels, n)
    split_log = EventLog(labels, codes, log.offsets, log.case_ids)
    classes = dict(zip(labels, class_of_label, strict=True))
    return GroundTruth(split_log, np.array([classes[label] for label in split_log.activities], dtype=np.int64))


def _draws(recipe: Recipe, activity: str, n_cases: int) -> NDArray[np.int64]:
    """Return the replacement of each case that contains the activity, in the order of the log."""
    if recipe.mode == "authors":
        return np.arange(n_cases) % recipe.w
    rounds = -(-n_cases // recipe.w)
    seed = seed_of(recipe.seed, recipe.log_digest, recipe.r, recipe.w, *recipe.chosen, activity)
    order = random_words(seed, rounds * recipe.w).reshape(rounds, recipe.w)
    return np.argsort(order, axis=1, kind="stable").ravel()[:n_cases]


def _distinct(labels: list[str], n_original: int) -> list[str]:
    """Give replacements whose labels are taken already (a log may have an activity called ``a:0``) more colons."""
    taken = set(labels[:n_original])
    distinct = labels[:n_original]
    for label in labels[n_original:]:
        while label in taken:
            head, _, k = label.rpartition(":")
            label = f"{head}::{k}"
        taken.add(label)
        distinct.append(label)
    return distinct


# --- metrics ------------------------------------------------------------------------------------------------------------------


class Scores(NamedTuple):
    """The four metrics (higher is better; NaN where no class has two members).

    And what a reader should know: how many classes have one member, and whether all distances are equal (then I_comp is 0).
    """

    I_comp: float
    I_nn: float
    I_prec: float
    I_tri: float
    singletons: int
    all_equal: bool


def scores(distances: ArrayLike, classes: ArrayLike, averaging: Mode = "paper", w: int | None = None) -> Scores:
    """Return all four metrics. Averaging ``authors`` needs ``w``, the number of replacements of an activity.

    >>> near, far = 0.1, 0.9
    >>> distances = np.array([[0, near, far], [near, 0, far], [far, far, 0]])
    >>> scores(distances, np.array([0, 0, -1])).I_nn
    1.0
    """
    distances = np.asarray(distances, dtype=np.float64)
    classes = np.asarray(classes)
    n = len(distances)
    if distances.shape != (n, n) or classes.shape != (n,):
        raise ActalikeError(f"Distances of shape {distances.shape} do not match classes of shape {classes.shape}.")
    if not np.issubdtype(classes.dtype, np.integer):
        raise ActalikeError("Classes must be integers, -1 for none.")
    if not np.isfinite(distances).all():
        raise ActalikeError("Some distance is infinite or NaN.")
    if averaging not in ("paper", "authors"):
        raise ActalikeError(f"averaging={averaging!r} must be paper or authors.")
    if averaging == "authors" and w is None:
        raise ActalikeError("The authors' averaging needs w.")
    queries = np.flatnonzero(classes >= 0)
    if not len(queries):
        raise ActalikeError("No activity has a class, so there is nothing to measure.")
    class_of_query = np.unique(classes[queries], return_inverse=True)[1]
    sizes = np.bincount(class_of_query)
    same = classes[queries][:, np.newaxis] == classes  # also a query and itself
    itself = np.zeros_like(same)
    itself[np.arange(len(queries)), queries] = True
    mates = same & ~itself
    rows = distances[queries].round(12)
    k = sizes[class_of_query] - 1 if averaging == "paper" else np.full(len(queries), min(int(w or 0) - 1, n - 1))
    low, high = distances.min().round(12), distances.max().round(12)
    comp = _mean_to_mates(_normalised(rows, low, high), mates)
    nn = _hits_among_nearest(rows, mates, itself, np.ones(len(queries), dtype=np.int64))
    prec = _hits_among_nearest(rows, mates, itself, k)
    tri = _triplets(rows, mates, same)
    singletons = int((sizes == 1).sum())
    if averaging == "paper":
        values = [_by_class(value, class_of_query, sizes, skip=True) for value in (1 - comp, nn, prec, tri)]
    else:
        values = [
            1 - _by_class(np.nan_to_num(comp), class_of_query, sizes, skip=False),
            float(nn.mean()),
            float(prec.mean()),
            _by_class(np.nan_to_num(tri), class_of_query, sizes, skip=False),
        ]
    return Scores(values[0], values[1], values[2], values[3], singletons, bool(low == high))


def _normalised(rows: Floats, low: float, high: float) -> Floats:
    """Scale distances to 0..1; return 1 for all if all are equal: then nothing is nearer than anything else."""
    return (rows - low) / (high - low) if high > low else np.ones_like(rows)


def _mean_to_mates(rows: Floats, mates: NDArray[np.bool_]) -> Floats:
    """Return the mean distance of each query to the others of its class; NaN if there are none."""
    n = mates.sum(axis=1)
    return np.divide((rows * mates).sum(axis=1), n, out=np.full(len(rows), np.nan), where=n > 0)


def _hits_among_nearest(rows: Floats, mates: NDArray[np.bool_], itself: NDArray[np.bool_], k: NDArray[np.int64]) -> Floats:
    """Return the expected share of class members among the k nearest others, over all orders of ties; 0 for k = 0."""
    others = np.where(itself, np.inf, rows)
    last = np.take_along_axis(np.sort(others, axis=1), np.maximum(k - 1, 0)[:, np.newaxis], axis=1)
    nearer, tied = others < last, others == last
    n_nearer = nearer.sum(axis=1)
    part_of_tied = (k - n_nearer) / np.maximum(tied.sum(axis=1), 1)
    hits = (mates & nearer).sum(axis=1) + (mates & tied).sum(axis=1) * part_of_tied
    return np.where(k > 0, hits / np.maximum(k, 1), 0.0)


def _triplets(rows: Floats, mates: NDArray[np.bool_], same: NDArray[np.bool_]) -> Floats:
    """Return, for each query, the mean over its class mates j of the share of activities outside the class farther than j."""
    n_mates, n_outside = mates.sum(axis=1), (~same).sum(axis=1)
    n_columns = max(int(n_mates.max()), 1)
    mate = np.argsort(~mates, axis=1, kind="stable")[:, :n_columns]  # the mates first; what follows is left out again below
    is_mate = np.arange(n_columns) < n_mates[:, np.newaxis]
    to_mate = np.take_along_axis(rows, mate, axis=1)
    farther = ((rows[:, np.newaxis] > to_mate[:, :, np.newaxis]) & ~same[:, np.newaxis]).sum(axis=2)
    pairs = n_mates * n_outside
    return np.divide((farther * is_mate).sum(axis=1), pairs, out=np.full(len(rows), np.nan), where=pairs > 0)


def _by_class(values: Floats, class_of_query: NDArray[np.int64], sizes: NDArray[np.int64], *, skip: bool) -> float:
    """Return the mean of the means of the classes; ``skip`` leaves out singletons."""
    keep = sizes > 1 if skip else sizes > 0
    if not keep.any():
        return float("nan")
    means = np.bincount(class_of_query, weights=values) / sizes
    return float(means[keep].mean())


# --- pictures -----------------------------------------------------------------------------------------------------------------


Readable = str | Path | IntrinsicResults  # a folder of results, or what was read from it


def metric_by_method(results: Readable, logs: Collection[str] | None = None, path: str | Path | None = None) -> Any:
    """Draw the mean of each metric over the logs (all, or those named): a bar for each method, with its bootstrap interval.

    The best method of I_nn is on top.
    """
    results = IntrinsicResults.of(results).of_logs(logs)
    means = results.over_logs()
    if means["I_comp"].null_count() == means.height:
        raise results.nothing_to_draw()
    means = means.drop_nulls("I_nn").sort("I_nn", "method")
    figure = new_figure(14, 1.5 + 0.22 * means.height)
    names = [shown(method, 60) for method in means["method"]]
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        draw_bars(axes, names, means[metric], means[f"{metric}_low"], means[f"{metric}_high"], "#56b4e9")
        axes.set_title(metric)
    figure.suptitle("Mean over logs; lines: 95 % bootstrap interval over logs", fontsize=10)
    return finish(figure, path)


def metric_over_r_and_w(
    results: Readable,
    method: str | None = None,
    logs: Collection[str] | None = None,
    path: str | Path | None = None,
) -> Any:
    """Draw a heat map of each metric: its mean for each number of activities that were split (r) and of replacements (w).

    The mean is over the logs (all, or those named), and over all methods, unless one is named.
    """
    results = IntrinsicResults.of(results).of_logs(logs)
    table = results.singles
    if method is not None:
        table = table.filter(pl.col("method") == method)
        if not table.height:
            raise ActalikeError(f"{results.folder.path} has no results of {method!r}.")
    cells = table.group_by("r", "w").agg(pl.col(METRICS).mean()).sort("r", "w")
    rs, ws = cells["r"].unique().sort().to_list(), cells["w"].unique().sort().to_list()
    figure = new_figure(15, 1.6 + 0.5 * len(ws))
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        grid = [[_at(cells, r, w, metric) for r in rs] for w in ws]
        axes.imshow(grid, origin="lower", aspect="auto", cmap="viridis", vmin=0, vmax=1)
        for y, row in enumerate(grid):
            for x, value in enumerate(row):
                axes.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=7, color="black" if value > 0.6 else "white")
        axes.set_xticks(range(len(rs)), rs)
        axes.set_yticks(range(len(ws)), ws)
        axes.set_xlabel("r: activities split")
        axes.set_title(metric)
    figure.axes[0].set_ylabel("w: replacements")
    methods = f"{table['method'].n_unique()} methods" if method is None else shown(method, 60)
    figure.suptitle(f"Mean over {table['log'].n_unique()} logs, {methods}", fontsize=10)
    return finish(figure, path)


def _at(cells: pl.DataFrame, r: int, w: int, metric: str) -> float:
    values = cells.filter((pl.col("r") == r) & (pl.col("w") == w))[metric]
    return float("nan") if not len(values) or values[0] is None else float(values[0])


def spread_over_logs(results: Readable, logs: Collection[str] | None = None, path: str | Path | None = None) -> Any:
    """Draw how the figures of each method differ from log to log: a box, or the figures themselves if there are few logs.

    The best method of I_nn, by its median, is on top.
    """
    results = IntrinsicResults.of(results).of_logs(logs)
    table = results.by_log()
    order = table.group_by("method").agg(pl.col("I_nn").median()).drop_nulls().sort("I_nn", "method")["method"].to_list()
    if not order:
        raise results.nothing_to_draw()
    figure = new_figure(14, 1.5 + 0.24 * len(order))
    names = [shown(method, 60) for method in order]
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        draw_spread(axes, names, [table.filter(pl.col("method") == name)[metric].drop_nulls().to_list() for name in order])
        axes.set_title(metric)
    figure.suptitle(f"Spread over {table['log'].n_unique()} logs", fontsize=10)
    return finish(figure, path)
