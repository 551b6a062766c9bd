"""The made-up log of the demonstration."""

import pytest

from actalike import group
from actalike.demo.loan_desk import ALTERNATIVES, NEW_SYSTEM, SAME_STEP, SOUTHERN, loan_desk


@pytest.fixture(scope="module")
def desk():
    return loan_desk()


def test_the_log_is_the_same_every_time():
    assert loan_desk(100) == loan_desk(100)
    assert loan_desk(100) != loan_desk(100, seed=8)


def test_the_synonyms_are_the_names_of_one_step_and_alternatives_are_none(desk):
    groups = {relation: [set(found.activities) for found in group(desk) if found.relation == relation]
              for relation in ("synonyms", "alternatives")}  # fmt: skip
    assert sorted(map(sorted, groups["synonyms"])) == sorted(map(sorted, SAME_STEP))
    for labels in ALTERNATIVES:
        assert any(labels <= found for found in groups["alternatives"])


def test_names_of_the_new_system_come_later_and_names_of_an_office_stay_there(desk):
    codes = {label: desk.codes == code for code, label in enumerate(desk.activities)}
    for old, new in NEW_SYSTEM.items():
        assert desk.timestamps[codes[old]].max() < desk.timestamps[codes[new]].min()
    office, clerk = desk.attributes["org:group"], desk.attributes["org:resource"]
    for northern, southern in SOUTHERN.items():
        assert office.at(codes[northern]).values == ["North"]
        assert office.at(codes[southern]).values == ["South"]
        assert not set(clerk.at(codes[northern]).values) & set(clerk.at(codes[southern]).values)


def test_it_has_optional_and_repeated_steps_and_timestamps_in_order(desk):
    shares = [sum(label in trace for trace in desk.traces()) / desk.n_cases for label in desk.activities]
    assert any(share == 1 for share in shares)
    assert sum(0.1 < share < 0.9 for share in shares) > 10
    assert any(len(set(trace)) < len(trace) for trace in desk.traces())
    for start, end in zip(desk.offsets, desk.offsets[1:], strict=False):
        times = desk.timestamps[start:end]
        assert (times[1:] > times[:-1]).all()
