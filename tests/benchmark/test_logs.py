"""Which files of a folder take part, and what they are called."""

import pytest

from actalike import ActalikeError, EventLog, benchmark, datasets, write_log
from actalike.benchmark.logs import find_logs, name_of, say_how_read
from actalike.demo.loan_desk import loan_desk
from tests.helpers.ocel import purchases, write

TSV = "case\tactivity\n1\ta\n1\tb\n2\ta\n"


def everything(entry):
    return True


def test_a_folder_of_the_papers_logs_is_taken_as_it_is(logs_folder):
    found = find_logs([logs_folder], benchmark.get("intrinsic")().takes_log)
    assert set(found.names) <= {entry.name for entry in datasets.paper_logs() if entry.intrinsic}
    assert "Helpdesk" in found.names


@pytest.mark.parametrize("name", ["tabs.tsv", "TABS.TSV"])
def test_a_tsv_in_a_folder_is_read(tmp_path, name):
    (tmp_path / name).write_text(TSV)
    write_log(loan_desk(5), tmp_path / "loan.csv")
    (tmp_path / "notes.txt").touch()
    files = find_logs([tmp_path], everything)
    stem = name.partition(".")[0]
    assert set(files.names) == {stem, "loan"}
    assert files(stem).traces() == [["a", "b"], ["a"]]


def test_a_tsv_takes_part_in_a_run(tmp_path):
    (tmp_path / "tabs.tsv").write_text(TSV)
    outcome = benchmark.run("intrinsic", logs=[tmp_path], out=tmp_path / "out", methods=["one-hot"], r=[1], w=[2], samples=1)
    assert outcome.logs == ("tabs",)


def test_logs_that_do_not_belong_are_named(tmp_path):
    for name in ("CCC19.csv", "mine.csv"):
        write_log(EventLog.from_traces([["a", "b"]]), tmp_path / name)
    warnings = []
    files = find_logs([tmp_path], lambda entry: entry.intrinsic, warnings.append)
    assert (files.names, files.left_out) == (["CCC19"], ("mine.csv",))
    assert warnings[0].endswith("mine.csv. To take one, name its file.")
    with pytest.raises(ActalikeError, match="mine"):
        find_logs([tmp_path], lambda entry: False)


def test_a_log_of_the_paper_goes_by_its_name_there(tmp_path):
    assert name_of(tmp_path / "env permit.xes.gz")[0] == "Env_Permit"
    assert name_of(tmp_path / "mine.2024.parquet") == ("mine.2024", None)


def test_it_is_said_how_a_log_was_read_unless_it_is_one_of_the_papers(tmp_path):
    for name in ("mine.csv", "Sepsis.csv"):
        (tmp_path / name).write_text("case,activity,timestamp\n1,a,2024-01-01\n1,b,2024-01-02\n")
    for name, said in (("Sepsis", 0), ("mine", 1)):
        sentences = []
        files = find_logs([tmp_path / f"{name}.csv"], everything)
        say_how_read(name, files(name), sentences.append)
        assert len(sentences) == said
    assert "events in file order" in sentences[0]


@pytest.mark.parametrize("name", ["...csv", "..csv", ".csv", "_requests.csv", "benchmark.json.csv", "Benchmark.JSON.csv"])
@pytest.mark.parametrize("kind", benchmark.BENCHMARKS)
def test_no_benchmark_writes_the_results_of_a_log_anywhere_but_into_a_folder_of_its_own(tmp_path, kind, name):
    write_log(loan_desk(5), tmp_path / name)
    for logs in (tmp_path, tmp_path / name):
        with pytest.raises(ActalikeError, match="reserved"):
            benchmark.run(kind, logs=[logs], out=tmp_path / "results" / "out", methods=["*"])
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_an_object_centric_log_has_to_be_flattened_first(tmp_path):
    write(purchases(), tmp_path / "buy.jsonocel")
    for place in (tmp_path, tmp_path / "buy.jsonocel"):
        with pytest.raises(ActalikeError, match="object-centric"):
            find_logs([place], lambda entry: True)
