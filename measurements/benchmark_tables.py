"""The tables that evaluate.py makes of folders of results: functions from what ``actalike.benchmark.read`` returns to rows."""

import re

import numpy as np
import polars as pl

from actalike.benchmark.tasks.anomalies import PUBLISHED_END
from actalike.benchmark.tasks.anomaly_scores import NO_REASON
from actalike.benchmark.tasks.intrinsic import METRICS
from actalike.benchmark.tasks.planted_anomalies import OUTSIDE, SIX
from actalike.methods import MethodName
from actalike.oddities import KINDS

# --- the intrinsic benchmark ------------------------------------------------------------------------------------------------


def kin_gain(results, method="kin-w5"):
    """A method against the best of the count settings, metric by metric, with 95 % of the means of resampled logs."""
    logs, others, values = _by_log(results)
    yield ["metric", "best other", "its mean", "mean", "gain", "95 % interval over logs", "logs ahead"]
    for metric in METRICS:
        best = max(others, key=lambda name: values(name, metric).mean())
        theirs, ours = values(best, metric), values(method, metric)
        low, high = _interval(ours - theirs)
        means = [f"{theirs.mean():.3f}", f"{ours.mean():.3f}", f"{(ours - theirs).mean():+.3f}"]
        yield [metric, best, *means, f"{low:+.3f} to {high:+.3f}", f"{(ours > theirs).sum()} of {len(logs)}"]


def kin_by_log(results, method="kin-w5"):
    """I_nn log by log, and the best other method on that log."""
    logs, others, values = _by_log(results)
    yield ["log", "best other", "its I_nn", "I_nn"]
    for i, log in enumerate(logs):
        best = max(others, key=lambda name: values(name, "I_nn")[i])
        yield [log, best, f"{values(best, 'I_nn')[i]:.3f}", f"{values(method, 'I_nn')[i]:.3f}"]


def sequence_or_multiset(results):
    """Each sequence setting less the multiset setting that is the same otherwise; families of logs are resampled."""
    logs, _, values = _by_log(results)
    family = np.array([found[0] if (found := re.match(r"BPIC\d\d", log)) else log for log in logs])
    yield ["sequence less multiset", *METRICS]
    for vectors in ("aa", "ac"):
        for window in (3, 5, 9):
            cells = []
            for metric in METRICS:
                gains = [
                    values(f"{vectors}-sequence-{weight}-w{window}", metric)
                    - values(f"{vectors}-multiset-{weight}-w{window}", metric)
                    for weight in ("raw", "pmi", "ppmi")
                ]
                gain = np.mean(gains, axis=0)
                low, high = _interval(gain, family)
                cells.append(f"{gain.mean():+.3f} ({low:+.3f} to {high:+.3f})")
            yield [f"{vectors}, window {window}", *cells]


def _by_log(results):
    """The logs, the count settings, and a function from a method and a metric to the figures of the logs."""
    table = results.by_log()
    logs = sorted(set(table["log"]))

    def values(name, metric):
        figures = dict(table.filter(table["method"] == name).select("log", metric).iter_rows())
        return np.array([figures[log] for log in logs], dtype=float)

    return logs, sorted(name for name in set(table["method"]) if name.startswith(("aa-", "ac-"))), values


def _interval(gain, groups=None):
    """95 % of the means that logs, or groups of them, have if they are drawn with replacement."""
    groups = np.arange(len(gain)) if groups is None else groups
    parts = [gain[groups == one] for one in sorted(set(groups))]
    sums, sizes = np.array([part.sum() for part in parts]), np.array([len(part) for part in parts])
    draws = np.random.default_rng(0).integers(0, len(parts), (10_000, len(parts)))
    return np.quantile(sums[draws].sum(axis=1) / sizes[draws].sum(axis=1), [0.025, 0.975])


# --- the benchmark of matching ----------------------------------------------------------------------------------------------

MATCHERS = ("match", "zhu", "kin-joined", "procrustes-counts", "procrustes-act2vec", "profile", "frequency")
FOUND = ("codes_hit1", "codes_one", "codes_events", "words_hit1", "words_one", "time_hit1", "time_one", "cases_hit1", "cases_one")


