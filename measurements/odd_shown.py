"""What odd is worth beside simple detectors: BPAD's protocol, kinds that it does not foresee, system calls, probabilities, alarms.

    python measurements/odd_shown.py                      all tables: some 20 minutes of a processor
    python measurements/odd_shown.py outside alarms       some parts
    python measurements/odd_shown.py outside --choosing   on the families of logs that settings may be chosen on

All comes from `actalike benchmark anomalies`. What is computed is kept in build/odd_shown by the version of the code, so that the same
command goes on where it was stopped, and after a change computes only what the change may have changed. Settings are chosen on the
families CHOOSING and reported on REPORTING; a mean over families has the mean over its logs for each. Needs a folder of the paper's
logs (ACTALIKE_LOGS); the part calls needs a file of system calls (ACTALIKE_CALLS) and is left out without it.
"""

import argparse
import hashlib
import os
import sys
from pathlib import Path

import numpy as np
import polars as pl
import results
from timing import LOGS

from actalike import EventLog, benchmark, datasets, odd
from actalike.benchmark.logs import LogFiles
from actalike.benchmark.results import log_family
from actalike.benchmark.scoring import (
    bootstrap_interval,
    calibration_error,
    expected_calibration_error,
    of_likely,
    reliability,
    tally_answers,
)
from actalike.benchmark.tasks.anomaly_logs import SHARED_LOGS, is_published_log, read_system_calls, read_with_attributes
from actalike.benchmark.tasks.detectors import DETECTORS
from actalike.benchmark.tasks.measuring import with_cost
from actalike.benchmark.tasks.planted_anomalies import ALARMS, OUTSIDE, TIMED, plant
from actalike.benchmark.tasks.planted_anomalies import CALLS as CALLED
from actalike.log import case_beginnings, cases_of, first_equal_cases

CHOOSING = ("BPIC13_closed_problems", "BPIC13_open_problems", "BPIC20_DomesticDeclarations", "BPIC20_PermitLog",
            "BPIC20_PrepaidTravelCost", "BPIC20_RequestForPayment", "Env_Permit", "Helpdesk")  # fmt: skip
REPORTING = ("BPIC12", "BPIC15_1", "BPIC15_4", "Hospital_Billing", "NASA", "RTFM")
CALLS = Path(os.environ.get("ACTALIKE_CALLS", LOGS.parent / "benchmarks" / "system_calls" / "adfa_part.csv.gz"))
KEPT = results.ROOT / "build" / "odd_shown"
OURS = ("odd",)
SHARES = tuple(task for task in ALARMS if task.startswith("any-"))
SOURCE = results.ROOT / "src" / "actalike"
JUDGES = (
    "benchmark/tasks/planted_anomalies.py",
    "benchmark/tasks/anomaly_*.py",
    "benchmark/tasks/*detector*.py",
    "benchmark/scoring.py",
)
CODE = {True: (*JUDGES, "oddities/*.py", "log/*.py"), False: JUDGES}  # what the figures of ours, and of the others, depend on


def code_version(is_ours):
    """A name for the code that figures depend on."""
    files = sorted(path for pattern in CODE[is_ours] for path in SOURCE.glob(pattern))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:10]


def can_learn(name, tasks):
    """Whether a detector is asked in some of these tasks: in some, it has to learn from a reference."""
    return DETECTORS.make(name).reads_reference or not {*tasks} <= {*CALLED, "reference"}


VERSIONS = {is_ours: code_version(is_ours) for is_ours in CODE}  # of the code that this process has loaded


class Figures:
    """Run a benchmark on some logs, and hold the figures of each detector on each log."""

    def __init__(self, tasks, methods, logs=(), calls=None, copies=1):
        self.parts = []
        found = datasets.find(LOGS)
        for is_ours in (True, False):
            names = [name for name in methods if (name in OURS) == is_ours and can_learn(name, tasks)]
            if names:
                out = KEPT / f"{'odd' if is_ours else 'others'}-{VERSIONS[is_ours]}-{copies}"
                given = {"logs": [found[log] for log in logs]} if logs else {"system_calls": str(calls)}
                out = out / ("logs" if logs else "calls")
                benchmark.run("anomalies", out=out, methods=names, tasks=list(tasks), copies=copies, jobs=JOBS, **given)
                self.parts.append(benchmark.read(out))
        self.logs = logs

    def by_log(self, column):
        """A frame of the logs and the figures of a column for each detector."""
        frames = [part.by_log().select("method", "log", column) for part in self.parts]
        return {(method, log): value for frame in frames for method, log, value in frame.iter_rows() if value is not None}

    def mean(self, method, column, families=True):
        """The mean over families of logs, or over logs; None without a figure."""
        found = {
            log: value for (of, log), value in self.by_log(column).items() if of == method and (log in self.logs or not self.logs)
        }
        if not families:
            return np.mean(list(found.values())) if found else None
        groups = {}
        for log, value in found.items():
            groups.setdefault(log_family(log), []).append(value)
        return np.mean([np.mean(values) for values in groups.values()]) if groups else None


