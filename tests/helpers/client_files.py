"""Files as clients send them: what each means, with which words it is refused, and what then reads it."""

from datetime import date, datetime, time
from typing import Any, NamedTuple

from tests.helpers.xlsx import Fault, xlsx


class ClientFile(NamedTuple):
    """A file and its traces.

    Without ``refused``, it is read as it is. Otherwise that word is in the error, and ``remedy`` reads the file: options of
    ``read_log``, all of which the error names, or in ``repaired`` what somebody made of the file who did what the error says.
    ``look`` proposes ``proposed``, by default the remedy; and ``remark`` is a word of what it finds doubtful.
    """

    name: str
    file: str
    content: bytes
    means: dict[str, list[str]]
    refused: str = ""
    remedy: dict[str, Any] = {}  # noqa: RUF012  # never changed
    repaired: bytes = b""
    proposed: dict[str, Any] | None = None
    remark: str = ""


HEAD = "Case ID,Activity,Timestamp,Cost\n"
ROWS = "1,Check,2024-01-31 10:00,5\n2,Check,2024-02-01 09:00,7\n1,Pay,2024-02-13 11:30,2\n"
MEANS = {"1": ["Check", "Pay"], "2": ["Check"]}
EVENTS = [
    [1, "Check", datetime(2024, 1, 31, 10), 5],
    [2, "Check", datetime(2024, 2, 1, 9), 7],
    [1, "Pay", datetime(2024, 2, 13, 11, 30), 2.5],
]
NAMES = ["Case ID", "Activity", "Timestamp", "Cost"]


def german(text):
    return text.replace(",", ";").replace("Check", "Prüfen").replace("Pay", "Zahlen")


GERMAN_MEANS = {"1": ["Prüfen", "Zahlen"], "2": ["Prüfen"]}