def matching_found(results):
    rows = {row["method"]: row for row in results.over_logs().iter_rows(named=True)}
    matchers = [name for name in MATCHERS if name in rows]
    yield ["", *matchers]
    for column in (*FOUND, "cases_events"):
        cells = [_figure(rows[name][column]) for name in matchers]
        if rows["match"].get(f"{column}_low") is not None:
            cells[0] += " [{:.3f}, {:.3f}]".format(*(rows["match"][f"{column}_{end}"] for end in ("low", "high")))
        yield [f"`{column}`", *cells]


def _figure(value):
    return "-" if value is None else f"{value:.3f}"


# --- the benchmark of anomalies ---------------------------------------------------------------------------------------------

DETECTORS = ("odd", "odd-activities", "links", "links-all", "likelihood", "naive")
SHOWN_PUBLISHED = ("GAMA", "WAKE", "Likelihood", "LAE", "GRASPED", "BINetv2", "DAE", "Naive")


def anomalies_detectors(results):
    rows = [*results.over_logs().iter_rows(named=True), *results.published_rows(by_log=False).iter_rows(named=True)]
    by_name = {row["method"]: row for row in rows}
    yield ["detector", "cases AP", "cases F", "events AP", "cells AP", "cells F"]
    for name in (*DETECTORS, *(f"{one}{PUBLISHED_END}" for one in SHOWN_PUBLISHED)):
        if name in by_name:
            figures = [
                _with_interval(by_name[name], column) for column in ("trace_ap", "trace_f", "event_ap", "cell_ap", "cell_f")
            ]
            yield [f"`{name}`" if name in DETECTORS else name, *figures]


def anomalies_by_kind(results):
    rows = {row["method"]: row for row in results.over_logs().iter_rows(named=True)}
    yield ["detector", *SIX]
    for name in DETECTORS:
        yield [f"`{name}`", *(_with_interval(rows[name], f"bpad_{kind}") for kind in SIX)]


def anomalies_by_log(results):
    rows = {(row["method"], row["log"]): row for row in results.by_log().iter_rows(named=True)}
    published = results.published_rows(by_log=True)
    yield [
        "log",
        "`odd` AP / F",
        "`odd-activities` AP",
        "best published AP",
        "best published F",
        "cells: `odd` AP",
        "best published",
    ]
    for log in sorted({log for _, log in rows}):

        def best(column):
            here = published.filter(pl.col("log") == log, pl.col(column).is_not_null()).sort(column, descending=True)  # noqa: B023
            return f"{_short(here[column][0])} ({here['method'][0].removesuffix(PUBLISHED_END)})" if len(here) else "-"

        odd, activities = rows["odd", log], rows["odd-activities", log]
        own = f"{_short(odd['trace_ap'])} / {_short(odd['trace_f'])}"
        yield [
            log,
            own,
            _short(activities["trace_ap"]),
            best("trace_ap"),
            best("trace_f"),
            _short(odd["cell_ap"]),
            best("cell_ap"),
        ]


def anomalies_kinds_found(results):
    named = results.confusion("odd", "bpad")
    names = [*KINDS, NO_REASON]
    yield ["planted", "cases", *names]
    for planted in SIX:
        if n := sum(named[planted, name] for name in names):
            yield [planted, f"{n:,}", *(_short(named[planted, name] / n) for name in names)]


def anomalies_known(results):
    yield ["detector", "cases AP", "cells AP", "precision of the 1, 5, 10 % highest cases", "recall of events at 1 %"]
    for row in _known_rows(results):
        precision = ", ".join(_short(row[f"known_precision{n}"]) for n in (1, 5, 10))
        figures = [_short(row[f"known_{column}"]) for column in ("trace_ap", "cell_ap")]
        yield [f"`{row['method']}`", *figures, precision, _short(row["known_event_recall"])]


def anomalies_known_kinds(results):
    yield ["detector", *OUTSIDE]
    yield from ([f"`{row['method']}`", *(_short(row[f"outside_{kind}"]) for kind in OUTSIDE)] for row in _known_rows(results))


def _known_rows(results):
    rows = {row["method"]: row for row in results.over_logs().iter_rows(named=True)}
    return [rows[name] for name in DETECTORS if name in rows]


def _short(value):
    return "-" if value is None else f"{value:.3f}".removeprefix("0")


def _with_interval(row, column):
    if row.get(column) is None or row.get(f"{column}_low") is None:
        return _short(row.get(column))
    return f"{_short(row[column])} [{_short(row[f'{column}_low'])}, {_short(row[f'{column}_high'])}]"


