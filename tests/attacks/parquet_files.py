"""Damaged Parquet files: bits flipped, bytes set, ranges cut out, doubled, swapped or taken from another file.

The files are small, and of several writers (Polars, pyarrow, DuckDB), codecs, encodings, versions of pages and numbers of groups
of rows. Each mutant is read, and every fourth is relabelled, in a worker, so that an abort of the process is seen as one.

A mutant is **same** if the log equals that of the undamaged file, **unseen** if it has as many events and other values: Polars does
not verify checksums, and inside a value nothing else can tell. It is **refused** if the answer is one sentence that names the
file. It is **aborted** if Polars ended the process because a number in the file asked for more memory than there is; docs/reading.md owns
up to that. Anything else is **wrong**: another number of events, another end of the process, words on standard error other than a panic's
report, a raw error, more than 6 GiB of memory, more than 20 seconds.
"""

import itertools
import json
import os
import select
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from tests.attacks import Outcome

TITLE = "damaged Parquet files"
ROWS = 60
_ROOT = Path(__file__).parents[2]
_PATIENCE = 20  # seconds for one mutant
_MEMORY = 6 << 30  # of addresses, of which pyarrow reserves more than 2 GiB
_PANIC = "panicked at"
_OUT_OF_MEMORY = "memory allocation of"
_NAMES = {"case": "case", "activity": "activity", "timestamp": "time"}
_OPTIONS = {**_NAMES, "transition": "phase", "lifecycle": "append"}


