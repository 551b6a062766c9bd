"""Reading options of the second log alone."""

import re

import pytest

from actalike import ActalikeError
from actalike.cli.options import CasesChoice, LifecycleChoice, ReadingOptions, of_second, read_second, second_reading


def test_the_second_log_is_read_as_the_first_but_for_what_is_said_of_it():
    reading = ReadingOptions(case="Order", separator=";", quiet=True)
    assert second_reading(reading, None) == reading
    given = ["case=Auftrag = Nr", "lifecycle=complete", "order=file", "max-bytes=99", "cases=separate", "timestamp-format=%s"]
    second = second_reading(reading, given)
    assert (second.case, second.separator, second.quiet) == ("Auftrag = Nr", ";", True)
    assert (second.lifecycle, second.order, second.max_bytes) == (LifecycleChoice.complete, ["file"], 99)
    assert (second.cases, second.timestamp_format) == (CasesChoice.separate, ["%s"])
    assert reading.case == "Order"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            ["case"],
            "--b case is not an option of the second log: write NAME=VALUE, such as --b case=OrderId. Did you mean 'case' or",
        ),
        (["cose=x"], "Did you mean 'case'"),
        (["quiet=1"], "--b quiet=1 is not an option of the second log"),
        (["case=x", "case=y"], "--b case is given twice: give it once. Nothing was read."),
        (["lifecycle=all"], "--b lifecycle=all: it must be one of ignore, complete, append. Nothing was read."),
        (["max-bytes=-1"], "--b max-bytes=-1: it must be an integer. Nothing was read."),
    ],
)
def test_what_is_no_option_is_refused(given, said):
    with pytest.raises(ActalikeError, match=re.escape(said)):
        second_reading(ReadingOptions(), given)


def test_an_option_is_taken_away_for_the_second_log_by_an_empty_value():
    reading = ReadingOptions(case="Order", order=["file"], timestamp_format="%s", lifecycle=LifecycleChoice.complete, max_bytes=9)
    given = ["case=", "order=", "timestamp-format=", "lifecycle=", "max-bytes="]
    assert second_reading(reading, given) == ReadingOptions()
    assert second_reading(reading, ["timestamp="]).timestamp == ""  # the log is read without timestamps


def test_an_error_about_the_second_log_names_its_options(tmp_path):
    (tmp_path / "theirs.csv").write_bytes(b"case,activity\n1,gepr\xfcft\n")
    with pytest.raises(ActalikeError, match="theirs") as caught:
        read_second(ReadingOptions(quiet=True), tmp_path / "theirs.csv")
    assert "--encoding" not in str(caught.value)
    texts = "give timestamp_format=... (--timestamp-format %d.%m.%Y or %m.%d.%Y)", "max_bytes=... (--max-bytes); nothing"
    assert list(map(of_second, texts)) == [
        "give timestamp_format=... (--b timestamp-format=%d.%m.%Y or %m.%d.%Y)",
        "max_bytes=... (--b max-bytes=...); nothing",
    ]
