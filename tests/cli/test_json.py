"""What commands print with --json has the form that docs/reference/json describes."""

import pytest
from jsonschema import Draft202012Validator

from actalike import write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import ok, run
from tests.helpers.json_schemas import FOLDER, check, schemas


@pytest.fixture(scope="module")
def folder(log, tmp_path_factory):
    """A folder with two logs, which is the current one of the commands."""
    path = tmp_path_factory.mktemp("json")
    (path / "logs").mkdir()
    write_log(loan_desk(40), path / "logs" / "A.xes.gz")
    write_log(loan_desk(40), path / "logs" / "B.csv")
    return path


@pytest.mark.parametrize("name", sorted(schemas()))
def test_a_schema_is_a_schema_and_is_called_by_its_id(name):
    Draft202012Validator.check_schema(schemas()[name])
    assert schemas()[name]["$id"] == name


COMMANDS = [
    "group logs/A.xes.gz -o mapping.csv",
    "group logs/B.csv --steps 3",
    "similar logs/A.xes.gz",
    "similar logs/A.xes.gz Write_note",
    "similar logs/A.xes.gz --method kin-w5 --resamples 20",
    "explain logs/A.xes.gz Pay_out Transfer_loan",
    "explain --model",
    "explain --model logs/A.xes.gz",
    "explain logs/A.xes.gz Pay_out Transfer_loan --method kin-w5 --resamples 20",
    "relabel logs/A.xes.gz mapping.csv -o relabelled.xes.gz",
    "look logs/A.xes.gz",
    "look logs/B.csv",
    "look logs",
    "methods",
    "count logs/B.csv -o counts.actalike",
    "count counts.actalike counts.actalike -o sum.actalike",
    "count logs/B.csv --variants -o variants.actalike",
    "embed logs/A.xes.gz -o vectors.actalike",
    "embed vectors.actalike -o vectors.csv",
    "similar vectors.actalike Write_note",
    "match logs/A.xes.gz logs/B.csv -o matching.csv --quiet",
    "match logs/A.xes.gz logs/B.csv --explain Write_note Write_note --labels --quiet",
    "drift logs/A.xes.gz logs/B.csv",
    "drift logs/A.xes.gz",
    "report logs/A.xes.gz -o report.html",
    "report logs/A.xes.gz logs/B.csv -o two_logs.html",
    "odd logs/B.csv -o odd.csv",
    "odd logs/A.xes.gz --explain L-0001",
    "plot zipf logs/A.xes.gz -o zipf.svg",
    "train logs/A.xes.gz -o next.actalike",
    "predict logs/B.csv next.actalike -o predictions.csv",
    "benchmark intrinsic --logs logs --out results --methods one-hot --r 2 --w 2 --samples 1",
    "benchmark report results -o benchmark.html",
]
ARRAYS = {
    "datasets": "datasets",
    "benchmark table results": "benchmark-table",
    "benchmark plots results -o pictures": "benchmark-plots",
}


def test_json_has_the_form_of_its_schema(folder, monkeypatch):
    monkeypatch.chdir(folder)
    for line in COMMANDS:
        check(ok(*(word.replace("_", " ") for word in line.split()), "--json"))
    for line, name in ARRAYS.items():
        check(ok(*line.split(), "--json"), name)
    check(run("datasets", "check", "logs", "--json").stdout, "datasets-check")  # which fails: none of the logs is there


def test_every_schema_is_listed_on_its_page():
    page = (FOLDER.parent / "json.md").read_text(encoding="utf-8")
    assert [name for name in schemas() if f"(json/{name})" not in page] == []
