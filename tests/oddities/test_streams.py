"""Scoring a stream, against its definition as loops."""

from copy import copy, deepcopy
from math import exp, log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, LogError, OddStream, StreamCounter, count_windows, load, odd_model
from actalike.oddities.stream import Continuations
from tests.helpers.event_streams import at_once, cut, grouped
from tests.helpers.examples import examples
from tests.helpers.naive_odd_stream import NaiveOddStream
from tests.helpers.strategies import ODD_LABELS

few_labels = st.sampled_from([*ODD_LABELS[:4], ""])
few_cases = st.sampled_from(["1", "2", "📄"])
actions = st.lists(st.tuples(few_cases, few_labels | st.none()), max_size=40)  # without a label the case is closed
wide_enough = st.integers(3, 9)


def played(stream, some, explain=float("inf")):
    """The scores of actions one by one; an action that closes a case that is not open is left out."""
    scores, opened = [], set()
    for case, label in some:
        if label is not None:
            scores += stream.add(case, label) if isinstance(stream, NaiveOddStream) else stream.add([case], [label], explain)
            opened.add(case)
        elif case in opened:
            scores += stream.close(case) if isinstance(stream, NaiveOddStream) else stream.close(case, explain)
            opened.remove(case)
    return scores


def same_side(side, naive):
    if side is None or naive is None:
        assert side is naive
        return
    neighbours, times, total, expected = naive.reason
    assert (side.neighbours, side.times, side.total) == (neighbours, times, total)
    assert [(one.value, one.times) for one in side.expected] == expected
    assert [one.share for one in side.expected] == [n / total for _, n in expected]
    assert side.surprise == pytest.approx(-np.log(naive.probability))


@given(actions, wide_enough)
@example([("1", "b"), ("1", "a"), ("1", "a"), ("1", "b"), ("1", "a"), ("1", None)], 5)  # the window shows part of a context only
@examples(60)
def test_scores_and_reasons_are_those_of_the_definition(some, window):
    scores, naive = played(OddStream(StreamCounter(window)), some, explain=0), played(NaiveOddStream(window), some)
    assert [score[:3] + score[4:5] for score in scores] == [score[:3] + score[4:5] for score in naive]
    assert [score.surprise for score in scores] == pytest.approx([score[3] for score in naive])
    for score, (*_, before, after) in zip(scores, naive, strict=True):
        same_side(score.before, before)
        same_side(score.after, after)
        assert score.surprise == pytest.approx(sum(side.surprise for side in (score.before, score.after) if side))


@given(actions, wide_enough, st.data())
@examples(40)
def test_scores_depend_neither_on_batches_nor_on_restarts(tmp_path_factory, some, window, data):
    events = [(case, label) for case, label in some if label is not None]
    path = tmp_path_factory.mktemp("streams") / "stream.actalike"
    stream, scores = OddStream(StreamCounter(window)), []
    for batch in data.draw(cut(events)):
        scores += stream.add([case for case, _ in batch], [label for _, label in batch], explain=1)
        if data.draw(st.booleans()):
            stream.counter.save(path)
            stream = OddStream(load(path))
    scores += stream.close(sorted(grouped(events)), explain=1)
    whole = OddStream(StreamCounter(window))
    assert scores == played(whole, events, explain=1) + [
        score for case in sorted(grouped(events)) for score in whole.close(case, explain=1)
    ]


@given(actions, actions, actions, wide_enough)
@examples(20)
def test_what_the_counter_is_given_by_itself_is_known_and_what_it_forgets_is_not(old, unscored, new, window):
    """The closed cases of the first actions are forgotten, and those of the second are counted without scores."""
    old, unscored = (
        [(f"{name} {case}", label) for case, label in some if label] for name, some in (("old", old), ("un", unscored))
    )
    stream, other = OddStream(StreamCounter(window)), OddStream(StreamCounter(window))
    if old:
        played(stream, old)
        cases = grouped(old)
        stream.close(list(cases))
        stream.counter.forget(count_windows(EventLog.from_traces(list(cases.values())), window))
    played(other, unscored)
    stream.counter.add([case for case, _ in unscored], [label for _, label in unscored])
    assert played(stream, new, explain=2) == played(other, new, explain=2)


