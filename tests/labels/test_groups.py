import itertools
import random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, UnknownMethodError, count_windows, embed, group, relabel
from actalike.benchmark.intrinsic.ground_truth import Recipe, log_digest, make_log
from actalike.demo.loan_desk import SAME_STEP, loan_desk
from actalike.labels import OUTSIDE, Caution, SharedNeighbours
from actalike.labels.groups import MAX_ATTRACTION, merges
from actalike.log.co_occurrence import BY_CHANCE, CoOccurrence
from tests.helpers.strategies import logs

frequent_logs = logs().map(lambda log: EventLog.from_traces(log.traces() * 5))  # so that activities are not all too rare
boldnesses = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 1.0])


@given(frequent_logs | logs(), boldnesses, st.randoms())
def test_groups_are_disjoint_and_do_not_depend_on_the_order_of_cases(log, boldness, rng):
    found = group(log, boldness=boldness)
    members = [label for one in found for label in one.activities]
    assert len(members) == len(set(members)) <= len(log.activities)
    assert all(len(one.activities) > 1 for one in found)
    traces = log.traces()
    rng.shuffle(traces)
    assert group(EventLog.from_traces(traces), boldness=boldness) == found == group(log, boldness=boldness)


@given(frequent_logs)
@example(loan_desk(60))
def test_more_boldness_only_adds_groups(log):
    proposals = merges(log)
    assert [one.boldness for one in proposals] == sorted(one.boldness for one in proposals)
    for boldness in (0.0, 0.2, 0.5, 0.9, 1.0):
        found = group(log, boldness=boldness)
        assert found == proposals[: len(found)]
        assert all(one.boldness <= boldness for one in found)
        assert all(one.boldness > boldness for one in proposals[len(found) :])


@pytest.mark.parametrize("method", ["kin-w5", "ac-sequence-pmi-w3"])
@given(log=frequent_logs | logs())
@example(log=loan_desk(60))  # generated logs seldom have groups
def test_boldness_is_how_near_members_are_compared_with_others(method, log):
    distances = embed(log, method).distances()
    place = {label: i for i, label in enumerate(log.activities)}
    attraction = naive_attraction(log)
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    for one in merges(log, method):
        inside = [place[label] for label in one.activities]
        outside = [i for i in range(len(distances)) if i not in inside]
        largest = max(distances[i, j] for i, j in itertools.combinations(inside, 2))
        least = min(1.0, *(distances[i, j] for i in inside for j in outside))
        contrast = largest / least
        assert contrast < 1
        assert one.similarity == pytest.approx(1 - largest)
        attracted = any(attraction[pair] > MAX_ATTRACTION for pair in itertools.combinations(sorted(one.activities), 2))
        doubtful = attracted or any(cases[label] < 5 for label in one.activities)
        assert one.boldness == pytest.approx((1 + contrast) / 2 if doubtful else contrast)
        assert any(caution.kind == "too rare" for caution in one.cautions) == any(cases[x] < 5 for x in one.activities)


def naive_attraction(log):
    """By counting every pair of events of every case."""
    found = {}
    total = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    for a, b in itertools.combinations(log.activities, 2):
        pairs = [{x, y} for trace in log.traces() for x, y in itertools.combinations([e for e in trace if e in (a, b)], 2)]
        mixed = sum(len(pair) == 2 for pair in pairs)
        p = total[a] / (total[a] + total[b])
        chance = 2 * p * (1 - p)
        found[a, b] = (mixed + BY_CHANCE * chance) / (len(pairs) + BY_CHANCE) / chance
    return found


@given(logs())
def test_attraction_compares_with_names_by_chance(log):
    attraction = CoOccurrence(log).attraction()
    for (a, b), expected in naive_attraction(log).items():
        i, j = log.activities.index(a), log.activities.index(b)
        assert attraction[i, j] == attraction[j, i] == pytest.approx(expected)


@given(frequent_logs)
@example(loan_desk(60))
def test_relation_and_evidence_are_as_in_the_cases(log):
    for one in merges(log):
        members = set(one.activities)
        held = [members & set(trace) for trace in log.traces() if members & set(trace)]
        assert one.together == sum(len(some) > 1 for some in held) / len(held)
        if not one.together:
            assert one.relation == "alternatives"
        else:
            assert one.relation == ("parallel" if all(some == members for some in held) else "mixed")
        counts = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
        assert list(one.activities) == sorted(one.activities, key=lambda label: (-counts[label], -cases_of(log, label), label))
        for context in one.evidence:
            assert sum(n > 0 for n in context.counts) > 1
            assert len(context.counts) == len(members)


def cases_of(log, label):
    return sum(label in trace for trace in log.traces())


def test_evidence_counts_the_neighbours_that_members_share():
    traces = [["x", "a", "y"]] * 7 + [["x", "b", "y"]] * 6 + [["b", "y"]] * 5 + [["a", "z"]] * 5 + [["z"], ["x", "z", "x"]]
    (first, *_) = merges(EventLog.from_traces(traces))
    assert first.activities == ("a", "b")
    assert first.evidence == (SharedNeighbours("x", "y", (7, 6)), SharedNeighbours(OUTSIDE, None, (5, 5)))


def test_what_the_loan_desk_calls_by_several_names_is_found():
    found = [set(one.activities) for one in group(loan_desk())]
    assert all(same in found for same in SAME_STEP)
    assert [same for same in found if same not in SAME_STEP] == [{"Customer declines", "Offer expires"}]


