"""Files as clients send them are read right, or refused with a sentence whose remedy works; and look proposes it."""

import re
import shlex

import pytest

from actalike import LogError, read_log
from actalike.io import look
from tests.helpers.client_files import CLIENT_FILES, HEAD, ROWS
from tests.helpers.commands import fails, ok

pytest.importorskip("fastexcel")
each_file = pytest.mark.parametrize("client", CLIENT_FILES, ids=lambda client: client.name)


@pytest.fixture
def path(tmp_path, client):
    (tmp_path / client.file).write_bytes(client.content)
    return tmp_path / client.file


def traces(path, options):
    log = read_log(path, **options)
    return dict(zip(log.case_ids, log.traces(), strict=True))


def as_arguments(options):
    return {option.removeprefix("--").replace("-", "_"): value for option, value in options.items()}


@each_file
def test_a_file_is_read_right_or_refused_with_a_remedy_that_works(path, client):
    given = {}
    if client.refused:
        with pytest.raises(LogError, match=client.refused) as caught:
            read_log(path)
        for option in client.remedy:  # an error may be one of several: the next names its own remedy
            given[option] = client.remedy[option]
            assert re.search(f"--{option.replace('_', '-')}|actalike look|--missing", str(caught.value))
            if option != list(client.remedy)[-1]:
                with pytest.raises(LogError) as caught:
                    read_log(path, **given)
        if client.repaired:
            path.write_bytes(client.repaired)
    if client.name == "titles and totals":  # what is left is found after the encoding
        given |= {"skip": 2, "skip_last": 2}
    assert traces(path, given) == client.means


@each_file
def test_look_proposes_what_reads_the_file(path, client):
    if client.name in ("UTF-16 without a mark", "CSV that is called .xlsx"):  # there is nothing to show yet
        with pytest.raises(LogError, match=client.refused):
            look(path)
        return
    seen = look(path)
    expected = client.remedy if client.proposed is None else client.proposed
    needed = as_arguments(seen.options())
    optional = as_arguments({each.option: each.value for each in seen.proposals})
    assert {option: optional.get(option) for option in expected} == expected
    assert set(needed) <= set(expected)
    assert client.remark in " ".join(seen.remarks)
    if seen.proposed_reading is not None and not client.repaired:
        assert traces(path, {**client.remedy, **needed}) == client.means  # what is a choice is not needed
    assert "--timestamp" not in seen.options() or seen.options()["--timestamp"]


def test_the_next_command_of_look_reads_what_is_between_titles_and_totals(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    times = ROWS.replace("2024-01-31 10:00", "31.01.2024 10:00")
    (tmp_path / "log.csv").write_text(f"Report of 2024\n\n{HEAD}{times}Total,,,14\n")
    command = ok("look", "log.csv").splitlines()[-1].removeprefix("Next: ")
    assert command == (
        "actalike report log.csv -o report.html --skip=2 --skip-last=1 --timestamp-format=iso '--timestamp-format=%d.%m.%Y %H:%M'"
    )
    options = shlex.split(command)[5:]
    ok("count", "log.csv", "-o", "counts.actalike", *options)
    (tmp_path / "mapping.csv").write_text("activity,group\nCheck,Test\n")
    ok("relabel", "log.csv", "mapping.csv", "-o", "new.csv", *options)
    head, rows = HEAD.rstrip() + ",actalike:original\n", times.replace("Check", "Test").splitlines()
    kept = [f"{row},{'Check' if 'Test' in row else ''}" for row in rows]
    assert (tmp_path / "new.csv").read_text() == "Report of 2024\n\n" + head + "\n".join(kept) + "\nTotal,,,14\n"


def test_an_error_of_a_command_speaks_of_its_options(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("case,activity,time\n1,a,02.01.2024\n1,b,2024-01-03\n")
    error = fails("similar", path)
    assert "--timestamp-format '%d.%m.%Y' --timestamp-format 'iso'" in error or "--timestamp-format 'iso'" in error
    assert "timestamp_format" not in error
    assert "timestamp=" not in error


def test_errors_about_columns_name_the_command_that_shows_them(tmp_path):
    path = tmp_path / "my log.csv"
    path.write_text("Vorgang,Schritt\n1,a\n")
    for options in ([], ["--case", "Fall"]):
        command = re.search("actalike (look '.*') shows", fails("similar", path, *options))[1]
        assert "Schritt" in ok(*shlex.split(command))


@pytest.mark.parametrize(("option", "number"), [("skip", -1), ("skip_last", True), ("skip", "2"), ("skip", 9), ("skip_last", 9)])
def test_what_cannot_be_left_out_is_an_error(tmp_path, option, number):
    path = tmp_path / "log.csv"
    path.write_text(HEAD + ROWS)
    with pytest.raises(Exception, match=f"--{option.replace('_', '-')}") as caught:
        read_log(path, **{option: number})
    assert type(caught.value).__name__ in ("LogError", "ActalikeError")


@pytest.mark.parametrize("size", [1, 7, 1 << 21])
@pytest.mark.parametrize(("above", "below"), [(0, 1), (2, 0), (1, 3), (3, 5)])
def test_rows_are_left_out_however_the_file_is_cut_into_blocks(tmp_path, monkeypatch, size, above, below):
    monkeypatch.setattr("actalike.io.delimited._BLOCK", size)
    monkeypatch.setattr("actalike.io.files.PIECE", size)
    path = tmp_path / "log.csv"
    rows = [f"{i},a{i}" for i in range(6)]
    path.write_text("\n".join(["title"] * above + ["case,activity", *rows, *['total,"x'] * 0, *["x"] * below]) + "\n\n\n")
    assert read_log(path, skip=above, skip_last=below).traces() == [[f"a{i}"] for i in range(6)]