def shown(value):
    return "-" if value is None or np.isnan(value) else f"{value:.3f}".replace("0.", ".", 1)


def rows_of(figures, methods, columns, families=True):
    """A row for each detector, a column for each figure; columns are names by their headings."""
    yield ["detector", *columns]
    for method in methods:
        yield [f"`{method}`", *(shown(figures.mean(method, column, families)) for column in columns.values())]


def bpad(logs):
    """Mean over the logs that BPAD has too, nine rates."""
    methods = ("odd", "trigram", "links-all")
    figures = Figures(["bpad-*"], methods, tuple(SHARED_LOGS))
    columns = {"cases AP": "trace_ap", "cases F": "trace_f", "events AP": "event_ap", "cells AP": "cell_ap", "cells F": "cell_f"}
    rows = list(rows_of(figures, methods, columns, families=False))
    published = figures.parts[0].published_rows(by_log=False).sort("trace_ap", descending=True)
    assert all(is_published_log(figures.parts[0].folder.logs[log]) for log in SHARED_LOGS)
    for row in published.head(2).iter_rows(named=True):
        rows.append([row["method"], *(shown(row.get(column)) for column in columns.values())])
    yield "odd-bpad", rows


def outside(logs):
    """Kinds that no slip of odd is made for, 10 % of the cases: AP of cases, and of cells."""
    methods = ("odd", "trigram", "links", "links-all", "naive", "bag")
    figures = Figures([f"known-{kind}" for kind in OUTSIDE], methods, logs)
    for name, prefix, kinds in (
        ("cases", "outside", OUTSIDE),
        ("cells", "outside_cells", [kind for kind in OUTSIDE if kind != "cut"]),
    ):
        rows = [["detector", *kinds, "mean"]]
        for method in methods:
            means = [figures.mean(method, f"{prefix}_{kind}") for kind in kinds]
            if None not in means:
                rows.append([f"`{method}`", *map(shown, means), shown(np.mean(means))])
        yield f"odd-outside-{name}", rows
    rows = [["log", *methods]]
    by_log = {}
    for kind in OUTSIDE:
        for key, value in figures.by_log(f"outside_{kind}").items():
            by_log.setdefault(key, []).append(value)
    for log in logs:
        rows.append([log, *(shown(np.mean(by_log[method, log])) for method in methods)])
    yield "odd-outside-logs", rows


def calls(logs):
    """Part of ADFA-LD. Published for all of it, learned from 1 % of the normal traces: mean F .343 of the best simple detector."""
    if not CALLS.is_file():
        print(f"The part calls is left out: there is no file {CALLS}; name one by ACTALIKE_CALLS.", file=sys.stderr)
        return
    methods = ("odd", "trigram", "links", "likelihood", "bag", "isolation-forest", "naive", "network")
    columns = {"AUC": "auc", "best F": "f", "AP": "ap"}
    columns |= {f"{title}, mean event": f"mean_{column}" for title, column in columns.items()}
    for name, task, asked in (
        ("odd-calls", "calls", methods),
        ("odd-calls-few", "calls-01", methods[:-1]),
    ):  # a network takes minutes
        figures = Figures([task], asked, calls=CALLS, copies=5)
        prefix = task.replace("-", "")
        rows = list(rows_of(figures, asked, {title: f"{prefix}_{column}" for title, column in columns.items()}))
        if task == "calls-01":
            rows.append(["best simple detector of Landauer et al., all of ADFA-LD", "", ".343", *[""] * 4])
        yield name, rows