def test_a_real_log_in_the_order_of_time_is_scored_as_defined(real_log):
    log = real_log("Helpdesk")
    in_time = np.argsort(log.timestamps, kind="stable")[:300]
    cases = np.repeat(np.array(log.case_ids), log.lengths)[in_time].tolist()
    labels = [log.activities[code] for code in log.codes[in_time].tolist()]
    last = {case: i for i, case in enumerate(cases)}
    some = []
    for i, event in enumerate(zip(cases, labels, strict=True)):
        some += [event, (event[0], None)] if last[event[0]] == i else [event]
    scores, naive = played(OddStream(StreamCounter(5)), some), played(NaiveOddStream(5), some)
    assert [score.surprise for score in scores] == pytest.approx([score[3] for score in naive])


def test_every_event_and_every_end_is_scored_on_arrival_and_every_event_once_more():
    stream = OddStream(StreamCounter(5))
    scores = stream.add(["x", "y", "x", "x"], list("abca")) + stream.close(["x", "y"])
    arrived = [(score.case, score.position, score.activity) for score in scores if not score.settled]
    settled = [(score.case, score.position, score.activity) for score in scores if score.settled]
    assert arrived == [("x", 0, "a"), ("y", 0, "b"), ("x", 1, "c"), ("x", 2, "a"), ("x", 3, None), ("y", 1, None)]
    assert settled == [("x", 0, "a"), ("x", 1, "c"), ("x", 2, "a"), ("y", 0, "b")]
    assert all(score.before is None and score.after is None for score in scores)
    assert stream.counter.open_cases == 0


def test_a_planted_event_is_the_oddest_once_both_sides_are_known():
    stream = OddStream(StreamCounter(5))
    for case in range(100):
        stream.add([case] * 5, ["order", "check", "pack", "ship", "pay"])
        stream.close(case)
    scores = stream.add(["new"] * 6, ["order", "check", "archive", "pack", "ship", "pay"], explain=5) + stream.close("new", 5)
    oddest = max((score for score in scores if score.settled), key=lambda score: score.surprise)
    assert (oddest.activity, oddest.position) == ("archive", 2)
    assert [expected.value for expected in (oddest.before.expected[0], oddest.after.expected[0])] == ["pack", "check"]
    assert oddest.after.neighbours == ("pack", "ship")


def test_a_case_does_not_vouch_for_itself():
    """What a case did before counts for nothing as far as the window shows it."""
    stream = OddStream(StreamCounter(9))
    for case in range(20):
        stream.add([case] * 2, ["a", "b"])
        stream.close(case)
    scores = stream.add(["new"] * 8, list("axaxaxax"), explain=0)
    after_a = [score.before for score in scores if score.activity == "x" and not score.settled]
    assert [(side.neighbours, side.times, side.total) for side in after_a[1:3]] == [(("a",), 0, 20)] * 2
    assert [side.times for side in after_a] == [0, 0, 0, 0]


def test_a_state_whose_windows_were_forgotten_under_an_open_case_is_scored_too():
    counter = StreamCounter(3)
    counter.add([1, 1, 1, 2, 2], ["a", "b", "a", "a", "c"])
    table = count_windows(EventLog.from_traces([["a", "b", "a"]]), 3)
    first = table.windows[:, 0] == -1
    counter.forget(type(table)(table.activities, table.windows[first], table.counts[first]))
    stream = OddStream(counter)
    scores = stream.add([1, 1, 2], ["b", "a", "c"], explain=0) + stream.close([1, 2], explain=0)
    assert all(score.surprise >= 0 for score in scores)


@pytest.mark.parametrize(
    ("counter", "cause"),
    [
        (StreamCounter(2), "counter"),
        (StreamCounter(22), "windows of 22"),
        (5, "StreamCounter"),
    ],
)
def test_what_cannot_score_is_an_error(counter, cause):
    with pytest.raises(ActalikeError, match=cause):
        OddStream(counter)


