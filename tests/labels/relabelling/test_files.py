"""Relabelling changes the labels that it is told to, and nothing else."""

import csv
import gzip
import io
import os
import random
import re
import tempfile
from itertools import islice
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import (
    EventLog,
    LogError,
    read_log,
    relabel,
    relabel_file,
    write_log,
)
from actalike.labels.relabelling import ORIGINAL
from tests.attacks import relabelling
from tests.helpers.examples import LONG, examples, real_logs
from tests.helpers.renamings import logs_with_mappings


@pytest.mark.parametrize("name", ["log.xes", "log.xes.gz", "log.csv", "log.csv.gz", "log.tsv", "log.parquet"])
@examples(20)
@given(case=logs_with_mappings(), collapse=st.booleans())
def test_a_file_that_is_relabelled_reads_as_the_log_relabelled(name, case, collapse):
    log, mapping = case
    if not name.startswith("log.xes"):
        log = EventLog.from_traces([trace for trace in log.traces() if trace])  # columns have no cases without events
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / name, Path(folder) / f"new.{name}"
        if name == "log.tsv":
            rows = [(i, label) for i, trace in enumerate(log.traces()) for label in trace]
            before.write_text(delimited([("case", "activity"), *rows], "\t"), encoding="utf-8", newline="")
        else:
            write_log(log, before)
        done = relabel_file(before, mapping, after, collapse=collapse)
        found = read_log(after, order="file")
        expected = relabel(read_log(before, order="file"), mapping, collapse)
        assert found == expected
        assert (done.events, done.activities) == (expected.n_events, len(expected.activities))
        assert done.dropped == log.n_events - found.n_events
        again = Path(folder) / f"again.{name}"
        relabel_file(before, mapping, again, collapse=collapse)
        assert after.read_bytes() == again.read_bytes()
        assert {path.name for path in Path(folder).iterdir()} == {before.name, after.name, again.name}


def test_an_attack_of_relabelled_files_finds_nothing_wrong(tmp_path):
    outcomes = islice(relabelling.attempts(random.Random(15), tmp_path), 60)
    assert [outcome.detail for outcome in outcomes if outcome.verdict != "same"] == []


def delimited(rows, separator):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue()


def test_the_first_original_stays(tmp_path):
    for name in ("log.xes", "log.csv", "log.parquet"):
        log, once, twice = (tmp_path / f"{prefix}{name}" for prefix in ("", "once-", "twice-"))
        write_log(EventLog.from_traces([["a", "b", "c"]]), log)
        relabel_file(log, {"a": "x"}, once)
        relabel_file(once, {"x": "y", "b": "y"}, twice)
        assert read_log(twice).traces() == [["y", "y", "c"]]
        if name == "log.xes":
            assert re.findall(rb'actalike:original" value="(.)"', twice.read_bytes()) == [b"a", b"b"]
        elif name == "log.csv":
            assert [row[-1] for row in csv.reader(twice.read_text().splitlines())] == [ORIGINAL, "a", "b", ""]
        else:
            assert pl.read_parquet(twice)[ORIGINAL].to_list() == ["a", "b", None]
            assert pl.read_parquet(twice).columns.count(ORIGINAL) == 1


def first_lines(path, count, folder):
    """A copy of a packed CSV that ends after so many lines."""
    with gzip.open(path, "rb") as lines, gzip.open(folder / path.name, "wb", compresslevel=1) as copy:
        copy.writelines(islice(lines, count))
    return folder / path.name


@pytest.mark.parametrize(
    "name", real_logs("Helpdesk", "Env_Permit", "CCC19", "BPIC13_open_problems", "Hospital_Billing", long=("BPIC15_1", "BPIC12"))
)
def test_real_logs_are_copied_but_for_what_is_renamed(log_file, tmp_path, name):
    path = log_file(name) if LONG or name != "Hospital_Billing" else first_lines(log_file(name), 40_000, tmp_path)
    after = tmp_path / path.name.removesuffix(".gz")
    log = read_log(path)
    relabel_file(path, {label: label for label in log.activities}, after)
    original = gzip.decompress(path.read_bytes())
    if after.suffix == ".xes":
        assert after.read_bytes() == original
    else:
        assert [line[:-1] for line in after.read_bytes().splitlines()[1:]] == original.splitlines()[1:]
    label = log.activities[0]
    done = relabel_file(path, {label: "a <new> name"}, after)
    assert read_log(after) == log.relabel(lambda text: "a <new> name" if text == label else text)
    assert done.renamed == log.activity_counts[0]
    if after.suffix == ".xes":
        restored = re.sub(
            rb'(\s*)<string key="actalike:original" value="([^"]*)"/>\1<string key="concept:name" value="a &lt;new&gt; name"',
            rb'\1<string key="concept:name" value="\2"',
            after.read_bytes(),
        )
        assert restored == original


@pytest.mark.parametrize("output", ["new.csv", "new.xes", "new.tsv.gz", "new", "new.parquet.gz"])
def test_outputs_of_another_kind_are_refused(tmp_path, output):
    write_log(EventLog.from_traces([["a"]]), tmp_path / "log.parquet")
    with pytest.raises(LogError, match="parquet"):
        relabel_file(tmp_path / "log.parquet", {}, tmp_path / output)


def test_the_log_itself_is_never_the_output(tmp_path):
    write_log(EventLog.from_traces([["a"]]), tmp_path / "log.xes")
    os.link(tmp_path / "log.xes", tmp_path / "other.xes")
    for output in ("log.xes", "other.xes"):
        with pytest.raises(LogError, match="itself"):
            relabel_file(tmp_path / "log.xes", {}, tmp_path / output)


@pytest.mark.parametrize("name", ["log.xes", "log.xes.gz", "log.csv.gz", "log.parquet"])
def test_files_that_are_cut_off_anywhere_are_refused(tmp_path, name):
    path, output = tmp_path / name, tmp_path / f"new.{name}"
    write_log(EventLog.from_traces([["a", "b"], ["b", "c"]]), path)
    whole = path.read_bytes()
    enough = len(whole.rstrip(b"\n")) if name == "log.xes" else len(whole)
    for end in range(enough):
        path.write_bytes(whole[:end])
        with pytest.raises(LogError):
            relabel_file(path, {"b": "a"}, output)
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_hostile_labels_are_only_labels(tmp_path):
    names = ["<script>alert(1)</script>", '" onload="x', "]]>", "-->", "&amp;", "a'b", "=cmd()", "\t"]
    traces = [[name, "x"] for name in names]
    random.Random(1).shuffle(traces)
    for ending in ("xes", "csv", "parquet"):
        path, output = tmp_path / f"log.{ending}", tmp_path / f"new.{ending}"
        write_log(EventLog.from_traces(traces), path)
        mapping = {name: f"{name} & <b>" for name in names}
        relabel_file(path, mapping, output)
        assert read_log(output).traces() == [[mapping[name], "x"] for name, _ in traces]