CLIENT_FILES = [
    ClientFile("title rows", "log.csv", f"Report of 2024\nExported by Sue\n\n{HEAD}{ROWS}".encode(), MEANS, "look", {"skip": 3}),
    ClientFile("title rows as wide as the table", "log.csv", f"Report,,,\n,,,\n{HEAD}{ROWS}".encode(), MEANS, "without a name", {"skip": 2}),
    ClientFile("a blank line on top", "log.csv", f"\n{HEAD}{ROWS}".encode(), MEANS, "blank line", {"skip": 1}),
    ClientFile("a total and a note", "log.csv", f"{HEAD}{ROWS},,,14\nPrinted on Friday\n".encode(), MEANS, "field", {"skip_last": 2}),
    ClientFile("a total in the first column", "log.csv", f"{HEAD}{ROWS}Total,,,14\n".encode(), MEANS, "activity", {"skip_last": 1}),
    ClientFile(
        "titles and totals", "log.csv", f"Report\n\n{german(HEAD)}{german(ROWS)};;;14\nEnd\n".encode("cp1252"), GERMAN_MEANS, "utf-8", {"encoding": "cp1252"},
        proposed={"encoding": "cp1252", "skip": 2, "skip_last": 2},
    ),
    ClientFile(
        "two layouts of dates", "log.csv", f"{HEAD}{ROWS.replace('2024-01-31 10:00', '31.01.2024 10:00').replace('2024-02-01 09:00', '01.02.2024 09:00')}".encode(),
        MEANS, "timestamp", {"timestamp_format": ["%d.%m.%Y %H:%M", "iso"]}, proposed={"timestamp_format": ("%d.%m.%Y %H:%M", "iso")},
    ),
    ClientFile("the encoding of Windows", "log.csv", german(HEAD + ROWS).encode("cp1252"), GERMAN_MEANS, "cp1252", {"encoding": "cp1252"}),
    ClientFile(
        "labels that were decoded wrongly", "log.csv", german(HEAD + ROWS).encode().decode("cp1252").encode(),
        {"1": ["PrÃ¼fen", "Zahlen"], "2": ["PrÃ¼fen"]},
    ),
    ClientFile("a decimal comma", "log.csv", b"Case ID;Activity;Timestamp;Cost\n1;Check;2024-01-31 10:00;5,50\n1;Pay;2024-02-01;-7,00\n", {"1": ["Check", "Pay"]}),
    ClientFile("line breaks in quotes", "log.csv", f'{HEAD}1,"Check\nand file",2024-01-31,5\n1,Pay,2024-02-01,"7\r\n8"\n'.encode(), {"1": ["Check\nand file", "Pay"]}),
    ClientFile("a byte order mark", "log.csv", (HEAD + ROWS).encode("utf-8-sig"), MEANS),
    ClientFile("UTF-16 of Excel's text export", "log.tsv", (HEAD + ROWS).replace(",", "\t").encode("utf-16"), MEANS),
    ClientFile("UTF-16 without a mark", "log.csv", (HEAD + ROWS).encode("utf-16-le"), MEANS, "utf-16", {"encoding": "utf-16-le"}, proposed={}),
    ClientFile("the line sep=;", "log.csv", f"sep=;\r\n{german(HEAD)}{german(ROWS)}".encode(), GERMAN_MEANS),
    ClientFile("blank lines at the end", "log.csv", f"{HEAD}{ROWS}\n\r\n\n".encode(), MEANS),
    ClientFile("rows that are there twice", "log.csv", f"{HEAD}{ROWS}{ROWS[: ROWS.index('2,Check')]}".encode(), {"1": ["Check", "Check", "Pay"], "2": ["Check"]}, remark="row repeats another one exactly"),
    ClientFile(
        "labels in upper and lower case", "log.csv", f"{HEAD}{ROWS}3,check ,2024-01-01,0\n3,CHECK,2024-01-02,0\n".encode(), {**MEANS, "3": ["check ", "CHECK"]},
    ),
    ClientFile(
        "what was done is in the lifecycle", "log.csv",
        ("Case ID,Activity,lifecycle:transition\n" + "".join(f"{i // 3},Ticket,{['Opened', 'Assigned', 'Waiting', 'Solved'][i % 4]}\n" for i in range(12))).encode(),
        {str(i): ["Ticket"] * 3 for i in range(4)}, proposed={"lifecycle": "append"},
    ),
    ClientFile("no times", "log.csv", b"Case ID,Activity\n1,Check\n2,Check\n1,Pay\n", MEANS),
    ClientFile(
        "dates that may be days or months", "log.csv", f"{HEAD}1,Check,01/02/2024,5\n2,Check,03/02/2024,1\n1,Pay,05/02/2024,7\n".encode(), MEANS, "several ways",
        {"timestamp_format": "%d/%m/%Y"}, proposed={},
    ),
    ClientFile(
        "two layouts, of which one may be days or months", "log.csv", f"{HEAD}{ROWS}1,Close,02/03/2024,7\n1,Archive,05/03/2024,7\n".encode(),
        {"1": ["Check", "Pay", "Close", "Archive"], "2": ["Check"]}, "several ways", {"timestamp_format": ["iso", "%d/%m/%Y"]}, proposed={},
    ),
    ClientFile(
        "a total and a note below unusual names", "log.csv",
        (
            "Vorgang;Schritt;Erfasst am;Betrag;Ort\n"
            + "".join(f"{i // 3};{['Check', 'Pay', 'Close'][i % 3] if i != 4 else ''};2024-02-{1 + i:02d};{i};\n" for i in range(12))
            + "Summe;;;;8200\nPrinted on Friday\n"
        ).encode(),
        {str(i): ["Check", "Close"] if i == 1 else ["Check", "Pay", "Close"] for i in range(4)}, "no column is recognised",
        {"case": "Vorgang", "activity": "Schritt", "skip_last": 2, "missing": "skip"},
        proposed={"case": "Vorgang", "activity": "Schritt", "skip_last": 2, "timestamp": "Erfasst am", "missing": "label"},
    ),
    ClientFile("years of two digits", "log.csv", f"{HEAD}1,Check,30.01.24,5\n2,Check,31.01.24,1\n1,Pay,01.02.24,7\n".encode(), MEANS, "timestamp", {"timestamp_format": "%d.%m.%y"}),
    ClientFile(
        "a column of times of day", "log.csv", b"Case ID,Activity,Day,Time\n1,Check,2024-01-31,10:00\n2,Check,2024-02-01,09:00\n1,Pay,2024-02-02,08:00\n", MEANS, "time of day",
        {"timestamp": "Day"}, remark="cannot be joined",
    ),
    ClientFile("ids with a fraction", "log.csv", b"Case ID,Activity\n17.0,Check\n17.0,Pay\n", {"17.0": ["Check", "Pay"]}),
    ClientFile("empty activities", "log.csv", f"{HEAD}{ROWS}1,,2024-02-14,5\n2,Pay,2024-03-01,5\n".encode(), {"1": ["Check", "Pay"], "2": ["Check", "Pay"]}, "activity", {"missing": "skip"}, proposed={"missing": "label"}),
    ClientFile(
        "a second header", "log.csv", f"{HEAD}{ROWS}{HEAD}2,Pay,2024-03-01,5\n".encode(), {"1": ["Check", "Pay"], "2": ["Check", "Pay"]}, "timestamp",
        repaired=f"{HEAD}{ROWS}2,Pay,2024-03-01,5\n".encode(), proposed={}, remark="Row 4 repeats the names",
    ),
    ClientFile("a sheet", "log.xlsx", xlsx({"Events": [NAMES, *EVENTS], "Sheet2": [], "Notes": [["by Sue"]]}, hidden=["Notes"]), MEANS),
    ClientFile(
        "three sheets", "log.xlsx", xlsx({"Events": [NAMES, *EVENTS], "Pivot": [["Check", 2], ["Pay", 1]], "Notes": [["by Sue"]]}), MEANS, "3 sheets",
        {"sheet": "Events"},
    ),
    ClientFile(
        "a sheet with a merged title and a total", "log.xlsx", xlsx({"Events": [["Report"], [], NAMES, *EVENTS, ["Total", None, None, 14.5]]}, merged=["A1:D1"]), MEANS,
        "without a name", {"skip": 2, "skip_last": 1},
    ),
    ClientFile(
        "a sheet with days and times of day", "log.xlsx",
        xlsx({"Events": [["Case ID", "Activity", "Day", "Time"], [1, "Check", date(2024, 1, 31), time(10)], [2, "Check", date(2024, 2, 1), time(9)], [1, "Pay", date(2024, 2, 2), time(8)]]}),
        MEANS, "time of day", {"timestamp": "Day"}, remark="cannot be joined",
    ),
    ClientFile(
        "dates and texts in one column of a sheet", "log.xlsx", xlsx({"Events": [NAMES, *EVENTS[:2], [1, "Pay", "13.02.2024 11:30", 2]]}), MEANS, "timestamp",
        {"timestamp_format": ["iso", "%d.%m.%Y %H:%M"]}, proposed={"timestamp_format": ("iso", "%d.%m.%Y %H:%M")},
    ),
    ClientFile(
        "a formula that fails", "log.xlsx", xlsx({"Events": [NAMES, *EVENTS, [2, Fault(), datetime(2024, 3, 1), 5], EVENTS[0]]}), {"1": ["Check", "Pay"], "2": ["Check", "Pay"]}, "no activity",
        repaired=xlsx({"Events": [NAMES, *EVENTS, [2, "Pay", datetime(2024, 3, 1), 5]]}), proposed={},
    ),
    ClientFile("CSV that is called .xlsx", "log.xlsx", (HEAD + ROWS).encode(), MEANS, "rename", repaired=xlsx({"Events": [NAMES, *EVENTS]}), proposed={}),
    ClientFile(
        "dates as numbers of Excel", "log.csv", f"{HEAD}1,Check,45322.416,5\n1,Pay,45323.5,5\n".encode(), {"1": ["Check", "Pay"]}, "Excel",
        repaired=f"{HEAD}1,Check,2024-01-31 10:00,5\n1,Pay,2024-02-01 12:00,5\n".encode(), proposed={},
    ),
]  # fmt: skip
