"""The uses that the page is given, against the definitions."""

import json

import numpy as np
import pytest
from hypothesis import given

from actalike.demo.loan_desk import loan_desk
from actalike.labels import LabelUses, example_cases
from actalike.report import label_uses_data as module
from actalike.report.label_uses_data import label_uses_data
from actalike.report.single_file import as_json
from tests.helpers.naive_uses import dated_logs, naive_events, naive_gaps, naive_together, of
from tests.report.test_packing import unpacked_runs
from tests.report.test_report_data import percent_step


def data_of(log, shown=None, **options):
    order = np.argsort(-log.activity_counts, kind="stable")[:shown]
    number = dict.fromkeys(log.activities, -2) | {log.activities[code]: i for i, code in enumerate(order.tolist())}
    pairs = [(i, j) for i in range(len(order)) for j in range(i + 1, len(order))]
    return [log.activities[code] for code in order], label_uses_data(log, order, number, pairs, pairs, **options)


@given(dated_logs())
def test_the_page_is_given_the_uses_of_the_shown_labels(log):
    labels, data = data_of(log, 3)
    events = naive_events(log)
    cells = iter(unpacked_runs(data["together"]))
    exact = {(i, j): figures for i, j, *figures in data["exact"]}
    for i, label in enumerate(labels):
        for key, seconds in (("previous", "since"), ("next", "until")):
            expected = naive_gaps([getattr(event, seconds) for event in of(events, [label])])
            assert data[key][i] is expected is None or data[key][i][:3] == pytest.approx(expected[1:], abs=0.51)
        for j in range(i + 1, len(labels)):
            cases, instants, *_ = naive_together(events, [label], [labels[j]])
            rarer = min(len({event.case for event in of(events, [one])}) for one in (label, labels[j]))
            assert next(cells) == percent_step(cases / rarer)
            assert exact.get((i, j)) == ([cases, instants] if cases else None)
        (users,) = data["people"]
        missing, unlisted, *pairs = users["labels"][i]
        counts = {users["values"][value]: count for value, count in zip(pairs[::2], pairs[1::2], strict=True)}
        names = [event.people["User"] for event in of(events, [label])]
        assert (missing, unlisted) == (names.count(None), 0)
        assert counts == {name: names.count(name) for name in names if name is not None}
    assert next(cells, None) is None
    json.loads(as_json(data))


def test_examples_are_those_of_the_labels_with_numbers_for_labels():
    log = loan_desk(60)
    labels, data = data_of(log, 12)
    uses = LabelUses(log)
    for i, label in enumerate(labels):
        expected = example_cases(uses, [log.activities.index(label)])
        assert [case for case, *_ in data["examples"][i]] == [example.case for example in expected]
        for (_, moment, before, after, numbers, marked), example in zip(data["examples"][i], expected, strict=True):
            assert [labels[number] if number >= 0 else None for number in numbers] == [
                one if one in labels else None for one in example.labels
            ]
            assert (before, after, marked) == (example.before, example.after, list(example.marked))
            assert moment == str(example.moment)[:16]
    assert all(len(examples) <= 2 for _, _, examples in data["examples_together"])


def test_without_examples_there_is_no_case_and_nobody_s_name_in_the_data():
    log = loan_desk(60)
    _, data = data_of(log, examples=False)
    text = as_json(data)
    assert data["people"] is data["examples"] is data["examples_together"] is None
    assert not any(name in text for name in [*log.case_ids, *log.attributes["org:resource"].values])


def test_of_many_labels_fewer_examples_and_of_many_people_the_first_are_kept(monkeypatch):
    monkeypatch.setattr(module, "_MANY", 5)
    monkeypatch.setattr(module, "_PEOPLE", 2)
    log = loan_desk(60)
    _, data = data_of(log)
    assert max(map(len, data["examples"])) == 3
    clerks = data["people"][1]["labels"][0]
    assert len(clerks) == 6
    assert clerks[1] == log.activity_counts.max() - clerks[3] - clerks[5]


def test_a_period_is_from_the_first_to_the_last_use():
    labels, data = data_of(loan_desk())
    assert data["periods"][labels.index("Pay out")][1::2] == ["2024-03-17", "17 March 2024"]
    assert data["periods"][labels.index("Transfer loan")][::2] == ["2024-03-18", "18 March 2024"]
    assert data["periods"][labels.index("Sign contarct")] is None
