"""How often each activity was used over time, against a loop over the calendar."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import EventLog
from actalike.log import timeline

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
    stamps = np.array([np.datetime64("NaT") if moment is None else moment for moment in moments], dtype="datetime64[us]")
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
