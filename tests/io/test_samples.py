import polars as pl

from actalike.io.samples import CASE_NUMBER, sample_csv, sample_xes

NO_NAMES = dict.fromkeys(("case", "activity", "timestamp", "transition"))


def test_a_sample_ends_after_so_many_rows(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("a,b\n1,x\n2,\n3,z\n")
    assert sample_csv(path, NO_NAMES, None, None, 1 << 20, rows=2).events.rows() == [("1", "x"), ("2", None)]
    assert not sample_csv(path, NO_NAMES, None, None, 1 << 20, rows=2).is_whole
    assert sample_csv(path, NO_NAMES, None, None, 1 << 20, rows=3).is_whole


def test_an_event_of_xes_belongs_to_its_trace_and_nested_attributes_to_nobody(tmp_path):
    path = tmp_path / "log.xes"
    path.write_text(
        '<log><string key="l" value="0"/><trace><string key="t" value="1"/><event><string key="e" value="2">'
        '<string key="nested" value="3"/></string></event></trace><trace><event/></trace></log>'
    )
    sample = sample_xes(path, NO_NAMES, 1 << 20)
    assert sample.events.rows(named=True) == [{"e": "2", CASE_NUMBER: 0}, {"e": None, CASE_NUMBER: 1}]
    assert sample.cases.equals(pl.DataFrame({"t": ["1", None]}))
    assert len(sample_xes(path, NO_NAMES, 1 << 20, most=1).events) == 1


def test_columns_that_would_be_read_are_never_left_out(tmp_path):
    path = tmp_path / "log.csv"
    names = [f"c{i}" for i in range(600)]
    path.write_text(",".join([*names, "Case ID", "Step"]) + "\n" + ",".join(["1"] * 602) + "\n")
    sample = sample_csv(path, {**NO_NAMES, "timestamp": "c599"}, None, None, 1 << 20)
    assert sample.events.columns == [*names[:500], "c599", "Case ID", "Step"]
    assert sample.columns_left_out == 99
