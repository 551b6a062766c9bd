"""Try an installed actalike, as a user would: every main job on made-up data, and what each extra adds.

    python -I release/smoke.py                 # what works without any extra
    python -I release/smoke.py plot duckdb     # and what these extras add

It uses no test framework, because it runs in environments that have nothing but actalike. Failing is an exception.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import actalike
from actalike.demo.loan_desk import loan_desk

PACKAGES = {  # of each extra: one that only it brings
    "plot": "matplotlib",
    "neural": "gensim",
    "process-models": "pm4py",
    "text": "sentence_transformers",
    "parquet": "pyarrow",
    "duckdb": "duckdb",
    "spark": "pyspark",
    "ibis": "ibis",
    "excel": "fastexcel",
    "benchmark": "cloudpickle",
}


def command(*words: str, code: int = 0) -> str:
    """Run a command of the installed package, and return what it prints."""
    program = Path(sys.executable).with_name("actalike")
    done = subprocess.run([program, *words], capture_output=True, text=True)
    assert done.returncode == code, f"actalike {' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}"
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + done.stderr


def core(log: actalike.EventLog) -> None:
    """Do each main job once, in Python."""
    actalike.write_log(log, "log.xes.gz")
    actalike.write_log(log, "log.csv")
    actalike.write_log(log, "log.parquet")
    assert actalike.read_log("log.xes.gz").traces() == actalike.read_log("log.parquet").traces() == log.traces()
    assert actalike.read_log(log.to_frame()).n_events == log.n_events
    embedding = actalike.embed(log)
    (label, likeness), *_ = embedding.most_similar("Pay out")
    assert 0 < likeness <= 1
    assert embedding.explain("Pay out", label)
    embedding.save("log.actalike")
    assert actalike.load("log.actalike").similarity("Pay out", label) == likeness
    counts = actalike.count_windows(log, 5)
    assert counts == actalike.count_windows(log.to_frame(), 5, case="case", activity="activity", order="timestamp", ties="row")
    assert (counts + counts).n_events == 2 * log.n_events
    for name in ("ac-sequence-pmi-w3", "aa-multiset-ppmi-w5", "positional-pmi-w3", "kin2", "substitution-w3", "one-hot"):
        assert len(actalike.embed(log, name)) == len(log.activities)
    groups = actalike.group(log)
    assert any(group.relation == "synonyms" for group in groups)
    assert len(actalike.relabel(log, groups).activities) < len(log.activities)
    assert actalike.compare(log, "Pay out", label).as_dict()
    assert actalike.odd(log).most(3)
    matching = actalike.match(log, loan_desk(200, seed=8))
    assert sum(pair.a == pair.b for pair in matching.pairs) > len(matching.pairs) / 2
    assert actalike.drift(log, loan_desk(200, seed=8)).to_dict()
    stream = actalike.StreamCounter(3)
    stream.add(["1", "2", "1"], ["a", "a", "b"])
    assert stream.n_events == 3
    report = actalike.write_report(log, "report.html")
    assert report.path.stat().st_size > 100_000


def commands() -> None:
    """Run each command that needs no extra."""
    assert actalike.__version__ in command("--version")
    assert "similar" in command("--help")
    assert "kin-w5" in command("methods")
    command("look", "log.csv")
    for words in (["similar", "log.xes.gz"], ["explain", "log.csv", "Pay out", "Transfer loan"], ["group", "log.parquet"]):
        assert json.loads(command(*words, "--json", "--quiet"))
    command("group", "log.csv", "-o", "mapping.csv")
    command("relabel", "log.csv", "mapping.csv", "-o", "simpler.csv")
    command("match", "log.csv", "simpler.csv", "-o", "matching.csv")
    command("odd", "log.csv", "-o", "odd.csv")
    command("embed", "log.csv", "-o", "vectors.actalike")
    command("count", "log.csv", "-o", "counts.actalike")
    command("report", "log.csv", "-o", "page.html")
    command("report", "log.csv", "simpler.csv", "-o", "two.html")
    command("demo", "-o", "demo-out")
    assert "nosuch.csv" in command("similar", "nosuch.csv", code=1)


def absent(log: actalike.EventLog, extras: list[str]) -> None:
    """Check that what needs an extra that is not installed says which, in one sentence."""
    for extra, use in EXTRAS.items():
        if extra not in extras and importlib.util.find_spec(PACKAGES[extra]) is None and extra not in ("duckdb", "spark", "ibis"):
            try:
                use(log)
                said = "nothing: its part works all the same"
            except actalike.MissingExtraError as error:
                said = str(error)
            assert "actalike[" in said, f"{extra} is not installed, and what is said is {said}"


def plot(log: actalike.EventLog) -> None:
    """Draw a map, and an embedding by t-SNE."""
    actalike.plot.activity_map(actalike.embed(log), path="map.png")
    actalike.plot.embedding(actalike.embed(log), projection="tsne", path="scatter.svg")
    assert Path("map.png").stat().st_size > 10_000


def neural(log: actalike.EventLog) -> None:
    """Train word vectors and a predictor."""
    assert len(actalike.embed(log, "act2vec-cbow-w3")) == len(log.activities)
    few = actalike.EventLog.from_traces(log.traces()[:60])
    assert actalike.predictor(few).predict(log.traces()[0][:2], topn=3)


def process_models(log: actalike.EventLog) -> None:
    """Discover a process tree."""
    assert len(actalike.embed(log, "process-structure")) == len(log.activities)


def text(log: actalike.EventLog) -> None:
    """Compare label texts by a language model that is installed, not downloaded."""
    assert len(actalike.embed(log, "label-text")) == len(log.activities)


def parquet(log: actalike.EventLog) -> None:
    """Relabel a Parquet file."""
    actalike.write_log(log, "before.parquet")
    assert actalike.relabel_file("before.parquet", {}, "after.parquet").events == log.n_events


def _counted_by(engine: str, log: actalike.EventLog) -> None:
    actalike.write_log(log, "engine.csv")
    command("count", "engine.csv", "--engine", engine, "-o", f"{engine}.actalike", "--window", "5")
    assert actalike.load(f"{engine}.actalike") == actalike.count_windows(log, 5)


def duckdb(log: actalike.EventLog) -> None:
    """Count by DuckDB."""
    _counted_by("duckdb", log)


def spark(log: actalike.EventLog) -> None:
    """Count by Spark, where there is Java."""
    if shutil.which("java"):
        _counted_by("spark", log)
    else:
        print("spark: no Java here, so that it is not tried")


def ibis(log: actalike.EventLog) -> None:
    """Count a table of DuckDB through Ibis."""
    import ibis as package

    log.to_frame().with_row_index("place").select("place", "case", "activity").write_parquet("events.parquet")
    connection = package.duckdb.connect()
    connection.raw_sql("CREATE TABLE events AS SELECT * FROM 'events.parquet'")
    counted = actalike.count_windows(connection.table("events"), 5, case="case", activity="activity", order="place")
    assert counted == actalike.count_windows(log, 5)


def excel(log: actalike.EventLog) -> None:
    """Read a sheet of Excel."""
    rows = [("case", "activity"), *((str(number), label) for number, trace in enumerate(log.traces()) for label in trace)]
    cells = [[f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in row] for row in rows]
    body = "".join(f"<row>{''.join(row)}</row>" for row in cells)
    office = "http://schemas.openxmlformats.org"
    link = '<Relationship Id="%s" Type="%s" Target="%s"/>'
    links = f'<Relationships xmlns="{office}/package/2006/relationships">{link}</Relationships>'
    kinds = f"{office}/officeDocument/2006/relationships"
    main = f'xmlns="{office}/spreadsheetml/2006/main"'
    with zipfile.ZipFile("log.xlsx", "w") as book:
        book.writestr("[Content_Types].xml", f'<Types xmlns="{office}/package/2006/content-types"/>')
        book.writestr("_rels/.rels", links % ("a", f"{kinds}/officeDocument", "xl/workbook.xml"))
        sheets = '<sheets><sheet name="Events" sheetId="1" r:id="b"/></sheets>'
        book.writestr("xl/workbook.xml", f'<workbook {main} xmlns:r="{kinds}">{sheets}</workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", links % ("b", f"{kinds}/worksheet", "worksheets/sheet1.xml"))
        book.writestr("xl/worksheets/sheet1.xml", f"<worksheet {main}><sheetData>{body}</sheetData></worksheet>")
    assert actalike.read_log("log.xlsx").traces() == log.traces()


def benchmark(log: actalike.EventLog) -> None:
    """Run a small benchmark in two processes."""
    actalike.write_log(log, "judged.csv")
    small = {"methods": ["one-hot", "kin-w5"], "r": [1, 2], "w": [2], "samples": 1, "jobs": 2}
    outcome = actalike.benchmark.run("intrinsic", logs=["judged.csv"], out="results", **small)
    assert (outcome.computed, outcome.failures) == (2, ()), outcome
    assert "kin" in command("benchmark", "table", "results")


EXTRAS: dict[str, Callable[[actalike.EventLog], None]] = {
    "plot": plot,
    "neural": neural,
    "process-models": process_models,
    "text": text,
    "parquet": parquet,
    "duckdb": duckdb,
    "spark": spark,
    "ibis": ibis,
    "excel": excel,
    "benchmark": benchmark,
}


def main(extras: list[str]) -> None:
    """Try the core, and these extras, in a temporary folder."""
    log = loan_desk(200)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        if not extras:
            core(log)
            commands()
            absent(log, extras)
        for extra in extras:
            EXTRAS[extra](log)
    print(f"actalike {actalike.__version__} on Python {sys.version.split()[0]}: {' '.join(extras) or 'core'} works")


if __name__ == "__main__":
    warnings.simplefilter("error", DeprecationWarning)  # of actalike: what it calls should outlive the next version
    warnings.filterwarnings("default", category=DeprecationWarning, module=r"(?!actalike)")
    main(sys.argv[1:])
