"""The rules of CSV, one example each: what a file means on every path that reads CSV, or the words with which it is refused."""

from typing import Any, NamedTuple

NAMED = {"case": "case", "activity": "activity"}
LATE = b"case,activity\n" + b"1,a\n" * 100_100


class Rule(NamedTuple):
    name: str
    content: bytes
    means: dict[str, list[str]] | str  # the traces, or a part of the error
    options: dict[str, Any] = {}  # noqa: RUF012  # never changed


_HEAD = b"case,activity\n"
_TIMED = b"case,activity,timestamp\n"

SOUND = [
    Rule("a case may begin with a hash", _HEAD + b"#1,a\n2,#b\n#1,# c\n", {"#1": ["a", "# c"], "2": ["#b"]}),
    Rule("single quotes are characters", _HEAD + b"1,'a'\n1,a\n", {"1": ["'a'", "a"]}),
    Rule("doubled quotes are quotes", _HEAD + b'1,"say ""hi"" now"\n1,""""\n', {"1": ['say "hi" now', '"']}),
    Rule("a first quote may come late", LATE + b'2,"a, b"\n', {"1": ["a"] * 100_100, "2": ["a, b"]}),
    Rule("a mark inside the file is a character", _HEAD + "1,\ufeffa\n\ufeff1,a\n1,a\n".encode(), {"1": ["\ufeffa", "a"], "\ufeff1": ["a"]}),
    Rule("only the first mark is a mark", b"\xef\xbb\xbf\xef\xbb\xbfn,case,activity\n\xef\xbb\xbf1,2,a\n", {"2": ["a"]}),
    Rule("a carriage return ends no line", _HEAD + b"1\r,a\rb\n1\r,\r\r\n1,\"c\r\"\n1,d\r", {"1\r": ["a\rb", "\r"], "1": ["c\r", "d\r"]}),
    Rule("line breaks in quotes are characters", _HEAD + b'1,"a\n\r\n"\r\n1,b\r\n', {"1": ["a\n\r\n", "b"]}),
    Rule("numbers are texts", _HEAD + b"01,1\n1,01\n1,1.0\n", {"01": ["1"], "1": ["01", "1.0"]}),
    Rule("words for nothing are texts", _HEAD + b'NA,null\nNA,""\nNA,\\N\n', {"NA": ["null", "", "\\N"]}),
    Rule("a NUL is a character", _HEAD + b"1,a\0b\n1,\0\n", {"1": ["a\0b", "\0"]}),
    Rule("blank lines may end a file", _HEAD + b"1,a\n\n\r\n\n", {"1": ["a"]}),
    Rule("the first line may name the separator", b"sep=;\r\ncase;activity\r\n1;a,b\r\n", {"1": ["a,b"]}),
    Rule("that line may come after a mark", b'\xef\xbb\xbf"sep=|"\ncase|activity\n1|a;b\n', {"1": ["a;b"]}),
    Rule("UTF-16 has a mark", "case,activity\n1,é📄\n".encode("utf-16"), {"1": ["é📄"]}),
    Rule("in both orders", b"\xfe\xff" + "case,activity\n1,é\ufeff\n".encode("utf-16-be"), {"1": ["é\ufeff"]}),
    Rule("other encodings are named", "case,activity\n1,Prüfung €\n".encode("cp1252"), {"1": ["Prüfung €"]}, {"encoding": "cp1252"}),
    Rule("ties are in the order of the rows", _TIMED + b"1,b,2024-01-02\n1,a,2024-01-01\n1,c,2024-01-02\n", {"1": ["a", "b", "c"]}),
    Rule("the order of the rows can be asked for", _TIMED + b"1,b,2024-01-02\n1,a,\n", {"1": ["b", "a"]}, {"order": "file"}),
    Rule("dates can have any layout", _TIMED + b"1,b,01.02.2024 13:45\n1,a,31.01.2024 23:00\n", {"1": ["a", "b"]}, {"timestamp_format": "%d.%m.%Y %H:%M"}),
    Rule("zones are heeded", _TIMED + b"1,b,2024-01-01T12:00+00:00\n1,a,2024-01-01T12:30+01:00\n", {"1": ["a", "b"]}),
    Rule("rows may be wide", b"case,activity," + b",".join(b"c%d" % i for i in range(3000)) + b"\n1,a" + b",x" * 3000 + b"\n", {"1": ["a"]}),
    Rule("transitions can be chosen", b"case,activity,lifecycle\n1,a,start\n1,b,COMPLETE\n1,c,complete\n", {"1": ["b", "c"]}, {"lifecycle": "complete"}),
    Rule("transitions can be appended", b"case,activity,lifecycle\n1,a,start\n1,a,complete\n", {"1": ["a+start", "a+complete"]}, {"lifecycle": "append"}),
]  # fmt: skip