# --- the efficiency benchmark -----------------------------------------------------------------------------------------------

LOGS = {  # the columns: our log, how the table calls it, and whether the paper's figures stand beside it
    "BPIC13_closed_problems": ("BPIC13 C. P.", True),
    "BPIC15_1": ("BPIC15_1", True),
    "BPIC20_DomesticDeclarations": ("BPIC20 D. D.", True),
    "RTFM": ("RTFM", False),
    "BPIC19-like": ("BPIC19-like", False),
}
SHOWN = [
    *(f"{matrix}-pmi-w{n}" for matrix in ("ac-sequence", "ac-multiset", "aa-sequence") for n in (3, 9)),
    *("ac-sequence-raw-w3", "kin-w5", "positional-pmi-w5", "substitution-w3", "one-hot", "act2vec-cbow-w3", "process-structure"),
]
PARTS = ("count", "matrix", "weighting", "scores", "rounds", "discovery", "features", "training", "fit", "distances")


def efficiency_seconds(results):
    """Median seconds of the wall, windows side by side, and the paper's."""
    table = results.by_log()
    cells = {(row["log"], row["method"]): row for row in table.iter_rows(named=True)}
    stems = {}  # the methods without their window, and the windows of each
    for name in table["method"].unique().sort():
        parsed = MethodName.parse(name)
        stems.setdefault(parsed.without_window if parsed.marker == "w" else name, []).append((parsed.window or 0, name))

    def figure(seconds):
        return f"{float(f'{seconds:.2g}'):g}" if seconds is not None else "-"

    def time_of(log, method):
        cell = cells.get((log, method))
        if cell is None:
            return "-"
        return f"> {cell['more_than']:g}" if cell["more_than"] is not None else figure(cell["seconds"])

    def paper_of(log, method):
        return figure(cells[log, method]["paper"]) if (log, method) in cells else "-"

    def joined(values):
        return "-" if set(values) == {"-"} else r" \| ".join(values)

    logs = [log for log in LOGS if log in table["log"].unique()]
    yield ["method", *(name for log in logs for name in ([LOGS[log][0], "paper"] if LOGS[log][1] else [LOGS[log][0]]))]
    for stem, members in stems.items():
        names = [name for _, name in sorted(members)]
        windows = [str(window) for window, name in sorted(members) if name != stem]
        row = [stem + (f" w {joined(windows)}" if windows else "")]
        for log in logs:
            row.append(joined([time_of(log, name) for name in names]))
            if LOGS[log][1]:
                row.append(joined([paper_of(log, name) for name in names]))
        yield row


def efficiency_details(results, log="BPIC15_1"):
    """All that was measured of some methods on a log."""
    table = results.by_log().filter(pl.col("log") == log, pl.col("method").is_in(SHOWN), pl.col("seconds").is_not_null())
    yield ["method", "passes over", "calls", "reading s", "median s", "quartiles", "least - most", "CPU s", "as published s", "paper s",
           "ratio", "parts, ms", "rows x dimension", "dense", "stored", "memory"]  # fmt: skip
    for row in sorted(table.iter_rows(named=True), key=lambda row: SHOWN.index(row["method"])):
        parts = {part: row[part] for part in PARTS if row.get(part) is not None}
        sum_of_parts = " + ".join(f"{part} {_three_digits(1000 * value)}" for part, value in parts.items())
        yield [
            row["method"], row["passes_over"] or "-", str(row["repeats"]),
            "-" if row["reading"] is None else _three_digits(row["reading"]), f"{row['seconds']:.3g}", f"{row['lower_quartile']:.3g} - {row['upper_quartile']:.3g}",
            f"{row['least']:.3g} - {row['most']:.3g}", f"{row['processor']:.3g}",
            *("-" if row[name] is None else _three_digits(row[name]) for name in ("as_published", "paper", "ratio")),
            f"{sum_of_parts} = {_three_digits(1000 * sum(parts.values()))}", f"{row['rows']:,} x {row['dimension']:,}",
            *(_bytes(row[name]) for name in ("dense_bytes", "stored_bytes", "rise_bytes")),
        ]  # fmt: skip


def _three_digits(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _bytes(n):
    return f"{n / 1e6:.3g} MB" if n >= 1e6 else f"{n / 1e3:.3g} kB"