def alarms(logs):
    """Shares of planted cases, probabilities, and what is called odd where nothing is planted."""
    methods = ("odd", "trigram", "links-all", "naive")
    figures = Figures(["clean", *SHARES], methods, logs)
    columns = {}
    for task in SHARES:
        name = task.replace("-", "")
        columns |= {
            f"AP, {int(task[4:])} %": f"{name}_ap",
            f"best F, {int(task[4:])} %": f"{name}_f",
            f"own F, {int(task[4:])} %": f"{name}_own_f",
        }
    yield "odd-shares", list(rows_of(figures, methods, columns))
    rows = [["log", "rare", "called odd", "of the rare", "of the others", "called if 1 % may be", "5 %"]]
    names = ("rare_share", "false_alarms", "rare_called", "others_called", "promised1", "promised5")
    for log in logs:
        rows.append([log, *(shown(figures.by_log(column).get(("odd", log))) for column in names)])
    rows.append(["mean over families", *(shown(figures.mean("odd", column)) for column in names)])
    yield "odd-clean", rows
    rows = [
        [
            "log",
            *(
                f"{what}, {int(task[4:])} %"
                for task in SHARES
                for what in ("ECE", "ECE of .1 and more", "false alarms if 1 % may be")
            ),
        ]
    ]
    names = [f"{task.replace('-', '')}_{figure}" for task in SHARES for figure in ("ece", "ece_likely", "promised1")]
    for log in logs:
        rows.append([log, *(shown(figures.by_log(column).get(("odd", log))) for column in names)])
    rows.append(["mean over families", *(shown(figures.mean("odd", column)) for column in names)])
    yield "odd-calibration", rows
    for task in SHARES:
        curve = reliability(figures.parts[0].of_logs(list(logs)).probabilities("odd", task))
        rows = [
            ["said", "planted", "cases"],
            *([shown(one.mean_probability), shown(one.share), f"{one.n:,.0f}"] for one in curve),
        ]
        if curve:
            yield f"odd-reliability-{task[4:]}", [*rows, ["ECE", shown(expected_calibration_error(curve)), ""]]


def likely_errors(name):
    """Of probabilities of .1 and more, by share of planted cases: the mean error (ECE), and said less planted; for all cases, and for those of
    variants that 20 cases or more have, of which none is odd by itself."""
    log = read_with_attributes(LogFiles(((name, datasets.find(LOGS)[name]),)), name)
    first = first_equal_cases(log.codes, log.offsets)
    frequent = np.bincount(first, minlength=log.n_cases)[first] >= 20
    found = []
    for some in (np.ones(log.n_cases, dtype=bool), frequent):
        for task in SHARES if some.sum() >= 100 else ():
            planted = plant(cases_of(log, some), name, task)
            likely = of_likely(tally_answers(odd(planted.log).probabilities(), planted.planted_cases.astype(float)))
            n = max(likely.n.sum(), 1)
            found.append([calibration_error(likely) or 0.0, float((likely.probability @ likely.n - likely.positives.sum()) / n)])
    return found


def natural(logs):
    """What of the error of probabilities is due to cases that were odd before."""
    found = {
        log: results.kept(KEPT / f"natural-{VERSIONS[True]}" / f"{log}.json", lambda log=log: likely_errors(log)) for log in logs
    }
    columns = [f"{int(task[4:])} %" for task in SHARES]
    rows = [["planted", *(f"{column}: {what}" for column in columns for what in ("ECE", "said less planted"))]]
    for place, name in ((0, "all cases"), (len(SHARES), "cases of frequent variants")):
        families = {}
        for log, errors in found.items():
            if len(errors) > place:
                families.setdefault(log_family(log), []).append(np.ravel(errors[place : place + len(SHARES)]))
        means = np.mean([np.mean(one, axis=0) for one in families.values()], axis=0)
        rows.append(
            [f"{name}, {len(families)} families", *(f"{mean:+.2f}" if i % 2 else shown(mean) for i, mean in enumerate(means))]
        )
    yield "odd-natural", rows


