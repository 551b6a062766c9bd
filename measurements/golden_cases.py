"""The golden cases: what `measurements/golden.py` runs, and over which logs. Only commands, public names and files are used.

A case is a function of the files of its logs and an empty folder. It returns what a command printed, or facts of Python; what it
leaves in the folder belongs to the result too, except for the subfolder `in`, which is for inputs.
"""

import gzip
import io
import json
import runpy
import shlex
import shutil
import struct
import sys
from contextlib import redirect_stderr, redirect_stdout
from unittest.mock import patch

import numpy as np
import polars as pl

import actalike

METHODS = [
    "ac-sequence-raw-w3",
    "ac-sequence-pmi-w5",
    "ac-multiset-ppmi-w9",
    "aa-sequence-ppmi-w3",
    "aa-multiset-pmi-w5",
    "positional-pmi-w3",
    "positional-hellinger-w5",
    "substitution-w3",
    "kin-w5",
    "kin2-w5",
    "ac-sequence-ppmi-w5+shift5+smooth0.75+svd10+power0.5",
]
TIMELESS = ("log", "method", "repeats", "rows", "dimension", "dense_bytes", "stored_bytes", "stored", "error")  # of efficiency


class Parts(dict):
    """Several results of one case, by name."""


def command(*words):
    """Run a command in this process, as `python -m actalike` does, and return its JSON, its text, or how it failed."""
    words = ["actalike", *map(str, words)]
    with redirect_stdout(io.StringIO()) as said, redirect_stderr(io.StringIO()) as complained, patch.object(sys, "argv", words):
        try:
            runpy.run_module("actalike", run_name="__main__")
            code = 0
        except SystemExit as end:
            code = end.code or 0
    if code:
        return {"exit code": code, "words": complained.getvalue()}
    return json.loads(said.getvalue()) if "--json" in words else {"words": said.getvalue()}


def commands(*lines, ending="--json"):
    """Return a case that runs command lines. `{log}`, `{other}` and `{out}` are paths; `known_of` says what else stands in braces."""

    def case(files, out):
        known = {"out": out, **dict(zip(("log", "other"), files, strict=False))}
        if any(f"{{{name}}}" in line for line in lines for name in ("a", "b", "case", "date")):
            known |= known_of(actalike.read_log(files[0]))
        return [command(*(word.format(**known) for word in shlex.split(f"{line} {ending}"))) for line in lines]

    return case


def benchmark(name, options):
    """Return a case that runs a benchmark and tabulates its results."""
    return commands(f"benchmark {name} --logs {{log}} --out {{out}}/in {options}", "benchmark table {out}/in --by log")