REFUSED = [
    Rule("a preamble", b"Report of 2024\n\n" + _HEAD + b"1,a\n", "has no column 'case'"),
    Rule("a blank first line", b"\n" + _HEAD + b"1,a\n", "begins with a blank line"),
    Rule("a blank line inside", _HEAD + b"1,a\n\n1,b\n", "row 2 has 1 field but the header has 2"),
    Rule("a note at the end", _HEAD + b"1,a\n# exported today\n", "row 2 has 1 field but the header has 2"),
    Rule("two columns of one name", b"case,activity,activity\n1,a,b\n", "two columns called 'activity'"),
    Rule("a row that is too short", _HEAD + b"1,a\n1\n", "row 2 has 1 field"),
    Rule("a quote inside a cell", _HEAD + b'1,5" pipe\n', "row 1 has a quote in the middle of a field"),
    Rule("a quote after a carriage return", _HEAD + b'1,b\r""\n', "row 1 has a quote in the middle of a field"),
    Rule("a carriage return after a closing quote", _HEAD + b'1,"b"\r', "row 1 has a quote in the middle of a field"),
    Rule("a space before a quote", _HEAD + b'1, "b"\n', "row 1 has a quote in the middle of a field"),
    Rule("an open quote", _HEAD + b'1,"b\n', "a quote is not closed"),
    Rule("a quote inside the header", b'case,act"ivity\n1,a\n', "its header cannot be read"),
    Rule("lines of old Macs", b"case,activity\r1,a\r1,b\r", "lines that end in a carriage return alone, as files of old Macs have"),
    Rule("only a header", _HEAD, "it has column names but no rows"),
    Rule("nothing", b"", "is empty: it has no header"),
    Rule("UTF-16 without a mark", "case,activity\n1,a\n".encode("utf-16-le"), "--encoding utf-16-le"),
    Rule("UTF-16 the other way", "case,activity\n1,a\n".encode("utf-16-be"), "--encoding utf-16-be"),
    Rule("a mark that says something else", b"\xef\xbb\xbf" + _HEAD + b"1,a\n", "so it is not cp1252", {"encoding": "cp1252"}),
    Rule("UTF-16 of two kinds", "case,activity\n1,a\n".encode("utf-16-le"), "name it utf-16-le or utf-16-be", {"encoding": "utf-16"}),
    Rule("cp1252 that is not named", "case,activity\n1,Prüfung\n".encode("cp1252"), "byte 18"),
    Rule("two separators", b"sep=;\ncase;activity\n1;a\n", "first line", {"separator": ","}),
    Rule("a date that can be two", _TIMED + b"1,a,01/02/2024\n", "several ways"),
    Rule("a German date", _TIMED + b"1,a,31.12.2024 13:45\n", "(--timestamp-format '%d.%m.%Y %H:%M')"),
    Rule("a missing timestamp", _TIMED + b"1,a,2024-01-01\n1,b,\n", "row 2 has no timestamp"),
    Rule("a missing case", _HEAD + b",a\n", "row 1 has no case"),
    Rule("a missing transition", b"case,activity,lifecycle\n1,a,\n", "row 1 has no lifecycle transition", {"lifecycle": "append"}),
    Rule("no transition of the kind", b"case,activity,lifecycle\n1,a,start\n", "no event whose transition is 'complete'", {"lifecycle": "complete"}),
    Rule("no transitions", _HEAD + b"1,a\n", "has no lifecycle transitions", {"lifecycle": "complete"}),
    Rule("a layout without minutes", _TIMED + b"1,a,2024-01-01 10\n", "is not complete", {"timestamp_format": "%Y-%m-%d %H"}),
    Rule("a file that is too large", _HEAD + b"1,a\n" * 50, "holds more than 20 bytes", {"max_bytes": 20}),
    Rule("time where there is none", _HEAD + b"1,a\n", "has no timestamps, so its events cannot be sorted by time", {"order": "time"}),
]  # fmt: skip