def test_wrong_events_and_cases_are_an_error_and_nothing_is_scored():
    stream = OddStream(StreamCounter(3))
    stream.add(["1"], ["a"])
    with pytest.raises(LogError, match="missing"):
        stream.add(["1", None], ["b", "b"])
    with pytest.raises(LogError, match="missing"):
        stream.add(np.ma.array(["1", "2"], mask=[0, 1]), ["b", "b"])
    with pytest.raises(LogError, match="dimensions"):
        stream.add(["1", "1"], np.array("bb"))
    with pytest.raises(LogError, match="dimensions"):
        stream.close(np.array([["1"]]))
    with pytest.raises(LogError, match="open"):
        stream.close(["1", "3"])
    assert stream.counter.n_events == 1
    again = OddStream(StreamCounter(3))
    again.add(["1"], ["a"])
    assert stream.add(["1"], ["b"]) == again.add(["1"], ["b"])
    assert repr(stream) == "OddStream(StreamCounter(window=3, 2 events, 1 open case, 2 activities))"


@pytest.mark.parametrize("explain", [None, "5", float("nan"), 1j])
def test_what_is_no_number_is_refused_before_an_event_is_added_or_a_case_closed(explain):
    stream = OddStream(StreamCounter(3))
    stream.add(["1"], ["a"])
    with pytest.raises(ActalikeError, match="added"):
        stream.add(["1"], ["b"], explain)
    with pytest.raises(ActalikeError, match="is not a number"):
        stream.close("1", explain)
    assert (stream.counter.n_events, stream.counter.open_cases) == (1, 1)


def test_what_is_certain_has_the_score_zero_without_a_sign():
    stream = OddStream(StreamCounter(3))
    scores = stream.add(["1"], ["a"], explain=0) + stream.close("1", np.float32(0))
    assert scores[0].surprise == 0
    assert not any(np.signbit(score.surprise) or np.signbit(score.before.surprise) for score in scores)


def test_a_surprise_is_not_the_score_of_a_slip_but_has_that_name_for_one_more_version():
    stream = OddStream(StreamCounter(3))
    (arrived,) = stream.add(["1"], ["a"], explain=0)
    for one in (arrived, arrived.before):
        with pytest.warns(DeprecationWarning, match="surprise"):
            assert one.score == one.surprise


def test_memory_grows_with_open_cases_and_distinct_windows_only():
    stream = OddStream(StreamCounter(5))

    def size():
        tables = (stream._before, stream._after)
        return len(stream._open), sum(len(row) for table in tables for row in table._times.values())

    sizes = set()
    for case in range(30):
        stream.add([case] * 6, list("abcabd"))
        stream.close(case)
        sizes.add(size())
    assert len(sizes) == 1


@pytest.mark.parametrize("beside", ["stream", "counter"])
def test_what_another_thread_adds_at_once_is_scored_from_then_on_or_refused(beside):
    stream = OddStream(StreamCounter(3))
    other = stream if beside == "stream" else stream.counter
    adds = [lambda n: stream.add([f"x-{n}"] * 3, ["a", "b", "c"]), lambda n: other.add([f"y-{n}"] * 3, ["a", "b", "d"])]
    done, errors = at_once(adds)
    assert stream.counter.counts().n_events == 3 * sum(done)
    assert {type(error) for error in errors} == {ActalikeError}
    again = OddStream(copy(stream.counter))
    assert stream.add(["z"] * 3, ["a", "c", "d"]) == again.add(["z"] * 3, ["a", "c", "d"])


def test_a_copy_scores_on_by_itself():
    stream = OddStream(StreamCounter(3))
    stream.add(["x", "x"], ["a", "b"])
    other = deepcopy(stream)
    assert other.add(["x"], ["c"]) == stream.add(["x"], ["c"])
    assert other.counter is not stream.counter


