import gzip
import itertools

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, LogError, read_log, write_log
from tests.helpers.examples import examples


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "b.csv").write_text("Case ID,Activity,Timestamp,User\n3,Check,2024-02-01,Sue\n3,Pay,2024-02-02,Bob\n")
    (folder / "a.csv").write_text("case,task,time\n1,Check,2024-01-01\n2,Check,2024-01-02\n")
    (folder / ".hidden.csv").write_text("nothing")
    return folder


def test_a_folder_is_one_log_whose_events_know_their_file(logs):
    log = read_log(logs, attributes="people")
    assert log.traces() == [["Check"], ["Check"], ["Check", "Pay"]]
    assert log.attributes["source"].texts() == ["a.csv", "a.csv", "b.csv", "b.csv"]
    assert log.attributes["User"].texts() == [None, None, "Sue", "Bob"]
    assert str(log.reading) == (
        f"{logs}: 3 cases, 4 events; case = case / Case ID, activity = task / Activity, time = time / Timestamp: events sorted by "
        "it; attributes = User, source; 2 files: a.csv, b.csv"
    )
    same = read_log([logs / "a.csv", str(logs / "b.csv")], attributes="people")
    assert same == log
    assert same.reading.source == f"{logs / 'a.csv'} and 1 more"


def test_all_kinds_of_logs_go_together(logs):
    write_log(EventLog.from_traces([["Pay", "Close"]]).relabel(str), logs / "c.xes.gz")
    pl.DataFrame({"case": [8], "activity": ["Close"]}).write_parquet(logs / "d.parquet")
    log = read_log(logs, order="file", cases="separate")
    assert log.case_ids == ["a.csv/1", "a.csv/2", "b.csv/3", "c.xes.gz/1", "d.parquet/8"]
    with pytest.raises(LogError, match="trace"):
        read_log(logs, cases="separate")


def test_a_case_in_two_files_must_be_explained(logs):
    (logs / "c.csv").write_text("case,task,time\n2,Close,2024-03-01\n1,Close,2023-12-01\n")
    with pytest.raises(LogError, match="joined"):
        read_log(logs)
    joined = read_log(logs, cases="joined")
    assert joined.case_ids == ["1", "2", "3"]
    assert joined.traces() == [["Close", "Check"], ["Check", "Close"], ["Check", "Pay"]]
    assert "equal case ids are one case" in str(joined.reading)
    separate = read_log(logs, cases="separate")
    assert separate.case_ids == ["a.csv/1", "a.csv/2", "b.csv/3", "c.csv/2", "c.csv/1"]


def test_traces_that_cannot_be_told_apart_are_not_joined(tmp_path):
    for name, ids in (("a.xes", ["1", "1"]), ("b.xes", ["1", "2"])):
        write_log(EventLog(["x"], [0, 0], [0, 1, 2], ids), tmp_path / name)
    with pytest.raises(LogError, match="traces"):
        read_log(tmp_path, cases="joined")
    (tmp_path / "a.xes").write_text('<log><trace><event><string key="concept:name" value="x"/></event></trace></log>')
    with pytest.raises(LogError, match="traces"):
        read_log(tmp_path, cases="joined")
    assert read_log(tmp_path, cases="separate").case_ids == ["a.xes/1", "b.xes/1", "b.xes/2"]


def test_what_is_no_log_is_named_and_not_read(logs):
    (logs / "notes.txt").write_text("hello")
    (logs / "old").mkdir()
    assert read_log(logs).reading.remarks() == [
        f"Not read, because the name is not that of a log: 2 files in {logs} (notes.txt, old/)."
    ]


def test_one_unreadable_file_refuses_all(logs):
    (logs / "c.csv.gz").write_bytes(gzip.compress(b"case,activity\n1,a\n" * 1000)[:30])
    with pytest.raises(LogError, match="ends"):
        read_log(logs)


