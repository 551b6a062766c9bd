"""Where in their cases activities occur, when, and in which cases together, against plain definitions."""

import statistics
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.log import occurrence, timeline
from actalike.log.occurrence import CoOccurrence, relative_positions
from tests.helpers.strategies import logs, traces


def pooled(log):
    """The definition: index from 0 over length, of every occurrence."""
    found = {}
    for trace in log.traces():
        for i, label in enumerate(trace):
            found.setdefault(label, []).append(i / len(trace))
    return found


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (at - low) * (values[high] - values[low])


@given(logs())
def test_positions_are_those_of_all_occurrences(log):
    found = relative_positions(log)
    expected = pooled(log)
    assert found.activities == sorted(expected)
    for i, label in enumerate(found.activities):
        values = expected[label]
        np.testing.assert_allclose(found.quartiles[i], [quantile(values, q / 4) for q in range(5)], atol=1e-12)
        np.testing.assert_allclose(found.means[i], statistics.fmean(values), atol=1e-12)
        np.testing.assert_allclose(found.deviations[i], statistics.pstdev(values), atol=1e-9)


@given(logs())
def test_a_case_begins_at_zero_and_one_is_never_reached(log):
    quartiles = relative_positions(log).quartiles
    assert quartiles.min() == 0
    assert quartiles.max() < 1


@pytest.mark.parametrize("count", [256, 257, 300])
def test_more_activities_than_small_codes_count(monkeypatch, count):
    monkeypatch.setattr(occurrence, "_SMALL", np.uint8)  # as 70,000 activities are to 16 bits, in less time
    labels = [f"{i:06}" for i in range(count)]
    found = relative_positions(EventLog.from_traces([labels]))
    assert found.activities == labels
    np.testing.assert_array_equal(found.means, np.arange(count) / count)


cases_of_few = traces(st.sampled_from("abcd"))


@given(cases_of_few, st.data())
def test_cases_with_any_several_and_all_members_are_those_of_the_traces(cases, data):
    log = EventLog.from_traces(cases)
    members = data.draw(st.lists(st.sampled_from(range(len(log.activities))), unique=True, min_size=1))
    held = [len({log.activities[i] for i in members} & set(case)) for case in cases]
    expected = tuple(sum(n >= least for n in held) for least in (1, 2, len(members)))
    assert CoOccurrence(log).cases(members) == expected


@given(cases_of_few)
def test_shared_cases_are_those_of_the_traces(cases):
    log = EventLog.from_traces(cases)
    expected = [[sum(a in case and b in case for case in cases) for b in log.activities] for a in log.activities]
    assert CoOccurrence(log).shared_cases().tolist() == expected


@given(cases_of_few)
def test_attraction_compares_mixed_pairs_with_names_by_chance(cases):
    log = EventLog.from_traces(cases)
    events = Counter(label for case in cases for label in case)
    attraction = CoOccurrence(log).attraction()
    for i, a in enumerate(log.activities):
        for j, b in enumerate(log.activities):
            if a == b:
                assert attraction[i, j] == 1
                continue
            pairs = [pair for case in cases for pair in combinations([x for x in case if x in (a, b)], 2)]
            mixed = sum(x != y for x, y in pairs)
            by_chance = 2 * events[a] * events[b] / (events[a] + events[b]) ** 2
            assert attraction[i, j] == pytest.approx((mixed + 5 * by_chance) / (len(pairs) + 5) / by_chance)


UNITS = ["hour", "day", "week", "month", "quarter", "year"]


def start(moment, unit):
    """The definition: the start of the period in which a moment lies."""
    day = moment.date()
    match unit:
        case "hour":
            return moment.replace(minute=0, second=0, microsecond=0)
        case "day":
            return day
        case "week":
            return day - timedelta(days=day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return date(day.year, (day.month - 1) // 3 * 3 + 1, 1)
    return date(day.year, 1, 1)


def following(period, unit):
    match unit:
        case "hour":
            return period + timedelta(hours=1)
        case "day":
            return period + timedelta(days=1)
        case "week":
            return period + timedelta(days=7)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(period.year * 12 + period.month - 1 + months, 12)
    return date(year, month + 1, 1)


def periods(first, last, unit, most):
    """The starts from the first moment's period to the last one's; None if there are more than ``most``."""
    starts = [start(first, unit)]
    while starts[-1] < start(last, unit):
        if len(starts) == most:
            return None
        starts.append(following(starts[-1], unit))
    return starts


def naive_timeline(labels, moments, most):
    """The unit, the starts, the counts of each activity, the undated events of each; moments are datetimes or None."""
    dated = [moment for moment in moments if moment is not None]
    for unit in UNITS:
        starts = periods(min(dated), max(dated), unit, most)
        if starts is not None:
            break
    else:
        years = sorted({moment.year for moment in dated})
        best = max(years, key=lambda year: (sum(year <= moment.year < year + most for moment in dated), -year))
        starts = [date(year, 1, 1) for year in range(best, best + most)]
    counts = {label: [0] * len(starts) for label in sorted(set(labels))}
    undated = dict.fromkeys(counts, 0)
    for label, moment in zip(labels, moments, strict=True):
        if moment is None or start(moment, unit) not in starts:
            undated[label] += 1
        else:
            counts[label][starts.index(start(moment, unit))] += 1
    return unit, starts, list(counts.values()), list(undated.values())


def as_lists(found):
    return found.unit, found.starts.tolist(), found.counts.tolist(), found.undated.tolist()


spans = st.sampled_from([timedelta(hours=9), timedelta(days=30), timedelta(days=400), timedelta(days=9000)])


@st.composite
def events(draw):
    """Labels and moments within a span of hours, days or years, some without a moment, a few of other centuries."""
    first, span = draw(st.datetimes(datetime(1931, 1, 1), datetime(2040, 1, 1))), draw(spans)
    odd = st.none() | st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1))
    moment = st.integers(0, 10**6).map(lambda part: first + span * (part / 10**6))
    one = st.tuples(st.sampled_from("abc"), st.one_of(moment, moment, moment, odd))
    return draw(st.lists(one, min_size=1, max_size=12).filter(lambda pairs: any(moment for _, moment in pairs)))


@given(events(), st.sampled_from([1, 2, 7, 24, 120]))
def test_a_timeline_is_that_of_the_calendar(pairs, most):
    labels, moments = zip(*pairs, strict=True)
    stamps = np.array([np.datetime64("NaT", "us") if moment is None else moment for moment in moments], dtype="datetime64[us]")
    log = EventLog(labels, range(len(labels)), [0, len(labels)], ["1"], timestamps=stamps)
    found = timeline(log, most)
    assert as_lists(found) == naive_timeline(labels, moments, most)
    assert found.starts.dtype == ("datetime64[h]" if found.unit == "hour" else "datetime64[D]")
    assert (found.counts.sum(axis=1) + found.undated).tolist() == log.activity_counts.tolist()


@pytest.mark.parametrize("timestamps", [None, np.array(["NaT"] * 3, dtype="datetime64[us]")])
def test_a_log_without_moments_has_no_timeline(timestamps):
    assert timeline(EventLog(["a"], [0, 0, 0], [0, 3], ["1"], timestamps=timestamps)) is None


def test_the_timeline_of_a_real_log(real_log):
    log = real_log("Helpdesk")
    labels = [log.activities[code] for code in log.codes.tolist()]
    seconds = log.timestamps.astype("datetime64[s]").astype(np.int64).tolist()
    moments = [datetime.fromtimestamp(second, UTC).replace(tzinfo=None) for second in seconds]
    assert as_lists(timeline(log)) == naive_timeline(labels, moments, 120)