def missing() -> str | None:
    """Return why the attack cannot run here, None if it can."""
    absent = [name for name in ("pyarrow", "duckdb") if find_spec(name) is None]
    return f"{' and '.join(absent)} not installed, which write files" if absent else None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Read one mutant after the other."""
    originals = sorted(write_originals(folder))
    contents = [path.read_bytes() for path in originals]
    worker = _Worker(folder)
    try:
        for number in itertools.count():
            which = random.randrange(len(originals))
            mutant, what = mutate(random, contents[which], random.choice(contents))
            path = folder / "mutant.parquet"
            path.write_bytes(mutant)
            outcome = worker.judge(path, originals[which], number % 4 == 0)
            if outcome.verdict == "wrong":
                outcome = outcome._replace(detail=f"{outcome.detail} ({originals[which].name}, {what}; read {path.name})")
            yield outcome
    finally:
        worker.stop()


def write_originals(folder: Path) -> list[Path]:
    """Write a small log in many ways, and return the files."""
    import duckdb
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    start = datetime(2024, 1, 1)
    frame = pl.DataFrame(
        {
            "case": [f"c{row % 7}" for row in range(ROWS)],
            "activity": [("ask", "pay", "wait a moment", "end")[row * row % 4] for row in range(ROWS)],
            "time": [start + timedelta(minutes=7 * row) for row in range(ROWS)],
            "phase": [("start", "complete", "")[row % 3] for row in range(ROWS)],
            "cost": [None if row % 5 == 0 else row * 1.5 for row in range(ROWS)],
        }
    )
    for codec in ("uncompressed", "snappy", "zstd", "gzip", "lz4", "brotli"):
        frame.write_parquet(folder / f"polars-{codec}.parquet", compression=codec)  # type: ignore[arg-type]
    frame.write_parquet(folder / "polars-groups.parquet", row_group_size=20, data_page_size=64)
    frame.write_parquet(folder / "polars-no-statistics.parquet", statistics=False)
    frame.with_columns(pl.col("activity").cast(pl.Categorical)).write_parquet(folder / "polars-categories.parquet")
    large = frame.to_arrow()
    table = large.cast(
        pa.schema([(field.name, pa.string() if pa.types.is_large_string(field.type) else field.type) for field in large.schema])
    )
    deltas = {"case": "DELTA_BYTE_ARRAY", "activity": "DELTA_LENGTH_BYTE_ARRAY", "time": "DELTA_BINARY_PACKED", "phase": "PLAIN"}
    for pages in ("1.0", "2.0"):
        for codec in ("none", "snappy", "zstd", "gzip", "lz4", "brotli"):
            pq.write_table(table, folder / f"pyarrow-{codec}-{pages}.parquet", compression=codec, data_page_version=pages)
        for name, options in {
            "plain": {"use_dictionary": False, "compression": "none"},
            "delta": {"use_dictionary": False, "column_encoding": deltas},
            "delta-plain": {"use_dictionary": False, "column_encoding": deltas, "compression": "none"},
            "groups": {"row_group_size": 17, "data_page_size": 64, "write_page_index": True},
            "checksums": {"write_page_checksum": True},
        }.items():
            pq.write_table(table, folder / f"pyarrow-{name}-{pages}.parquet", data_page_version=pages, **options)
    pq.write_table(table, folder / "pyarrow-no-statistics.parquet", write_statistics=False, store_schema=False)
    nested = table.append_column("tags", pa.array([[str(row)] * (row % 3) for row in range(ROWS)]))
    pq.write_table(nested.append_column("more", pa.array([{"x": row} for row in range(ROWS)])), folder / "pyarrow-nested.parquet")
    with duckdb.connect() as connection:
        connection.register("events", table)
        for name, options in {"": "", "-zstd": ", COMPRESSION zstd, ROW_GROUP_SIZE 20", "-2": ", PARQUET_VERSION v2"}.items():
            connection.execute(f"COPY events TO '{folder / f'duckdb{name}.parquet'}' (FORMAT parquet{options})")
    return list(folder.glob("*.parquet"))


def mutate(random: Random, whole: bytes, other: bytes) -> tuple[bytes, str]:
    """Return a damaged copy of a file's bytes, and what was done to it."""
    size = len(whole)
    at = random.randrange(size)
    if random.random() < 0.3:  # the footer and the headers of pages are where readers go wrong
        at = max(0, size - 1 - random.randrange(size // 2))
    length = min(random.choice((1, 2, 4, 8, 30, 200)), size - at)
    to = random.randrange(size - length + 1)
    match random.choices(range(8), (40, 20, 4, 8, 6, 8, 8, 6))[0]:
        case 0:
            bit = 1 << random.randrange(8)
            return _put(whole, at, bytes([whole[at] ^ bit])), f"byte {at} xor {bit}"
        case 1:
            value = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
            return _put(whole, at, bytes([value])), f"byte {at} set to {value}"
        case 2:
            return whole[:at], f"cut off at {at}"
        case 3:
            return _put(whole, at, random.randbytes(length)), f"{length} random bytes at {at}"
        case 4:
            return whole[:at] + whole[at + length :], f"{length} bytes taken out at {at}"
        case 5:
            return _put(whole, to, whole[at : at + length]), f"{length} bytes copied from {at} to {to}"
        case 6:
            return _put(whole, at, other[at : at + length]), f"{length} bytes of another file at {at}"
        case _:
            flips = {random.randrange(size): 1 << random.randrange(8) for _ in range(random.randrange(2, 6))}
            return bytes(byte ^ flips.get(place, 0) for place, byte in enumerate(whole)), f"flipped {flips}"


def _put(whole: bytes, at: int, piece: bytes) -> bytes:
    return whole[:at] + piece + whole[at + len(piece) :]


class _Worker:
    """Run a process that judges mutants, and start another when it is gone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process: subprocess.Popen[bytes] | None = None

    def judge(self, mutant: Path, original: Path, relabel: bool) -> Outcome:
        if self.process is None:
            code = f"from tests.attacks.parquet_files import work; work({_MEMORY})"
            (self.folder / "worker.txt").unlink(missing_ok=True)
            with (self.folder / "worker.txt").open("ab") as said:
                self.process = subprocess.Popen(
                    [sys.executable, "-c", code], cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said
                )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([str(mutant), str(original), relabel]).encode() + b"\n")
        self.process.stdin.flush()
        answered, _, _ = select.select([self.process.stdout], [], [], _PATIENCE)
        answer = self.process.stdout.readline() if answered else b""
        said_text = (self.folder / "worker.txt").read_text(errors="replace")
        if answer and (not said_text or _PANIC in said_text):  # a panic says so itself; what counts is what became of it
            os.truncate(self.folder / "worker.txt", 0)
            return Outcome(*json.loads(answer))
        self.stop()
        if not answered:
            return Outcome("wrong", f"no answer within {_PATIENCE} s")
        if not answer and _OUT_OF_MEMORY in said_text:
            return Outcome("aborted")
        return Outcome("wrong", f"standard error: {said_text[:300]!r}" if answer else f"the process ended: {said_text[-300:]!r}")

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def work(memory: int) -> None:
    """Judge the mutants that are named on standard input, one a line."""
    import resource

    import actalike

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    logs: dict[tuple[str, bool], Any] = {}
    for line in sys.stdin:
        mutant, original, relabel = json.loads(line)
        options, judge = (_NAMES, _judge_relabelling) if relabel else (_OPTIONS, _judge_reading)
        if (original, relabel) not in logs:
            logs[original, relabel] = actalike.read_log(original, **options)
        try:
            outcome = judge(Path(mutant), logs[original, relabel])
        except actalike.ActalikeError as error:
            is_sentence = mutant in str(error) and "\n" not in str(error)
            outcome = Outcome("refused") if is_sentence else Outcome("wrong", f"the words: {error}")
        except BaseException as error:
            outcome = Outcome("wrong", f"{type(error).__name__}: {str(error)[:300]}")
        print(json.dumps(outcome), flush=True)


def _judge_reading(mutant: Path, expected: Any) -> Outcome:
    import actalike

    return _compare(actalike.read_log(mutant, **_OPTIONS), expected)


def _judge_relabelling(mutant: Path, expected: Any) -> Outcome:
    """Relabel nothing: the new file must hold what can be read from the mutant, as often."""
    import actalike

    new = mutant.with_name("relabelled.parquet")
    new.unlink(missing_ok=True)
    try:
        actalike.relabel_file(mutant, {}, new, **_NAMES)
    except actalike.ActalikeError:
        if new.exists():
            return Outcome("wrong", "refused, but written")
        raise
    try:
        log = actalike.read_log(new, **_NAMES)
    except actalike.LogError:
        actalike.read_log(mutant, **_NAMES)  # refused as well: then the new file is as good as the mutant
        return Outcome("wrong", "the new file is refused, but not the mutant")
    return _compare(log, expected)


def _compare(log: Any, expected: Any) -> Outcome:
    if log == expected:
        return Outcome("same")
    if len(log.codes) != len(expected.codes):
        return Outcome("wrong", f"{len(log.codes)} events instead of {len(expected.codes)}")
    return Outcome("unseen")