symbols = st.sampled_from(["a", "b", "c"])
lines = st.lists(st.lists(symbols, min_size=1, max_size=6), min_size=1, max_size=8)


def counted(traces, depth):
    counts = Continuations(depth)
    for trace in traces:
        line = (None,) * depth + (*trace, None)
        for at in range(depth, len(line)):
            counts.count(line, at)
    return counts


@given(lines, st.integers(0, 3), st.lists(symbols, max_size=3))
@examples(30)
def test_the_probabilities_of_all_symbols_sum_to_one(traces, depth, before):
    counts = counted(traces, depth)
    line = ((None,) * depth + tuple(before))[-depth:] if depth else ()
    possible = [*{symbol for trace in traces for symbol in trace}, None, "a new one"]
    assert sum(exp(-counts.surprise((*line, symbol), depth)) for symbol in possible) == pytest.approx(1)


def test_without_counts_nothing_is_surprising_or_expected():
    counts = Continuations(2)
    assert counts.surprise((None, None, "a"), 2) == 0
    reason = counts.reason((None, None, "a"), 2)
    assert (reason.surprise, reason.neighbours, reason.times, reason.total, reason.expected) == (0, (), 0, 0, ())


def test_a_context_that_nobody_has_had_leaves_the_probability_of_the_shorter_one():
    counts = counted([["a", "b"], ["a", "c"]], 2)
    assert counts.surprise(("x", "a", "b"), 2) == counts.surprise(("y", "a", "b"), 2)
    assert counts.surprise(("x", "y", "b"), 2) == pytest.approx(-log((1 + 4 / 5) / (6 + 4)))  # a a b c and two ends


def test_the_reason_is_the_context_that_weighs_most():
    """After two symbols there is one event, after one there are many."""
    counts = counted([["a", "b"]] * 30 + [["c", "a", "d"]], 2)
    assert counts.reason((None, "a", "d"), 2).neighbours == (None, "a")
    rare = counts.reason(("c", "a", "b"), 2)
    assert (rare.neighbours, rare.times, rare.total) == (("c", "a"), 0, 1)
    assert [tuple(one) for one in rare.expected] == [("d", 1, 1.0)]


def test_of_equally_frequent_alternatives_the_end_comes_first_then_the_alphabet():
    counts = counted([["a", "c"], ["a", "b"], ["a"], ["a", "d"]], 1)
    assert [one.value for one in counts.reason(("a", "x"), 1).expected] == [None, "b", "c"]


@given(
    st.lists(st.lists(few_labels, min_size=1, max_size=4), min_size=1, max_size=6), st.lists(few_labels, min_size=1, max_size=3)
)
@examples(30)
def test_by_a_reference_a_case_has_the_scores_that_it_has_after_the_cases_of_the_reference(usual, new):
    log = EventLog.from_traces(usual)
    for reference in (log, log.variants, odd_model(log)):
        after = OddStream(StreamCounter(window=7))
        for number, trace in enumerate(usual):
            after.add([f"usual {number}"] * len(trace), trace)
            after.close(f"usual {number}")
        alone = OddStream(StreamCounter(window=7), reference)
        found, expected = ([*one.add(["new"] * len(new), new, 0.0), *one.close("new", 0.0)] for one in (alone, after))
        assert [score.surprise for score in found] == pytest.approx([score.surprise for score in expected])
        assert [side.expected for score in found for side in (score.before, score.after) if side] == [
            side.expected for score in expected for side in (score.before, score.after) if side
        ]


def test_by_a_reference_what_a_stream_brings_is_not_learned():
    stream = OddStream(StreamCounter(window=3), EventLog.from_traces([["order", "check", "pay"]] * 50))
    first, *_, last = [max(score.surprise for score in stream.add([case] * 2, ["order", "pay"])) for case in range(20)]
    assert first == last > 3
    stream.counter.add(["x"], ["order"])  # counts that are derived again
    assert max(score.surprise for score in deepcopy(stream).add(["y"] * 2, ["order", "pay"])) == last
