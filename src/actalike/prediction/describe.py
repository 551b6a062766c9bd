"""Say in sentences what a predictor predicts, and as what it reads labels that appeared after training."""

from collections.abc import Sequence

import numpy as np

from actalike.errors import did_you_mean, shortened
from actalike.labels import slip_pairs
from actalike.log import EventLog
from actalike.prediction.adaptation import PlacedLabel, RefusedLabel
from actalike.prediction.next_activity import CasePredictions, Predictor
from actalike.support.text import counted, percent

_SHOWN_ABSENT = 3


def unknown_labels(log: EventLog, model: Predictor, unknown: Sequence[str], log_file: str, model_file: str) -> str:
    """Return that a log has labels which the model does not know, the first of them, and what to do."""
    codes = np.flatnonzero(np.isin(log.activities, list(unknown)))
    events = np.flatnonzero(np.isin(log.codes, codes))
    first = log.activities[log.codes[events[0]]]
    cases = len(np.unique(np.searchsorted(log.offsets, events, side="right")))
    slips = slip_pairs([first, *model.activities])
    meant = did_you_mean(first, [model.activities[k - 1] for k in slips.second[slips.first == 0].tolist()])
    labels = "a label" if len(unknown) == 1 else f"{len(unknown):,} labels"
    where = f"in {cases:,} of {counted(log.n_cases, 'case')}"
    which = f"{'' if len(unknown) == 1 else 'the first is '}{shortened(first)!r}"
    return (
        f"{log_file} has {labels} that {model_file} does not know, {where}: {which}.{meant} "
        "--adapt places labels that appeared after training by what is around them. Nothing was predicted."
    )


def label_readings(cases: CasePredictions) -> list[str]:
    """Return as what each label of the log is read that appeared after training; those that the model file lacks come first."""
    model, occurring = cases.predictor, set(cases.log.activities)
    new = [one for one in model.placed if one.label in model.new_labels]
    earlier = [one for one in model.placed if one.label in occurring and one.label not in model.new_labels]
    return [
        *(placed_label(one, model.is_predicted(one.label)) for one in new),
        *(refused_label(one) for one in model.refused),
        *(f"{placed_label(one, model.is_predicted(one.label))}, as placed before" for one in earlier),
    ]


def placed_label(one: PlacedLabel, is_predicted: bool = True) -> str:
    """Return as what a label is read that appeared after training.

    >>> print(placed_label(PlacedLabel("Transfer loan", 50, "Pay out", 0.97, (("Pay out", 1.0),))))
    'Transfer loan' is read as 'Pay out' (97 % sure, 50 cases)
    >>> print(placed_label(PlacedLabel("Ask", 12, None, 0.41, (("Call", 0.5), ("Write", 0.4))), is_predicted=False))
    'Ask' is placed between 'Call' and 'Write' (no known label is likely enough, 12 cases): it is read, but not predicted
    """
    cases, label = counted(one.cases, "case"), repr(shortened(one.label))
    unpredicted = "" if is_predicted else ": it is read, but not predicted"
    if one.read_as is not None:
        return f"{label} is read as {shortened(one.read_as)!r} ({percent(one.probability)} sure, {cases}){unpredicted}"
    near = [repr(shortened(name)) for name, _ in one.nearest]
    where = f"between {', '.join(near[:-1])} and {near[-1]}" if len(near) > 1 else f"near {''.join(near) or 'the mean of all'}"
    return f"{label} is placed {where} (no known label is likely enough, {cases}){unpredicted}"


def refused_label(one: RefusedLabel) -> str:
    """Return that a label could not be placed, and why.

    >>> print(refused_label(RefusedLabel("Audit", 1, "in 1 case only: too rare to place")))
    'Audit' cannot be placed (in 1 case only: too rare to place): a case with it gets no prediction
    """
    return f"{shortened(one.label)!r} cannot be placed ({one.why}): a case with it gets no prediction"


def unpredicted_cases(cases: CasePredictions) -> str:
    """Return of how many cases nothing is predicted, and why; an empty text if there are none."""
    from actalike.oddities import CaseNames  # here: whoever loads a saved file would load that package too

    without = [one for one in cases if not one.predictions]
    if not without:
        return ""
    empty = sum(not one.events for one in without)
    parts = [f"{counted(empty, 'case')} without events"] if empty else []
    parts += [f"{counted(len(without) - empty, 'case')} with a label that cannot be placed"] if len(without) > empty else []
    which = f"{'the first is ' if len(without) > 1 else ''}case {CaseNames(cases.log).of(without[0].case_number)}"
    return f"No prediction for {' and '.join(parts)} ({which})."


def absent_labels(cases: CasePredictions) -> str:
    """Return in how many cases the likeliest next activity is a label that the log does not have; an empty text if in none."""
    occurring = {*cases.log.activities, None}
    absent = [one.predictions[0].activity for one in cases if one.predictions and one.predictions[0].activity not in occurring]
    if not absent:
        return ""
    labels = [repr(shortened(str(label))) for label in dict.fromkeys(absent)]
    more = f" and {len(labels) - _SHOWN_ABSENT:,} more" if len(labels) > _SHOWN_ABSENT else ""
    which = f"a label that the log does not have ({', '.join(labels[:_SHOWN_ABSENT])}{more})"
    where = f"In {len(absent):,} of {counted(len(cases), 'case')}"
    return f"{where} the likeliest next activity is {which}: it may be renamed, merged or gone."


def model_quality(model: Predictor) -> str:
    """Return how good a model was on cases held out; an empty text if none were."""
    before = " before labels were added" if model.placed else ""
    return "" if model.held_out is None else f"The model{before}: {model.held_out}."
