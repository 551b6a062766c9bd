"""Golden outputs: what actalike answers for a folder of real logs, stored, and compared with what it answers now.

    python measurements/golden.py [--only PATTERN]          compare; what differs and is not meant fails (make golden)
    python measurements/golden.py store [--only PATTERN]    store what the code answers now

Needs the folder of logs (ACTALIKE_LOGS). `golden_cases.py` says what is run, and over which logs. `golden/results.json` has a hash
of each result, and the result itself where it is small; `golden/meant.toml` lists the differences that are meant, with the reason.
PATTERN is matched with "command | log": `--only 'group*'`, `--only '* | Helpdesk'`.

A result is text. What the sentences say (" words") and how the log was read (" read") are results of their own, so that better
English or a new fact about reading is one entry of `meant.toml` and hides nothing else. Times, memory, versions and folders are left
out. Numbers, also those in text files, are rounded to 10 decimals and then to 8 digits: the order of a sum or another BLAS must not
show, and with more digits it would, in the few of a million numbers that are near the edge of a rounding. The kernels of BLAS are
chosen below: with those of another processor 893 of 899 results were the same (not a network that was trained, an SVD, and which of two
equal candidates `match` names).

All results are kept in `out/golden`, by their hash, so that large ones can be shown as a difference as well. For those of an
older commit, run this script once with that commit's code: PYTHONPATH=CHECKOUT/src python measurements/golden.py
"""

import argparse
import gzip
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # the processes would only wait for each other's threads
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")  # the same kernels on every processor with AVX2, and so the same sums
os.environ.setdefault("MKL_CBWR", "COMPATIBLE")
os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx2")

import golden_cases
import numpy as np

import actalike

HERE = Path(__file__).parent
LOGS = Path(os.environ.get("ACTALIKE_LOGS", HERE.parents[1] / "shared" / "event_logs")).absolute()
STORED, MEANT, KEPT = HERE / "golden" / "results.json", HERE / "golden" / "meant.toml", HERE / "out" / "golden"
PROSE = {"about", "cautions", "limits", "reason", "remarks", "score", "summary", "verdict", "why", "words"}  # keys of sentences
READING = {"read", "read_a", "read_b"}
VARIES = {"seconds", "megabytes", "bytes", "version", "schema"}
LONG = re.compile(r"-?\d+\.\d{8,}(?:e-?\d+)?")  # a number of which only some digits count
SMALL = 3_000  # characters of a result that is stored itself
SHOWN, LINES, WIDTH = 60, 5, 160  # differences that are shown, lines of each, and characters of a line


def rounded(number):
    """Round to 10 decimals, then to 8 digits; + 0.0 makes -0.0 the same as 0.0."""
    return float(f"{round(number, 10):.8g}") + 0.0 if math.isfinite(number) else number


def rows_of(array):
    """Return an array as lines of numbers, after one with its kind and shape."""
    rows = array.tolist() if array.ndim > 1 else [array[i : i + 20].tolist() for i in range(0, len(array), 20)]
    convert = rounded if array.dtype.kind == "f" else int
    return [f"{array.dtype.kind} {array.shape}", *(" ".join(str(convert(number)) for number in row) for row in rows)]


def facts_of(value, words, read, key=""):
    """Return a value without what varies, its sentences and how its log was read, which are added to the other two."""
    if isinstance(value, dict):
        kept = {name: part for name, part in value.items() if str(name).removesuffix("_low").removesuffix("_high") not in VARIES}
        read += [facts_of(part, words, []) for name, part in kept.items() if name in READING]
        return {str(name): facts_of(part, words, read, name) for name, part in kept.items() if name not in READING}
    if isinstance(value, list | tuple):
        return [facts_of(part, words, read, key) for part in value]
    if isinstance(value, str) and key in PROSE:
        words += value.splitlines()
        return "..."
    if isinstance(value, np.ndarray):
        return rows_of(value)
    if isinstance(value, str):  # a line of a file
        return LONG.sub(lambda number: str(rounded(float(number[0]))), value)
    return rounded(value) if isinstance(value, float) else value


