"""What predict prints."""

import numpy as np
import pytest

from actalike import CasePrediction, EventLog, PlacedLabel, Prediction, Predictor, RefusedLabel
from actalike.cli.predict_output import placed_words, print_absent, print_labels, print_predictions

LOG = EventLog(["a", "(end)"], [0, 1], [0, 1, 2], ["1", "2"], names={"a": "begin"})


def with_labels(placed, refused=()):
    model = Predictor(["a", "gone", "new"], None, np.zeros((3, 4)), np.zeros((1, 4)), np.zeros((1, 4)), np.zeros(4))
    model.placed, model.refused = tuple(placed), tuple(refused)
    return model


def test_a_label_that_reads_as_the_end_is_quoted_and_small_shares_are_not_shown(capsys):
    shares = Prediction("(end)", 0.7), Prediction(None, 0.295), Prediction("b", 0.005)
    print_predictions([CasePrediction("1", 0, 1, "a", shares)], LOG, 5)
    line = capsys.readouterr().out.splitlines()[1]
    assert line.endswith("  a [begin]      '(end)'         70 %  (end) 30 %")


def test_cases_without_a_prediction_are_counted_by_their_reason(capsys):
    cases = [CasePrediction("1", 0, 0, None, (), "no events"), CasePrediction("2", 1, 1, "a", (), "'q' cannot be placed (rare)")]
    print_predictions(cases, LOG, 1)
    text = capsys.readouterr().out
    assert "\nand 1 more case: " in text
    assert (
        "\nNo prediction for 1 case without events and 1 case with a label that cannot be placed (the first is case 1).\n" in text
    )


@pytest.mark.parametrize(
    ("nearest", "words"),
    [
        ((), "near the mean of all"),
        ((("a", 0.3),), "near 'a'"),
        ((("a", 0.3), ("b", 0.2), ("c", 0.2)), "between 'a', 'b' and 'c'"),
    ],
)
def test_an_unsure_place_names_what_is_near(nearest, words):
    expected = f"'x' is placed {words} (no known label is likely enough, 1 case): it is read, but not predicted"
    assert placed_words(PlacedLabel("x", 1, None, 0.3, nearest), is_predicted=False) == expected


def test_labels_that_were_placed_before_are_told_if_the_log_has_them(capsys):
    placed = [PlacedLabel(label, 9, "b", 0.9, ()) for label in ("a", "gone", "new")]
    before = with_labels([])
    before.activities = ["a", "gone"]
    print_labels(with_labels(placed), before, LOG)
    assert capsys.readouterr().out.splitlines() == [
        "'new' is read as 'b' (90 % sure, 9 cases)",
        "'a' is read as 'b' (90 % sure, 9 cases), as placed before",
        "",
    ]


def test_many_new_labels_are_cut_with_a_sentence(capsys):
    print_labels(with_labels([], [RefusedLabel(f"x{i}", 1, "too rare") for i in range(30)]), with_labels([]), LOG)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 22
    assert lines[-2] == "and 10 more labels that appeared after training: --json has all"


def test_labels_that_are_predicted_and_not_in_the_log_are_told(capsys):
    cases = [CasePrediction(str(i), i, 1, "a", (Prediction(label, 0.9),)) for i, label in enumerate(("a", None, "gone"))]
    print_absent(cases, LOG)
    expected = "\nIn 1 of 3 cases the likeliest next activity is a label that the log does not have ('gone'): it may be renamed, merged or gone.\n"
    assert capsys.readouterr().out == expected
    print_absent(cases[:2], LOG)
    assert capsys.readouterr().out == ""
