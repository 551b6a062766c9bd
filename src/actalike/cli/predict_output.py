"""Print predictions of the cases of a log, and what became of labels that appeared after training."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from actalike.cli.console import plain, print_table
from actalike.cli.second_names import with_name
from actalike.cli.shell import quoted
from actalike.errors import did_you_mean, shortened
from actalike.labels import slip_pairs
from actalike.log import EventLog
from actalike.oddities import CaseNames
from actalike.prediction import CasePrediction, PlacedLabel, Prediction, Predictor, RefusedLabel
from actalike.support.text import percent

END = "(end)"
_SHOWN_LABELS = 20
_SMALLEST = 0.01  # probability of a further continuation that is shown on the screen


def unknown_words(log: EventLog, model: Predictor, unknown: Sequence[str], log_file: Path, model_file: Path) -> str:
    """Return that a log has labels which the model does not know, the first of them, and what to do."""
    codes = np.flatnonzero(np.isin(log.activities, list(unknown)))
    places = np.flatnonzero(np.isin(log.codes, codes))
    first = log.activities[log.codes[places[0]]]
    cases = len(np.unique(np.searchsorted(log.offsets, places, side="right")))
    slips = slip_pairs([first, *model.activities])
    meant = did_you_mean(first, [model.activities[k - 1] for k in slips.second[slips.first == 0].tolist()])
    labels = "a label" if len(unknown) == 1 else f"{len(unknown):,} labels"
    where = f"in {cases:,} of {_number(log.n_cases, 'case')}"
    which = f"{'' if len(unknown) == 1 else 'the first is '}{shortened(first)!r}"
    return (
        f"{log_file} has {labels} that {model_file} does not know, {where}: {which}.{meant} "
        "--adapt places labels that appeared after training by what is around them. Nothing was predicted."
    )


def model_facts(model: Predictor, before: Predictor, file: Path) -> dict[str, Any]:
    """Return for JSON which model predicted, how good it is, and what became of labels that appeared after training.

    ``before`` is the model of the file, which may know fewer labels.
    """
    held_out = None if model.held_out is None else model.held_out._asdict()
    about = {"file": str(file), "activities": len(before.activities), "method": model.method, "held_out": held_out}
    known = set(before.activities)
    placed = [
        {
            **one._asdict(),
            "is_new": one.label not in known,
            "is_predicted": model.is_predicted(one.label),
            "nearest": [{"activity": label, "weight": weight} for label, weight in one.nearest],
        }
        for one in model.placed
    ]
    return {"model": about, "placed": placed, "refused": [one._asdict() for one in model.refused]}


def print_labels(model: Predictor, before: Predictor, log: EventLog) -> None:
    """Print as what each label of the log is read that appeared after training; those that ``before`` had not come first."""
    known, occurring = set(before.activities), set(log.activities)
    new = [placed_words(one, model.is_predicted(one.label)) for one in model.placed if one.label not in known]
    new += [refused_words(one) for one in model.refused]
    earlier = [
        f"{placed_words(one, model.is_predicted(one.label))}, as placed before"
        for one in model.placed
        if one.label in known & occurring
    ]
    lines = new + earlier
    for line in lines[:_SHOWN_LABELS]:
        print(plain(line))
    if len(lines) > _SHOWN_LABELS:
        print(f"and {len(lines) - _SHOWN_LABELS:,} more labels that appeared after training: --json has all")
    if lines:
        print()


def placed_words(one: PlacedLabel, is_predicted: bool = True) -> str:
    """Return as what a label is read that appeared after training.

    >>> print(placed_words(PlacedLabel("Transfer loan", 50, "Pay out", 0.97, (("Pay out", 1.0),))))
    'Transfer loan' is read as 'Pay out' (97 % sure, 50 cases)
    >>> print(placed_words(PlacedLabel("Ask", 12, None, 0.41, (("Call", 0.5), ("Write", 0.4))), is_predicted=False))
    'Ask' is placed between 'Call' and 'Write' (no known label is likely enough, 12 cases): it is read, but not predicted
    """
    cases, label = _number(one.cases, "case"), repr(shortened(one.label))
    unpredicted = "" if is_predicted else ": it is read, but not predicted"
    if one.read_as is not None:
        return f"{label} is read as {shortened(one.read_as)!r} ({percent(one.probability)} sure, {cases}){unpredicted}"
    near = [repr(shortened(name)) for name, _ in one.nearest]
    where = f"between {', '.join(near[:-1])} and {near[-1]}" if len(near) > 1 else f"near {''.join(near) or 'the mean of all'}"
    return f"{label} is placed {where} (no known label is likely enough, {cases}){unpredicted}"


def refused_words(one: RefusedLabel) -> str:
    """Return that a label could not be placed, and why.

    >>> print(refused_words(RefusedLabel("Audit", 1, "in 1 case only: too rare to place")))
    'Audit' cannot be placed (in 1 case only: too rare to place): a case with it gets no prediction
    """
    return f"{shortened(one.label)!r} cannot be placed ({one.why}): a case with it gets no prediction"


def print_predictions(cases: Sequence[CasePrediction], log: EventLog, first: int, output: Path | None = None) -> None:
    """Print the most likely continuation of the first cases, with its probability, and the next likely ones."""
    names = CaseNames(log)
    shown = cases[:first]
    rows = [_row(one, names.of(one.case_number), log) for one in shown]
    print_table(("case", "events", "last activity", "next", "probability", "otherwise"), rows, right=(1, 4))
    if len(cases) > first:
        writes = ", -o FILE writes all" if output is None else ""
        print(f"\nand {_number(len(cases) - first, 'more case')}: --first N shows more{writes}")
    without = [one for one in cases if not one.predictions]
    if without:
        empty = sum(not one.events for one in without)
        parts = [f"{_number(empty, 'case')} without events"] if empty else []
        parts += [f"{_number(len(without) - empty, 'case')} with a label that cannot be placed"] if len(without) > empty else []
        which = f"{'the first is ' if len(without) > 1 else ''}case {names.of(without[0].case_number)}"
        print()
        print(plain(f"No prediction for {' and '.join(parts)} ({which})."))


def print_absent(cases: Sequence[CasePrediction], log: EventLog) -> None:
    """Print in how many cases the likeliest next activity is a label that the log does not have, and the first such labels."""
    occurring = {*log.activities, None}
    absent = [one.predictions[0].activity for one in cases if one.predictions and one.predictions[0].activity not in occurring]
    if absent:
        labels = [repr(shortened(str(label))) for label in dict.fromkeys(absent)]
        more = f" and {len(labels) - 3:,} more" if len(labels) > 3 else ""
        which = f"a label that the log does not have ({', '.join(labels[:3])}{more})"
        where = f"In {len(absent):,} of {_number(len(cases), 'case')}"
        print()
        print(plain(f"{where} the likeliest next activity is {which}: it may be renamed, merged or gone."))


def print_written(cases: Sequence[CasePrediction], model: Predictor, output: Path | None, save_adapted: Path | None) -> None:
    """Print how good the model is, and what was written."""
    if model.held_out is not None:
        before = " before labels were added" if model.placed else ""
        print(f"\nThe model{before}: {model.held_out}.")
    if output is not None:
        print(plain(f"{quoted(str(output))} has what comes next in {_number(len(cases), 'case')}."))
    if save_adapted is not None:
        placed = "1 label" if len(model.placed) == 1 else f"{len(model.placed):,} labels"
        content = f"with {placed} that appeared after training" if model.placed else "and knows no label more than before"
        print(plain(f"{quoted(str(save_adapted))} is the model {content}."))


def _row(one: CasePrediction, name: str, log: EventLog) -> tuple[str, ...]:
    last = "-" if one.last_activity is None else with_name(one.last_activity, log.names)
    begins = name, f"{one.events:,}", last
    if not one.predictions:
        return *begins, "no prediction", "-", one.note
    likeliest, *others = one.predictions
    worth_a_word = [other for other in others if other.probability >= _SMALLEST]
    otherwise = ", ".join(f"{_label(other, log)} {percent(other.probability)}" for other in worth_a_word)
    return *begins, _label(likeliest, log), percent(likeliest.probability), otherwise


def _label(prediction: Prediction, log: EventLog) -> str:
    """Return a label as it is shown; one that reads as the end of the case does is quoted."""
    if prediction.activity is None:
        return END
    return repr(prediction.activity) if prediction.activity == END else with_name(prediction.activity, log.names)


def _number(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