def test_the_names_themselves_do_not_matter():
    log = loan_desk()
    backwards = log.relabel(lambda label: label[::-1])
    assert [{x[::-1] for x in one.activities} for one in group(backwards)] == [set(one.activities) for one in group(log)]


@pytest.mark.parametrize("name", ["Helpdesk", "BPIC20_DomesticDeclarations", "RTFM"])
def test_an_activity_split_in_two_is_found_and_put_together_again(real_log, name):
    log = real_log(name)
    chosen = tuple(sorted(random.Random(1).sample([log.activities[i] for i in np.argsort(-log.activity_counts)[:6]], 2)))
    split = make_log(log, Recipe(log_digest(log), 2, 2, 0, 0, "paper", chosen)).log
    found = group(split)
    for label in chosen:
        assert {f"{label}:0", f"{label}:1"} in [set(one.activities) for one in found]
    assert relabel(split, {f"{label}:{k}": label for label in chosen for k in (0, 1)}).traces() == log.traces()


def test_steps_that_belong_together_take_more_boldness_and_come_with_a_caution():
    rng = random.Random(3)
    traces = []
    for _ in range(60):  # sign and stamp are always both done, in either order
        both = rng.sample(["sign", "stamp"], 2)
        traces.append(["open", *both, "file"] if rng.random() < 0.5 else ["open", "read", *both, "file"])
    (pair,) = (one for one in merges(EventLog.from_traces(traces)) if "sign" in one.activities)
    assert set(pair.activities) == {"sign", "stamp"}
    assert (pair.relation, pair.together) == ("parallel", 1.0)
    assert pair.boldness > 0.5
    assert Caution("always together") in pair.cautions
    traces += [["open", "sign", "file"], ["open", "stamp", "file"]]
    (pair,) = (one for one in merges(EventLog.from_traces(traces)) if "sign" in one.activities)
    assert pair.relation == "mixed"
    assert [(c.kind, round(c.times, 1)) for c in pair.cautions if c.times] == [("often together", 1.9)]


def test_a_label_in_few_cases_is_said_to_be_too_rare():
    log = EventLog.from_traces([["x", "a", "y"]] * 30 + [["x", "b", "y"]] * 4 + [["y", "x"]] * 9)
    (pair,) = (one for one in merges(log) if "b" in one.activities)
    assert pair.activities == ("a", "b")
    assert Caution("too rare", ("b",)) in pair.cautions
    assert pair not in group(log, boldness=0.49)
    log = EventLog.from_traces([["x", "a", "y"]] * 30 + [["x", "b", "y"]] * 5 + [["y", "x"]] * 9)
    (pair,) = group(log)
    assert Caution("few cases", ("b",)) in pair.cautions


@pytest.mark.parametrize("traces", [[["a"]], [["a", "b"]], [["a"], ["b"]]])
def test_one_or_two_activities_have_no_groups(traces):
    assert group(EventLog.from_traces(traces), boldness=1) == []


@pytest.mark.parametrize("boldness", [-0.1, 1.1, float("nan")])
def test_a_boldness_beyond_its_scale_is_an_error(boldness):
    with pytest.raises(ActalikeError, match="is not between 0"):
        group(loan_desk(20), boldness=boldness)


def test_what_cannot_be_grouped_is_an_error():
    log = loan_desk(20)
    with pytest.raises(ActalikeError, match="in an EventLog, not in WindowCounts"):
        group(count_windows(log, 5))
    with pytest.raises(ActalikeError, match="substitution-w3 scores pairs on a scale of its own"):
        group(log, "substitution-w3")
    with pytest.raises(UnknownMethodError):
        group(log, "no-such-method")


@pytest.mark.parametrize(
    ("cases", "kinds"),
    [
        (4, ["too rare", "never together"]),
        (5, ["few cases", "never together"]),
        (19, ["few cases", "never together"]),
        (20, ["never together"]),
    ],
)
def test_the_fewer_cases_the_graver_the_caution(cases, kinds):
    log = EventLog.from_traces([["x", "a", "y"]] * 30 + [["x", "b", "y"]] * cases + [["y", "x"]] * 40)
    (pair,) = (one for one in merges(log) if "b" in one.activities)
    assert pair.activities == ("a", "b")
    assert [caution.kind for caution in pair.cautions] == kinds


@pytest.mark.parametrize(("together", "doubtful"), [(2, False), (3, True)])
def test_members_that_share_cases_too_often_are_doubtful(together, doubtful):
    """Two mixed pairs of events are an attraction of 2 (2 + 5 / 2) / (2 + 5) = 1.29, three of 1.38."""
    apart = [["x", "a", "y"], ["x", "b", "y"]] * 20
    both = [["x", "a", "y", "x", "b", "y"]] * together
    (pair,) = (one for one in merges(EventLog.from_traces([*apart, *both, *[["y", "x"]] * 9])) if "a" in one.activities)
    assert (pair.activities, pair.relation) == (("a", "b"), "mixed")
    assert (pair.boldness >= 0.5) is doubtful
    assert ("often together" in [caution.kind for caution in pair.cautions]) is doubtful


def test_an_embedding_of_another_log_or_method_is_refused():
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    with pytest.raises(ActalikeError, match="other activities than the log"):
        group(log, embedding=embed(EventLog.from_traces([["a"]])))
    with pytest.raises(ActalikeError, match="was made by kin-w5, not by kin-w3"):
        group(log, "kin-w3", embedding=embed(log, "kin-w5"))
    assert group(log, "kin-w3", embedding=embed(log, "kin-w3"), counts=count_windows(log, 5)) == group(log, "kin-w3")