def texts_of(value, folders):
    """Return a value as the texts of its facts (""), its sentences (" words") and how the log was read (" read")."""
    words, read = [], []
    parts = {"": facts_of(value, words, read), " words": words, " read": read}
    found = {}
    for kind, part in parts.items():
        is_text = isinstance(part, list) and all(isinstance(line, str) for line in part)
        text = "\n".join(part) if is_text else json.dumps(part, indent=1, sort_keys=True, ensure_ascii=False, default=str)
        for folder in folders:
            text = text.replace(f"{folder}/", "").replace(str(folder), ".")
        found |= {kind: text.encode(errors="backslashreplace").decode()} if text else {}
    return found


def hash_of(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def run(task):
    """Run a case over a log and keep its results. Return their hashes, the texts of small ones, and the seconds of the processor."""
    name, log, files = task
    start = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        try:
            parts = golden_cases.results(name, files, Path(folder))
        except Exception as error:
            parts = {"failed": f"{type(error).__name__}: {error}"}
        found = {
            f"{f'{name} {part}'.strip()}{kind} | {log}": text
            for part, value in parts.items()
            for kind, text in texts_of(value, (folder, LOGS)).items()
        }
    for text in found.values():
        if not (KEPT / hash_of(text)).exists():
            unfinished = KEPT / f"{os.getpid()}.part"
            unfinished.write_bytes(gzip.compress(text.encode(), 1))
            unfinished.replace(KEPT / hash_of(text))
    hashes = {key: hash_of(text) for key, text in found.items()}
    return hashes, {hash_of(text): text.split("\n") for text in found.values() if len(text) <= SMALL}, time.process_time() - start


def tasks(only, stored):
    """Return the cases to run, each with a log and its files, the largest first; and the logs that are not there."""
    there = actalike.datasets.find(LOGS)
    keys = [key for key in stored["results"] if fnmatchcase(key, only)]
    found, missing = [], set()
    for name, (logs, _) in golden_cases.CASES.items():
        for log in logs or sorted(there):
            needed = [] if log == "-" else log.split()
            missing |= {one for one in needed if one not in there}
            has_key = any(key.startswith(f"{name} ") and key.endswith(f" | {log}") for key in keys)
            if (has_key or fnmatchcase(f"{name} | {log}", only)) and all(one in there for one in needed):
                found.append((name, log, [Path(there[one]) for one in needed]))
    return sorted(found, key=lambda task: -sum(path.stat().st_size for path in task[2])), missing


def run_all(todo, jobs):
    """Run all cases; return the hashes of the results, and the texts of small ones."""
    hashes, texts, spent = {}, {}, defaultdict(float)
    KEPT.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for task, (some_hashes, some_texts, seconds) in zip(todo, pool.map(run, todo), strict=True):
            hashes |= some_hashes
            texts |= some_texts
            spent[task[0]] += seconds
    slowest = ", ".join(f"{name} {spent[name]:.0f} s" for name in sorted(spent, key=spent.get)[:-4:-1])
    print(f"{len(todo)} runs, {len(hashes)} results; {sum(spent.values()):.0f} s of the processor ({slowest}, ...).")
    return hashes, texts


def version():
    """Return the version and the commit of the code that runs."""
    folder = Path(actalike.__file__).parent
    git = [subprocess.run(["git", *words.split()], cwd=folder, capture_output=True, text=True, check=False).stdout.strip()
           for words in ("rev-parse --short HEAD", "status --short .")]  # fmt: skip
    return f"{actalike.__version__}, commit {git[0]}{' with changes' if git[1] else ''}"


def is_run(key, only, missing):
    return fnmatchcase(key, only) and not missing & set(key.split(" | ")[1].split())


def store(stored, hashes, texts, only, missing):
    results = {key: found for key, found in stored["results"].items() if not is_run(key, only, missing)} | hashes
    texts = {found: lines for found, lines in (stored["texts"] | texts).items() if found in results.values()}
    new = {"of": version(), "results": results, "texts": texts}
    STORED.write_text(json.dumps(new, indent=0, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
    for path in KEPT.iterdir():
        if path.name not in results.values():
            path.unlink()
    print(f"Stored {len(hashes)} results of {new['of']}.")


def first_difference(a, b):
    return next((i for i, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]), min(len(a), len(b)))


def show(key, before, after):
    """Print the first lines that differ."""
    print(f"\n{key}")
    if before is None:
        print("  What it was is not kept here: the top of golden.py says how to get it.")
        return
    first = first_difference(before, after)
    if len(before) == len(after):
        places = [i for i in range(first, len(after)) if before[i] != after[i]]
        print(f"  {len(places)} of {len(after)} lines")
        for i in places[:LINES]:  # of a long line, what stands around the first difference
            start = max(first_difference(before[i], after[i]) - WIDTH // 2, 0)
            print(
                *(
                    f"  {sign} {'...' * bool(start)}{lines[i][start : start + WIDTH]}"
                    for sign, lines in (("-", before), ("+", after))
                ),
                sep="\n",
            )
    else:
        print(f"  {len(after)} lines in place of {len(before)}; from line {first + 1} on:")
        for sign, lines in (("-", before), ("+", after)):
            print(*(f"  {sign} {line[:WIDTH]}" for line in lines[first : first + LINES]), sep="\n")


def compare(stored, hashes, only, missing):
    """Print what differs from what is stored, and return how many differences are not meant."""
    meant = tomllib.loads(MEANT.read_text(encoding="utf-8")).get("meant", [])
    before = {key: found for key, found in stored["results"].items() if is_run(key, only, missing)}
    wrong, uses = defaultdict(list), [0] * len(meant)

    def lines_of(found):
        kept = KEPT / found
        return stored["texts"].get(found) or (gzip.decompress(kept.read_bytes()).decode().split("\n") if kept.exists() else None)

    for key in sorted(key for key in before | hashes if before.get(key) != hashes.get(key)):
        command, log = key.split(" | ")
        fitting = [i for i, one in enumerate(meant) if fnmatchcase(command, one["command"]) and fnmatchcase(log, one["log"])]
        if fitting:
            uses[fitting[0]] += 1
            continue
        wrong[command].append(log)
        if key not in before or key not in hashes:
            print(f"\n{key}\n  {'is new' if key in hashes else 'is gone'}")
        elif sum(map(len, wrong.values())) <= SHOWN:
            show(key, lines_of(before[key]), lines_of(hashes[key]))
    for command, logs in wrong.items():
        print(f"DIFFERS  {command}: {', '.join(logs)}")
    for entry, times in zip(meant, uses, strict=True):
        if times:
            print(f"meant    {times} of {entry['command']} | {entry['log']}: {entry['reason']}")
        elif only == "*":
            print(f"unused   {entry['command']} | {entry['log']}: remove this entry of {MEANT.name}")
    n = sum(map(len, wrong.values()))
    print(f"{n} of {len(before | hashes)} results differ from those of {stored['of']}; {sum(uses)} more as meant.")
    return n


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("mode", nargs="?", choices=("compare", "store"), default="compare")
    parser.add_argument("--only", default="*", metavar="PATTERN", help='matched with "command | log"')
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    options = parser.parse_args()
    only = options.only if "|" in options.only or options.only == "*" else f"{options.only} | *"
    if not LOGS.is_dir():
        sys.exit(f"There is no folder of logs {LOGS}: name one with ACTALIKE_LOGS (actalike datasets lists the logs).")
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {"of": "nothing", "results": {}, "texts": {}}
    todo, missing = tasks(only, stored)
    if missing:
        print(f"Not in {LOGS}, and so not compared: {', '.join(sorted(missing))}.")
    if not todo:
        sys.exit(f"No case over a log is called {options.only}.")
    hashes, texts = run_all(todo, options.jobs)
    hashes = {key: found for key, found in hashes.items() if fnmatchcase(key, only)}
    if options.mode == "store":
        store(stored, hashes, texts, only, missing)
    elif compare(stored, hashes, only, missing):
        sys.exit(1)


if __name__ == "__main__":
    main()