def halves(name):
    """Shares of one half of a clean log that are called at 1 and 5 %, learned from the other half: drawn (5 draws), and the later one."""
    log = read_with_attributes(LogFiles(((name, datasets.find(LOGS)[name]),)), name)
    begins = case_beginnings(log)
    later = np.argsort(np.argsort(begins, kind="stable"), kind="stable") >= log.n_cases // 2
    masks = [np.random.default_rng(draw).permutation(log.n_cases) >= log.n_cases // 2 for draw in range(5)]
    found = []
    for mask in [*masks, later]:
        judged = odd(cases_of(log, mask), reference=cases_of(log, ~mask))
        found.append([float(judged.alarms(share).mean()) for share in (0.01, 0.05)])
    return found


def normal_calls():
    """The same for system calls: of the normal traces, learned from those set apart for it."""
    calls = read_system_calls(CALLS)
    judged = odd(cases_of(calls.log, calls.parts == "normal"), reference=cases_of(calls.log, calls.parts == "train"))
    return [[float(judged.alarms(share).mean()) for share in (0.01, 0.05)]]


def promises(logs):
    """What is called of clean cases if 1 % and 5 % of them may be, learned from other clean ones; the 95 % interval is over the logs."""
    rows = [["log", "drawn half, 1 %", "5 %", "later half, 1 %", "5 %"]]
    kept = {}
    for log in logs:
        kept[log] = results.kept(KEPT / f"promises-{VERSIONS[True]}" / f"{log}.json", lambda log=log: halves(log))
    figures = {log: np.array([*np.mean(found[:-1], axis=0), *found[-1]]) for log, found in kept.items()}
    rows += [[log, *map(shown, row)] for log, row in figures.items()]
    families = [[row for log, row in figures.items() if log_family(log) == family] for family in sorted({*map(log_family, logs)})]
    means = np.array([np.mean(found, axis=0) for found in families])
    rows.append(["mean over families", *(with_interval(column) for column in means.T)])
    if CALLS.is_file():
        [[one, five]] = results.kept(KEPT / f"promises-{VERSIONS[True]}" / "calls.json", normal_calls)
        rows.append(["ADFA, other normal traces", "", "", shown(one), shown(five)])
    yield "odd-promises", rows


def with_interval(values):
    low, high = bootstrap_interval(values)
    return f"{shown(values.mean())} [{shown(low)}, {shown(high)}]"


def reference(logs):
    """Learned from one half of the cases, any kind planted into 10 % of the other half, and without a reference."""
    methods = ("odd", "trigram", "links-all", "likelihood", "bag", "isolation-forest", "network")
    figures = Figures(["reference", "any-10"], methods, logs)
    columns = {f"{figure}{said}": f"{prefix}_{column}" for prefix, said in (("reference", ", reference"), ("any10", ""))
               for figure, column in (("AP", "ap"), ("AUC", "auc"), ("best F", "f"), ("own F", "own_f"))}  # fmt: skip
    yield "odd-reference", list(rows_of(figures, methods, columns))


def waits(logs):
    """Waits that are too long or too short, and events that are there twice, 10 % of the cases."""
    methods = ("odd", "waits", "links")
    figures = Figures(["timed-*"], methods, logs)
    columns = {
        f"{kind}, {level}": f"{kind}_{column}"
        for kind in TIMED
        for level, column in (("cases AP", "ap"), ("events AP", "event_ap"))
    }
    yield "odd-waits", list(rows_of(figures, methods, columns))


def speed(logs):
    """Processor seconds on RTFM, nothing planted; and on made-up system calls, 833 traces learned and 5,100 scored: with megabytes."""
    figures = Figures(["clean"], ("odd", "trigram", "links-all"), ("RTFM",))
    seconds = {}
    for part in figures.parts:
        for method, of_method in (
            part.singles.filter(pl.col("log") == "RTFM", task="clean").select("method", "seconds").iter_rows()
        ):
            seconds[method] = of_method
    usual, new = (made_up_calls(number, seed) for seed, number in enumerate((833, 5_100)))
    events = usual.n_events + new.n_events
    rows = [["detector", "RTFM, seconds", f"{events:,} calls, seconds", "megabytes"]]
    for method in figures.parts[0].by_log()["method"].to_list() + figures.parts[1].by_log()["method"].to_list():
        _, cost = with_cost(lambda method=method: DETECTORS.make(method).fit(new, usual))
        rows.append([f"`{method}`", f"{seconds[method]:.2f}", f"{cost['seconds']:.1f}", f"{cost['bytes'] / 1e6:,.0f}"])
    yield "odd-seconds", rows


def made_up_calls(n_cases, seed):
    """Traces of 60 made-up programs, which go from each of 175 calls to one of a few others, and now and then to any."""
    programs, random = np.random.default_rng(0), np.random.default_rng(seed)
    following = programs.integers(0, 175, (60, 175, 4))
    lengths = np.clip(random.lognormal(5.8, 0.75, n_cases), 79, 4000).astype(int)
    traces = []
    for length, program in zip(lengths.tolist(), random.integers(0, 60, n_cases).tolist(), strict=True):
        ways, any_call = random.choice(4, length, p=[0.7, 0.2, 0.07, 0.03]).tolist(), random.random(length) < 0.005
        calls, call = [], 0
        for way, is_any in zip(ways, any_call.tolist(), strict=True):
            call = int(random.integers(175)) if is_any else int(following[program, call, way])
            calls.append(str(call))
        traces.append(calls)
    return EventLog.from_traces(traces)


PARTS = {part.__name__: part for part in (bpad, outside, calls, alarms, natural, promises, reference, waits, speed)}
JOBS = 1


def main():
    global JOBS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} [all]")
    parser.add_argument("--choosing", action="store_true", help="on the families that settings may be chosen on")
    parser.add_argument("--logs", nargs="+", metavar="LOG", help="on these logs")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--store", action="store_true", help="keep the tables for the pages")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    if not LOGS.is_dir():
        parser.error(f"there is no folder of logs at {LOGS}: name one by ACTALIKE_LOGS")
    JOBS = asked.jobs
    logs = tuple(asked.logs or (CHOOSING if asked.choosing else REPORTING))
    for name in asked.parts or PARTS:
        for table, rows in PARTS[name](logs):
            print(f"\n{table} ({', '.join(logs)})\n\n{results.markdown(rows)}", flush=True)
            if asked.store:
                results.store(table, rows, f"python measurements/odd_shown.py {name}")


if __name__ == "__main__":
    main()
