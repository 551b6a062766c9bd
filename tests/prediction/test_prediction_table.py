"""The table of predictions."""

import csv

from actalike.prediction import CasePrediction, Prediction, prediction_facts, write_predictions
from actalike.support.text import restore_formula

CASES = [
    CasePrediction("=1", 0, 2, "a, b", (Prediction("+c", 0.75), Prediction(None, 0.25))),
    CasePrediction("=1", 1, 0, None, (), "no events"),
]


def test_a_row_is_a_continuation_and_no_case_is_left_out(tmp_path):
    write_predictions(CASES, tmp_path / "next.csv")
    with (tmp_path / "next.csv").open(encoding="utf-8", newline="") as file:
        first, second, third = csv.DictReader(file)
    assert restore_formula(first["case"]) == "=1"
    assert (first["events"], first["last_activity"], first["rank"]) == ("2", "a, b", "1")
    assert (restore_formula(first["next_activity"]), first["ends"], first["probability"]) == ("+c", "no", "0.7500")
    assert (second["rank"], second["next_activity"], second["ends"], second["probability"]) == ("2", "", "yes", "0.2500")
    assert (third["rank"], third["next_activity"], third["ends"], third["probability"]) == ("", "", "", "")
    assert (third["note"], third["case_number"]) == ("no events", "2")


def test_the_facts_tell_the_end_from_an_activity():
    first, second = prediction_facts(CASES)
    assert [one["ends"] for one in first["next"]] == [False, True]
    assert (first["note"], second["note"], second["case_number"]) == (None, "no events", 2)