def known_of(log):
    """Return the two most frequent activities, the first case, and when half the cases have begun."""
    order = np.argsort(-log.activity_counts, kind="stable")
    known = {"a": log.activities[order[0]], "b": log.activities[order[1]], "case": log.case_ids[0]}
    if log.timestamps is not None:
        known["date"] = np.sort(log.timestamps[log.offsets[:-1]])[log.n_cases // 2].astype("datetime64[s]")
    return known


def reading(files, out):
    log = actalike.read_log(files[0])
    facts = {
        "digest": log.digest,
        "size": [log.n_cases, log.n_events, log.n_variants],
        "activities": [log.activities, log.activity_counts, log.activity_cases],
        "case ids": log.case_ids,
        "times": None if log.timestamps is None else log.timestamps.astype("datetime64[us]").astype(np.int64),
        "attributes": {name: [one.values, one.codes] for name, one in log.attributes.items()},
        "words": str(log.reading),
    }
    tables = {f"windows of {size}": actalike.count_windows(log, size) for size in (3, 5, 9)}
    windows = {name: [table.activities, table.windows, table.counts] for name, table in tables.items()}
    variants = [log.variants.codes, log.variants.offsets, log.variants.weights]
    return Parts({"": facts, "variants": variants, **windows})


def other_readings(files, out):
    frame = actalike.read_log(files[0]).to_frame()
    options = ({"order": "time"}, {"lifecycle": "complete"}, {"lifecycle": "append"}, {"attributes": []})
    frames = {"polars": frame, "pandas": frame.to_pandas(), "pyarrow": frame.to_arrow()}
    ways = {str(one): (files[0], one) for one in options} | {kind: (one, {"order": "file"}) for kind, one in frames.items()}
    found = {}
    for way, (source, given) in ways.items():
        try:
            log = actalike.read_log(source, **given)
            found[way] = [log.digest, log.n_cases, log.n_events, sorted(log.attributes)]
        except actalike.ActalikeError as error:
            found[way] = {"error": type(error).__name__, "words": str(error)}
    return found


def distances(files, out):
    log = actalike.read_log(files[0])
    return Parts({method: actalike.embed(log, method).distances() for method in METHODS})


def scores(files, out):
    log = actalike.read_log(files[0])
    counts, same = actalike.count_windows(log, 3), actalike.same_step(log)
    substitution, insertion = actalike.substitution_scores(counts), actalike.insertion_scores(counts)
    return Parts({"of substitution": substitution, "of insertion": insertion, "of one step": same.probabilities})


def stream(files, out):
    """Count and score the first 3,000 events as they came, close some cases, and save what is open."""
    log = actalike.read_log(files[0])
    order = np.argsort(log.timestamps, kind="stable")[:3000]
    cases = [log.case_ids[i] for i in np.searchsorted(log.offsets, order, side="right") - 1]
    odd = actalike.OddStream(actalike.StreamCounter(5))
    scored = odd.add(cases, [log.activities[log.codes[i]] for i in order], explain=6.0)
    scored += odd.close(sorted(set(cases))[::2])
    odd.counter.save(out / "stream.actalike")
    return {"scores": scored, "counts": odd.counter.counts().counts}


def written(files, out):
    for ending in (".xes", ".csv", ".parquet"):
        actalike.write_log(actalike.read_log(files[0]), out / f"log{ending}")


def relabelled(files, out):
    """Merge labels until two of three are left, then rename them in the file itself, in a CSV and in a Parquet file."""
    log = actalike.read_log(files[0])
    sources = {f"renamed{''.join(files[0].suffixes)}": files[0]}
    for ending in (".csv", ".parquet"):
        sources[f"renamed{ending}"] = out / "in" / f"log{ending}"
        actalike.write_log(log, sources[f"renamed{ending}"])
    said = [command("group", files[0], "--steps", len(log.activities) * 2 // 3, "-o", out / "mapping.csv", "--json")]
    for name, source in sources.items():
        said.append(command("relabel", source, out / "mapping.csv", "-o", out / name, "--order", "file", "--json"))
        said.append(command("relabel", source, out / "mapping.csv", "-o", out / f"once-{name}", "--collapse", "--json"))
    return said


def duckdb_counts(files, out):
    events = out / "in" / "events.parquet"
    actalike.read_log(files[0]).to_frame().with_row_index("index").write_parquet(events)
    options = ("--engine", "duckdb", "--case", "case", "--activity", "activity", "--order", "index", "--json")
    return command("count", events, "-o", out / "counts.actalike", *options)


def predictions(files, out):
    """Predict with weights that were never trained, and so do not depend on the machine."""
    log = actalike.read_log(files[0])
    n = len(log.activities)
    shapes = ((n, 32), (8, 32), (8, n + 1), (n + 1,))
    weights = [np.sin(np.arange(np.prod(shape), dtype=float)).reshape(shape) for shape in shapes]
    actalike.Predictor(log.activities, "kin-w5", *weights).save(out / "model.actalike")
    return command("predict", files[0], out / "model.actalike", "--json")


def trained(files, out):
    """Train a model, predict with it, and let it place a label that it does not know. Another machine trains another model."""
    log, model, renamed = actalike.read_log(files[0]), out / "model.actalike", out / "in" / "renamed.csv"
    actalike.write_log(actalike.relabel(log, {log.activities[0]: "a new label"}), renamed)
    return [
        command("train", files[0], "-o", model, "--json"),
        command("predict", files[0], model, "--json"),
        command("predict", renamed, model, "--adapt", "--save-adapted", out / "adapted.actalike", "--json"),
    ]


def object_centric(files, out):
    """Read a small object-centric log by each type of its objects."""
    steps = {
        "create": "o1 i1 i2",
        "pick": "i1",
        "create more": "o2 i3",
        "pick again": "i2 i3",
        "send": "o1 i1 i2",
        "pay": "o2",
        "audit": "",
    }
    types = {"o": "order", "i": "item"}
    events = [
        {"id": step, "type": step.split()[0], "time": f"2024-03-04T08:0{number}:00Z", "attributes": []}
        | {"relationships": [{"objectId": one, "qualifier": "of"} for one in involved.split()]}
        for number, (step, involved) in enumerate(steps.items())
    ]
    objects = [
        {"id": one, "type": types[one[0]], "attributes": [], "relationships": []} for one in ["i1", "i2", "i3", "o1", "o2", "o3"]
    ]
    named = {kind: [{"name": name, "attributes": []} for name in sorted(names)]
             for kind, names in (("objectTypes", types.values()), ("eventTypes", {event["type"] for event in events}))}  # fmt: skip
    file = out / "in" / "desk.jsonocel"
    file.write_text(json.dumps({**named, "objects": objects, "events": events}), encoding="utf-8")
    logs = {name: actalike.read_log(file, object_type=name) for name in types.values()}
    look = command("look", file, "--object-type", "order", "--json")
    return {
        "look": look,
        "traces": {name: log.traces() for name, log in logs.items()},
        "words": [str(one.reading) for one in logs.values()],
    }


def refused(files, out):
    """Try what must not work."""
    cut, page = out / "in" / "cut.xes.gz", out / "in" / "page.html"
    cut.write_bytes(files[0].read_bytes()[:60_000])
    page.write_text("mine")
    lines = (
        "similar {out}/in/nosuch.xes.gz", "similar {out}/in/cut.xes.gz", "similar {log} nosuch", "similar {log} -m nosuch",
        "similar {log} --nosuch", "report {log} -o {out}/in/page.html", "explain {log} {a}", "predict {log} {out}/in/cut.xes.gz",
    )  # fmt: skip
    return commands(*lines)(files, out)


def efficiency(files, out):
    done, rows = benchmark("efficiency", "--methods kin-w5 ac-sequence-pmi-w3 --repeats 1")(files, out)
    return [done, [{name: row[name] for name in TIMELESS} for row in rows]]


EVERY = ()  # log of the folder
NONE = ("-",)  # the case brings its own log
TINY = ("BPIC13_open_problems", "CCC19")
SMALL = ("Env_Permit", "Helpdesk", *TINY)
FEW = (*SMALL, "BPIC12_O", "BPIC20_PrepaidTravelCost")
SOME = (*FEW, "BPIC15_2", "NASA")
PAIRS = ("BPIC15_1 BPIC15_2", "BPIC12_A BPIC12_Complete", "BPIC20_DomesticDeclarations BPIC20_RequestForPayment")

CASES = {
    "read": (EVERY, reading),
    "read otherwise": (SOME, other_readings),
    "read object-centric": (NONE, object_centric),
    "look": (EVERY, commands("look {log}")),
    "distances": (SOME, distances),
    "scores": (SOME, scores),
    "similar": (EVERY, commands("similar {log}")),
    "similar to one": (SOME, commands("similar {log} {a} -n 50 --min-cases 5")),
    "similar by kin": (SOME, commands("similar {log} {b} -m kin-w5 --resamples 20")),
    "similar by contexts": (SOME, commands("similar {log} -m ac-sequence-pmi-w5 --resamples 20")),
    "explain": (SOME, commands("explain {log} {a} {b}")),
    "explain by kin": (FEW, commands("explain {log} {a} {b} -m kin-w5 --resamples 20", "explain {log} {a} {b} -m kin2-w5 --resamples 20")),
    "explain by contexts": (FEW, commands("explain {log} {a} {b} -m aa-sequence-pmi-w3", "explain {log} {a} {b} -m ac-multiset-raw-w5")),
    "group": (EVERY, commands("group {log}")),
    "group all": (SOME, commands("group {log} --all --at-least 0.2 -o {out}/mapping.csv")),
    "relabel": (SMALL, relabelled),
    "match": (PAIRS, commands("match {log} {other} -o {out}/matching.csv")),
    "match by labels": (PAIRS, commands("match {log} {other} --labels", "match {log} {other} --explain {a} {a}")),
    "drift": (PAIRS, commands("drift {log} {other}")),
    "drift at a moment": (SOME, commands("drift {log} --at {date}")),
    "odd": (EVERY, commands("odd {log}")),
    "odd case": (SMALL, commands("odd {log} --explain {case}", "odd {log} -o {out}/odd.csv")),
    "stream": (SMALL, stream),
    "train": (TINY[:1], trained),
    "predict": (SMALL, predictions),
    "embed": (SMALL, commands(*(f"embed {{log}} -o {{out}}/kin{end}" for end in (".actalike", ".csv", ".parquet", ".vec", "/")))),
    "embed contexts": (SMALL, commands("embed {log} -o {out}/contexts.actalike -m ac-multiset-ppmi-w5")),
    "count": (SMALL, commands("count {log} -o {out}/counts.actalike", "similar {out}/counts.actalike -m kin2-w5")),
    "count with DuckDB": (SMALL, duckdb_counts),
    "write": (SMALL, written),
    "report": (FEW, commands("report {log} -o {out}/report.html")),
    "report of two logs": (PAIRS, commands("report {log} {other} -o {out}/report.html")),
    "demo": (NONE, commands("demo -o {out}/demo")),
    "methods": (NONE, commands("methods")),
    "datasets": (NONE, commands("datasets")),
    "benchmark intrinsic": (SMALL, benchmark("intrinsic", "--methods kin-w5 ac-sequence-pmi-w3 one-hot --r 1-2 --w 2 --samples 2")),
    "benchmark prediction": (TINY[:1], benchmark("prediction", "--methods kin-w5 --seeds 1 --epochs 2 --device cpu --jobs 1")),
    "benchmark efficiency": (TINY, efficiency),
    "benchmark labels": (SMALL[:2], benchmark("labels", "--recipes 'syn-period-*' natural --draws 1")),
    "benchmark matching": (SMALL[:2], benchmark("matching", "--methods match procrustes-* --tasks known-0 deleted-10 split --draws 1")),
    "benchmark anomalies": (TINY[:1], benchmark("anomalies", "--methods odd links* --tasks bpad-10 known --copies 1")),
    "benchmark change_points": (TINY[:1], benchmark("change_points", "--tasks planted-renamed shuffled --draws 1 --orders 1")),
    "refused": (SMALL[:1], refused),
    "plain text": (SMALL[:2], commands("look {log}", "similar {log}", "explain {log} {a} {b}", "group {log}", "odd {log}", ending="")),
    "plain text of two logs": (PAIRS[1:], commands("match {log} {other}", "drift {log} {other}", ending="")),
}  # fmt: skip


def content(path):
    """Return what a file holds, without what compression or a library's version would change."""
    if path.suffix == ".actalike":  # safetensors: the length of a header, the header, and the arrays
        data = path.read_bytes()
        end = 8 + struct.unpack("<Q", data[:8])[0]
        arrays = json.loads(data[8:end])
        held = {"header": json.loads(arrays.pop("__metadata__")["actalike"])}
        kinds = {"I64": "<i8", "I32": "<i4", "U8": "u1", "F64": "<f8", "BOOL": "?"}
        for name, array in arrays.items():
            start, stop = (end + offset for offset in array["data_offsets"])
            held[f"{name} {array['dtype']}"] = np.frombuffer(data[start:stop], kinds[array["dtype"]]).reshape(array["shape"])
        return held
    if path.suffix == ".parquet":
        frame = pl.read_parquet(path)
        return [f"{name}: {kind}" for name, kind in frame.schema.items()] + frame.rows()
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()


def results(name, files, out):
    """Run a case. Return its values by part: what it returned ("") and each file that it wrote."""
    (out / "in").mkdir()
    value = CASES[name][1](files, out)
    shutil.rmtree(out / "in")
    parts = value if isinstance(value, Parts) else {} if value is None else {"": value}
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        file = path.relative_to(out).as_posix()
        if path.suffix == ".html":
            before, rest = path.read_text(encoding="utf-8").split('<script type="application/json" id="data">')
            data, after = rest.split("</script>", 1)
            parts |= {file: json.loads(data), f"{file} page": (before + after).splitlines()}
        elif path.suffix not in (".png", ".svg"):  # drawn by matplotlib
            parts[file] = content(path)
    return parts
