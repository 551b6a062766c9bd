"""How the time to read and relabel XES grows with each thing that can grow: twice as much must take about twice as long.

    python measurements/xes_growth.py [KIND ...]

Each kind of document is made in three sizes, each twice the one before. A document is read until it is whole or refused. The
table shows processor time (the better of two runs) and the ratio for a doubling, over both; above 2.5 the exit status is 1.
"""

import math
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from actalike import ActalikeError, read_log, relabel_file

LIMIT = 2.5
NAME = '<string key="concept:name" value="{}"/>'
EVENT = "<event>" + NAME.format("a") + "</event>"


def log(content: str = "", before: str = "", event: str = "") -> str:
    return f"{before}<log>{content}<trace>{NAME.format(1)}<event>{NAME.format('a')}{event}</event></trace></log>"


def many(n: int, part: str) -> str:
    return "".join(part.format(i) for i in range(n))


def odd_log(events: str) -> str:
    return log(f"<trace>{NAME.format(1)}{events}</trace>")


# A document for a size n, and a size to begin with. Single tags grow to 4 MB; up to 16 MB are allowed, and within that bound expat
# before version 2.6 takes more than linear time: "longest tags" has several of these.
KINDS: dict[str, tuple[Callable[[int], str], int]] = {
    "element name": (lambda n: log(event="<" + "x" * n + " key='k' value='v'/>"), 1_000_000),
    "element name, with a stray >": (lambda n: log(event="<" + "x" * n + " key='>' value='v'/>"), 1_000_000),
    "element names": (lambda n: log(event=many(n, "<x{} key='k' value='v'/>")), 100_000),
    "element that looks like an event": (lambda n: log("<trace><" + "x" * n + ":event/></trace>"), 1_000_000),
    "attribute name": (lambda n: log(event="<string " + "x" * n + "='1' key='k' value='v'/>"), 1_000_000),
    "attributes of an element": (lambda n: log(event="<string" + many(n, " x{}=''") + " key='k'/>"), 50_000),
    "attributes, with a stray >": (lambda n: log(event="<string" + many(n, " x{}='>'") + " key='k'/>"), 50_000),
    "attributes of a label": (lambda n: odd_log("<event><string" + many(n, " x{}='>'") + NAME[7:] + "</event>"), 50_000),
    "attributes of an event": (lambda n: log(event=many(n, '<string key="k{}" value="v"/>')), 50_000),
    "white space in a tag": (lambda n: log(event="<string" + " " * n + "key='k' value='v'/>"), 1_000_000),
    "white space around =": (lambda n: log(event="<string key" + " " * n + "=" + " " * n + "'k'" + " " * n + "/>"), 400_000),
    "white space between tags": (lambda n: log(" " * n), 10_000_000),
    "white space before events": (lambda n: odd_log((" " * 1000 + EVENT) * n), 5_000),
    "key": (lambda n: log(event='<string key="' + "k" * n + '" value="v"/>'), 1_000_000),
    "key of references": (lambda n: log(event='<string key="' + "&#107;" * n + '" value="v"/>'), 150_000),
    "value of another key": (lambda n: log(event='<string key="k" value="' + "v" * n + '"/>'), 1_000_000),
    "value with stray >": (lambda n: log(event='<string key="k" value="' + ">" * n + '"/>'), 1_000_000),
    "label": (lambda n: odd_log("<event>" + NAME.format("v" * n) + "</event>"), 1_000_000),
    "label of references": (lambda n: odd_log("<event>" + NAME.format("&amp;" * n) + "</event>"), 200_000),
    "label, a long reference": (lambda n: odd_log("<event>" + NAME.format("&#" + "0" * n + "65;") + "</event>"), 1_000_000),
    "labels, all different": (lambda n: odd_log(many(n, f"<event>{NAME}</event>")), 100_000),
    "name of a trace": (lambda n: log(f"<trace>{NAME.format('t' * n)}{EVENT}</trace>"), 1_000_000),
    "date": (lambda n: log(event='<date key="time:timestamp" value="' + "2" * n + '"/>'), 1_000_000),
    "date with spaces": (lambda n: log(event='<date key="time:timestamp" value="' + " " * n + '2024-01-01"/>'), 1_000_000),
    "nesting of attributes": (lambda n: log(event=many(n, "<string key='{}' value='v'>") + "</string>" * n), 50_000),
    "nesting of elements": (lambda n: log("<x>" * n + "</x>" * n), 500_000),
    "nesting never closed": (lambda n: "<log><trace>" + "<string>" * n, 500_000),
    "comment": (lambda n: log("<!--" + "x" * n + "-->"), 1_000_000),
    "comment never closed": (lambda n: "<log><!--" + "x" * n, 1_000_000),
    "comments": (lambda n: log("<!-- <event> -->" * n), 50_000),
    "processing instruction": (lambda n: log("<?x " + "?" * n + ">"), 1_000_000),
    "processing instructions": (lambda n: log("<?x?>" * n), 50_000),
    "CDATA": (lambda n: log("<![CDATA[" + "]" * n + "]]>"), 1_000_000),
    "CDATA never closed": (lambda n: "<log><![CDATA[" + "<" * n, 1_000_000),
    "CDATA sections": (lambda n: log("<![CDATA[x]]>" * n), 50_000),
    "text": (lambda n: log("> " * n), 5_000_000),
    "references in text": (lambda n: log("&#65;" * n), 1_000_000),
    "namespaces": (lambda n: log(event=many(n, "<x xmlns:n{0}='urn:{0}' n{0}:key='k'/>")), 50_000),
    "XML declaration": (lambda n: log(before='<?xml version="1.0"' + " " * n + "?>"), 1_000_000),
    "tag never closed": (lambda n: "<log><trace " + "x" * n, 1_000_000),
    "value never closed": (lambda n: "<log><trace x='" + "x" * n, 1_000_000),
    "longest tags": (lambda n: log(("<x y='" + "y" * 15_000_000 + "'/>") * n), 1),
    "traces without events": (lambda n: log("<trace/>" * n), 500_000),
    "traces without a name": (lambda n: log(f"<trace>{EVENT}</trace>" * n), 100_000),
    "traces named like numbers": (lambda n: log("<trace/>" * n + many(n, f"<trace>{NAME}</trace>")), 100_000),
    "events of a trace": (lambda n: odd_log(EVENT * n), 250_000),
    "events without a label": (lambda n: odd_log("<event/>" * n), 500_000),
    "extensions, globals, classifiers": (lambda n: log("<extension name='x'/><global scope='event'/><classifier/>" * n), 50_000),
}


def seconds(document: bytes, folder: Path) -> float:
    """Return how long it takes to read a document and to relabel it, or to refuse it."""
    path = folder / "log.xes"
    path.write_bytes(document)
    best = float("inf")
    for _ in range(2):
        start = time.process_time()
        with suppress(ActalikeError):
            read_log(path)
            relabel_file(path, {"a": "b"}, folder / "new.xes")
        best = min(best, time.process_time() - start)
    return best


def main(names: list[str]) -> int:
    bad = 0
    print(f"{'what grows':<36}{'largest':>12}{'1':>9}{'2':>9}{'4':>9}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name in names or KINDS:
            make, n = KINDS[name]
            documents = [make(size).encode() for size in (n, 2 * n, 4 * n)]
            times = [seconds(document, Path(folder)) for document in documents]
            ratio = math.sqrt(times[2] / times[0])
            bad += ratio > LIMIT
            shown = "".join(f"{t:>7.2f} s" for t in times)
            print(f"{name:<36}{len(documents[2]) / 1e6:>9.1f} MB{shown}{ratio:>8.2f}{' !' * (ratio > LIMIT)}", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
