"""Relabelling files and folders changes the labels that it is told to, and nothing else; whole or not at all."""

import csv
import errno
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

from actalike import ActalikeError, EventLog, LogError, read_log, relabel, relabel_file, write_log
from actalike.labels import relabel_files
from actalike.labels.relabelling import ORIGINAL
from tests.attacks import relabelling
from tests.helpers.examples import LONG, examples, real_logs
from tests.helpers.ocel import purchases, write
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


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.csv").write_text("case,activity,note\n1,Check,x\n2,Pay,\n")
    (folder / "b.csv").write_text("case;activity\n3;Verify\n3;Pay\n")
    return folder


def test_the_files_of_a_folder_are_relabelled_as_one_log(logs, tmp_path):
    done = relabel_files(logs, {"Verify": "Check"}, tmp_path / "new")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["a.csv", "b.csv"]
    assert read_log(tmp_path / "new") == relabel(read_log(logs), {"Verify": "Check"})
    assert (done.events, done.renamed, done.activities, done.activities_before) == (4, 1, 2, 3)
    assert (tmp_path / "new" / "b.csv").read_text() == "case;activity;actalike:original\n3;Check;Verify\n3;Pay;\n"
    assert [path.name for path in tmp_path.iterdir() if path.name not in ("logs", "new")] == []


def test_labels_with_a_blank_name_keep_theirs_in_all_files(logs, tmp_path):
    done = relabel_files(logs, {"Verify": "", "Check": " ", "Pay": "Paid"}, tmp_path / "new")
    assert (done.unnamed, read_log(tmp_path / "new").activities) == (2, ["Check", "Paid", "Verify"])


def test_all_files_are_written_or_none(logs, tmp_path):
    with pytest.raises(ActalikeError, match="Verifi"):
        relabel_files(logs, {"Verifi": "Check"}, tmp_path / "new")
    (logs / "c.csv").write_text("case,activity\n4\n")
    with pytest.raises(ActalikeError, match="field"):
        relabel_files(logs, {"Verify": "Check"}, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_a_folder_that_exists_is_never_replaced(logs, tmp_path):
    (tmp_path / "new").mkdir()
    with pytest.raises(ActalikeError, match="exists"):
        relabel_files(logs, {}, tmp_path / "new")
    with pytest.raises(ActalikeError, match="is one file"):
        relabel_files(logs / "a.csv", {}, tmp_path / "other")


def test_the_folder_is_not_called_like_a_file(logs, tmp_path):
    with pytest.raises(ActalikeError, match="written"):
        relabel_files(logs, {}, tmp_path / "new.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_an_error_of_writing_names_the_folder_that_was_asked_for(logs, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ActalikeError) as caught:
        relabel_files(logs, {}, tmp_path / "new")
    assert str(caught.value) == f"{tmp_path / 'new' / 'a.csv'} cannot be written: No space left on device. Nothing was written."
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]


def test_object_centric_logs_are_refused_before_anything_is_written(tmp_path):
    (tmp_path / "logs").mkdir()
    write(purchases(), tmp_path / "logs" / "buy.sqlite")
    with pytest.raises(ActalikeError, match="sqlite"):
        relabel_files(tmp_path / "logs", {"Book invoice": "Enter invoice"}, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_row_without_a_case_keeps_its_label_in_files_folders_and_frames(tmp_path):
    frame = pl.DataFrame({"case": ["1", None, "1"], "activity": ["a", "a", "b"]})
    kept = [("1", "A", "a"), (None, "a", None), ("1", "b", None)]
    (tmp_path / "logs").mkdir()
    for kind in ("csv", "parquet"):
        getattr(frame, f"write_{kind}")(tmp_path / "logs" / f"log.{kind}")
        relabel_file(tmp_path / "logs" / f"log.{kind}", {"a": "A"}, tmp_path / f"new.{kind}", missing="skip")
    relabel_files(tmp_path / "logs", {"a": "A"}, tmp_path / "new", cases="separate", missing="skip")
    for folder, stem in ((tmp_path, "new"), (tmp_path / "new", "log")):
        assert pl.read_csv(folder / f"{stem}.csv", infer_schema=False).rows() == kept
        assert pl.read_parquet(folder / f"{stem}.parquet").rows() == kept
    for each in (frame, frame.cast({"activity": pl.Categorical}), frame.to_arrow(), frame.cast(pl.Categorical).to_arrow()):
        assert pl.DataFrame(relabel(each, {"a": "A"}, missing="skip")).rows() == kept
    categories = relabel(frame.to_pandas().astype({"activity": "category"}), {"a": "A"}, missing="skip")
    assert categories["activity"].tolist() == ["A", "a", "b"]


def test_other_encodings_are_kept(tmp_path):
    log = tmp_path / "log.csv"
    log.write_bytes("case,activity\n1,Prüfen\n1,a\n".encode("latin-1"))
    relabel_file(log, {"a": "bezahlt für"}, tmp_path / "new.csv", encoding="latin-1")
    assert (tmp_path / "new.csv").read_bytes().decode(
        "latin-1"
    ) == "case,activity,actalike:original\n1,Prüfen,\n1,bezahlt für,a\n"
    with pytest.raises(LogError, match="latin-1"):
        relabel_file(log, {"a": "📄"}, tmp_path / "other.csv", encoding="latin-1")
    document = '<?xml version="1.0" encoding="ISO-8859-1"?><log><trace><string key="concept:name" value="é"/><event><string key="concept:name" value="ü"/></event></trace></log>'
    (tmp_path / "log.xes").write_bytes(document.encode("latin-1"))
    relabel_file(tmp_path / "log.xes", {"ü": "📄ä"}, tmp_path / "new.xes")
    assert (tmp_path / "new.xes").read_bytes() == document.replace(
        'event><string key="concept:name" value="ü"',
        'event><string key="actalike:original" value="ü"/><string key="concept:name" value="&#128196;ä"',
    ).encode("latin-1")
    assert read_log(tmp_path / "new.xes").activities == ["📄ä"]
    (tmp_path / "16.xes").write_bytes(document.replace("ISO-8859-1", "UTF-16").encode("utf-16"))
    relabel_file(tmp_path / "16.xes", {}, tmp_path / "new16.xes")
    assert (tmp_path / "new16.xes").read_bytes() == (tmp_path / "16.xes").read_bytes()
    (tmp_path / "8.xes").write_bytes(b"\xef\xbb\xbf" + document.replace("ISO-8859-1", "UTF-8").encode())
    relabel_file(tmp_path / "8.xes", {}, tmp_path / "new8.xes")
    assert (tmp_path / "new8.xes").read_bytes() == (tmp_path / "8.xes").read_bytes()