def test_the_limit_holds_for_all_files_together(logs):
    with pytest.raises(LogError, match="unpacked"):
        read_log(logs, max_bytes=80)


def test_lifecycle_transitions_of_all_files_are_used(tmp_path):
    (tmp_path / "a.csv").write_text("case,activity,lifecycle\n1,a,start\n1,a,complete\n")
    (tmp_path / "b.csv").write_text("case,activity,lifecycle\n2,a,COMPLETE\n")
    assert read_log(tmp_path, lifecycle="complete").traces() == [["a"], ["a"]]
    (tmp_path / "c.csv").write_text("case,activity\n3,a\n")
    with pytest.raises(LogError, match="lifecycle"):
        read_log(tmp_path, lifecycle="complete")


def test_second_names_are_chosen_over_all_files(tmp_path):
    (tmp_path / "a.csv").write_text("case,activity,text\n1,x,Check\n")
    (tmp_path / "b.csv").write_text("case,activity,text\n2,x,Verify\n2,x,Verify\n")
    assert read_log(tmp_path, name="text").names == {"x": "Verify"}


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (["a.csv", "a.csv"], {}, "twice"),
        ("a.csv", {"cases": "joined"}, "several"),
        (".", {"cases": "both"}, "joined"),
        (".", {"attributes": ["source"]}, "source"),
        ("empty", {}, "without"),
        (["a.csv", "missing.csv"], {}, "missing.csv"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, monkeypatch, source, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.csv").write_text("case,activity,source\n1,a,x\n")
    with pytest.raises(ActalikeError, match=message):
        read_log(source, **options)


@examples(25)
@given(
    st.lists(st.tuples(st.sampled_from("123"), st.sampled_from("abc"), st.integers(1, 9)), min_size=1, max_size=12),
    st.lists(st.integers(1, 11), max_size=3, unique=True),
)
def test_a_log_cut_into_files_is_the_same_log_when_cases_are_joined(tmp_path_factory, rows, cuts):
    folder = tmp_path_factory.mktemp("cut")
    bounds = [0, *sorted(cut for cut in cuts if cut < len(rows)), len(rows)]
    frame = pl.DataFrame(rows, schema=["case", "activity", "day"], orient="row")
    frame = frame.select("case", "activity", timestamp=pl.format("2024-01-0{}", "day"), user=pl.col("activity"))
    for number, (start, end) in enumerate(itertools.pairwise(bounds)):
        frame[start:end].write_csv(folder / f"{number}.csv")
    for order in ("file", "time"):
        joined = read_log(folder, cases="joined", order=order, attributes=["user"], name="user")
        del joined.attributes["source"]
        assert joined == read_log(frame, order=order, attributes=["user"], name="user")
    separate = read_log(folder, cases="separate")
    assert separate.n_cases == sum(frame[start:end]["case"].n_unique() for start, end in itertools.pairwise(bounds))


def test_a_link_that_leads_to_itself_is_an_unreadable_file(logs):
    (logs / "loop.csv").symlink_to("loop.csv")
    with pytest.raises(LogError, match="loop"):
        read_log(logs)


def test_progress_goes_through_all_files(logs):
    seen = []
    read_log(logs, progress=lambda done, total: seen.append((done, total)))
    sizes = [(logs / name).stat().st_size for name in ("a.csv", "b.csv")]
    assert {total for _, total in seen} == {sum(sizes)}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {sizes[0], sum(sizes)} <= {done for done, _ in seen}


def test_events_of_one_time_in_several_files_are_counted(tmp_path):
    for name, rows in {"a.csv": "1,a,2024-01-01\n1,b,2024-01-02", "b.csv": "1,c,2024-01-02\n2,d,2024-01-02"}.items():
        (tmp_path / name).write_text(f"case,activity,time\n{rows}\n")
    assert any("1 time" in remark for remark in read_log(tmp_path, cases="joined").reading.remarks())
    assert read_log(tmp_path, cases="separate").reading.remarks() == []
